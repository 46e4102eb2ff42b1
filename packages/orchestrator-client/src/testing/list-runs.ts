import type { FakeAnswer } from './wire.ts';
import type { FakeRun } from './model.ts';
import { pageFault, pageOf, type RouteCall } from './route.ts';

/** Values for sorting and filtering; null comes last in ascending order. */
const KEYS: Readonly<Record<string, (run: FakeRun) => number | string | null>> = {
  id: ({ number }) => number,
  state: ({ state }) => state,
  dag_id: ({ dagId }) => dagId,
  execution_date: ({ logicalDate }) => logicalDate,
  logical_date: ({ logicalDate }) => logicalDate,
  run_after: ({ logicalDate }) => logicalDate,
  dag_run_id: ({ runId }) => runId,
  start_date: ({ startDate }) => startDate,
  end_date: ({ endDate }) => endDate,
  updated_at: ({ updatedAt }) => updatedAt,
};
const TIMES = ['execution_date', 'logical_date', 'run_after', 'start_date', 'end_date', 'updated_at'] as const;

/**
 * Query parameters of Airflow 2 (`>=2.9`: from this version on). Airflow 2 responds with 400 to other parameters;
 * Airflow 3 ignores other parameters.
 */
export const RUN_LIST_QUERY = [
  'limit',
  'offset',
  'state',
  'order_by',
  'fields>=2.9',
  ...['execution_date', 'start_date', 'end_date'].flatMap((name) => [`${name}_gte`, `${name}_lte`]),
  'updated_at_gte>=2.6',
  'updated_at_lte>=2.6',
];

export function listRuns(call: RouteCall): FakeAnswer {
  const { world, wire, params, query } = call;
  const { dag = '' } = params;
  const fault = listFault(call);
  if (fault !== undefined) return fault;
  const states = query.getAll('state');
  const all = dag === '~' ? world.runs() : (world.dags.get(dag)?.runs.values() ?? []);
  const found = [...all].filter(
    (run) =>
      isStored(run) &&
      (states.length === 0 || states.includes(run.state)) &&
      TIMES.every((name) => isWithin(run, name, query)),
  );
  found.sort(orderOf(query.get('order_by') ?? 'id'));
  return {
    status: 200,
    body: { dag_runs: pageOf(found, query, wire.pages).map(wire.run), total_entries: found.length },
  };
}

/** True if a run is stored. Each call counts as a read of an unstored run (`readsUntilStored`). */
function isStored(run: FakeRun): boolean {
  if (run.readsUntilStored === 0) return true;
  run.readsUntilStored -= 1;
  return false;
}

function listFault(call: RouteCall): FakeAnswer | undefined {
  const { world, wire, params, query } = call;
  const { dag = '' } = params;
  if (wire.api === 'v2' && dag !== '~' && !world.dags.has(dag)) {
    const detail = `The DAG with dag_id: \`${dag}\` was not found`;
    return wire.problem({ status: 404, title: 'DAG not found', detail });
  }
  const order = query.get('order_by') ?? 'id';
  if (!Object.hasOwn(KEYS, order.replace(/^-/, ''))) {
    const detail = `Ordering with '${order}' is disallowed or the attribute does not exist on the model`;
    return wire.problem({ status: 400, title: 'Bad Request', detail });
  }
  const isDate = (value: string | null): boolean => value === null || !Number.isNaN(timeOf(value));
  const wrong = TIMES.flatMap((name) => [`${name}_gte`, `${name}_lte`]).find((name) => !isDate(query.get(name)));
  if (wrong === undefined) return pageFault(call);
  if (wire.api === 'v2') return wire.invalid(wrong, 'Input should be a valid datetime');
  return wire.problem({ status: 400, title: 'Incorrect datetime argument', detail: query.get(wrong) });
}

/** Parses a time. An unencoded `+` becomes a blank, which Airflow repairs. */
const timeOf = (text: string): number => Date.parse(text.replace(/ (?=\d\d:\d\d$)/, '+'));

function isWithin(run: FakeRun, name: (typeof TIMES)[number], query: URLSearchParams): boolean {
  const [least, most] = [query.get(`${name}_gte`), query.get(`${name}_lte`)];
  if (least === null && most === null) return true;
  const value = KEYS[name]?.(run);
  if (typeof value !== 'number') return false;
  return (least === null || value >= timeOf(least)) && (most === null || value <= timeOf(most));
}

function orderOf(order: string): (a: FakeRun, b: FakeRun) => number {
  const key = KEYS[order.replace(/^-/, '')];
  const compare = (a: FakeRun, b: FakeRun): number => {
    const [left, right] = [key?.(a) ?? Infinity, key?.(b) ?? Infinity];
    return left < right ? -1 : left > right ? 1 : a.number - b.number;
  };
  return order.startsWith('-') ? (a, b) => compare(b, a) : compare;
}
