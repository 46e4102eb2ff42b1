import type { FakeRun } from './model.ts';
import type { FakeAnswer } from './answer.ts';
import { pageOf, type Route, type RouteCall } from './route.ts';
import type { Wire } from './wire.ts';

const RUN_ID = /^[A-Za-z0-9_.~:+-]+$/;
const RANGES = ['execution_date', 'logical_date', 'run_after', 'start_date', 'end_date', 'updated_at'].flatMap(
  (name) => [`${name}_gte`, `${name}_lte`],
);
const ORDERS = [
  'id',
  'state',
  'dag_id',
  'execution_date',
  'logical_date',
  'dag_run_id',
  'start_date',
  'end_date',
  'updated_at',
];
const BODY = {
  v1: ['conf', 'dag_run_id', 'logical_date', 'execution_date', 'data_interval_start', 'data_interval_end', 'note'],
  v2: ['conf', 'dag_run_id', 'logical_date', 'data_interval_start', 'data_interval_end', 'run_after', 'note'],
} as const;

export const RUN_ROUTES: readonly Route[] = [
  {
    method: 'GET',
    pattern: 'dags/:dag/dagRuns',
    query: ['limit', 'offset', 'state', 'order_by', 'fields', ...RANGES],
    handle: listRuns,
  },
  { method: 'POST', pattern: 'dags/:dag/dagRuns', query: [], bodyFault: triggerFault, handle: trigger },
  {
    method: 'GET',
    pattern: 'dags/:dag/dagRuns/:run',
    query: ['fields'],
    handle: withRun(({ wire }, run) => ({ status: 200, body: wire.run(run) })),
  },
  { method: 'PATCH', pattern: 'dags/:dag/dagRuns/:run', query: ['update_mask'], bodyFault: patchFault, handle: patch },
];

/** Hands over the run that a path names, or answers 404. */
export function withRun(handle: (call: RouteCall, run: FakeRun) => FakeAnswer): (call: RouteCall) => FakeAnswer {
  return (call) => {
    const { dag = '', run: runId = '' } = call.params;
    const run = call.world.run(dag, runId);
    if (run !== undefined && run.looksUntilStored === 0) return handle(call, run);
    if (run !== undefined) run.looksUntilStored -= 1;
    const detail = `DAGRun with DAG ID: '${dag}' and DagRun ID: '${runId}' not found`;
    return call.wire.problem({ status: 404, title: 'DAGRun not found', detail });
  };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What is wrong with the body of a trigger; undefined = nothing. */
function triggerFault(body: unknown, wire: Wire): FakeAnswer | undefined {
  if (!isObject(body))
    return wire.problem({ status: 400, title: 'Bad Request', detail: 'Request body must not be empty' });
  if (wire.api === 'v2' && unknownMember(body, wire) !== undefined) return unknownMember(body, wire);
  if (wire.api === 'v2' && !('logical_date' in body)) return wire.invalid('logical_date', 'Field required');
  if ('conf' in body && !isObject(body['conf']))
    return wire.invalid('conf', `${JSON.stringify(body['conf'])} is not of type 'object'`);
  return undefined;
}

/** A member that the body may not have: Airflow 2 finds it after the credentials, Airflow 3 before. */
function unknownMember(body: Readonly<Record<string, unknown>>, wire: Wire): FakeAnswer | undefined {
  const known: readonly string[] = BODY[wire.api];
  const extra = Object.keys(body).find((name) => !known.includes(name));
  if (extra !== undefined && wire.api === 'v2') return wire.invalid(extra, 'Extra inputs are not permitted');
  if (extra !== undefined)
    return wire.problem({ status: 400, title: 'Bad Request', detail: `{'${extra}': ['Unknown field.']}` });
  return undefined;
}

function trigger({ world, wire, params, body }: RouteCall): FakeAnswer {
  const { dag: dagId = '' } = params;
  const given = isObject(body) ? body : {};
  const fault = unknownMember(given, wire);
  if (fault !== undefined) return fault;
  const state = world.dags.get(dagId);
  if (state === undefined || state.dag.isActive === false)
    return wire.problem({ status: 404, title: 'DAG not found', detail: `DAG with dag_id: '${dagId}' not found` });
  if (state.dag.importError !== undefined)
    return wire.problem({
      status: 400,
      title: 'DAG cannot be triggered',
      detail: `DAG with dag_id: '${dagId}' has import errors`,
    });
  const conf = isObject(given['conf']) ? given['conf'] : {};
  const runId = typeof given['dag_run_id'] === 'string' ? given['dag_run_id'] : undefined;
  if (runId !== undefined && !RUN_ID.test(runId)) return htmlError();
  if (runId !== undefined && state.runs.has(runId)) {
    const detail = `DAGRun with DAG ID: '${dagId}' and DAGRun ID: '${runId}' already exists`;
    return wire.problem({ status: 409, title: 'Conflict', detail });
  }
  const run = world.addRun(dagId, { conf, ...(runId === undefined ? {} : { runId }) });
  if (wire.api === 'v2') run.looksUntilStored = 1;
  return { status: 200, body: wire.run(run) };
}

/** What Airflow 2 answers to an exception that nobody caught. */
export function htmlError(): FakeAnswer {
  return {
    status: 500,
    type: 'text/html; charset=utf-8',
    body: '<!DOCTYPE html>\n<html lang="en"><body><h1> Ooops! </h1></body></html>',
  };
}

function listRuns({ world, wire, params, query }: RouteCall): FakeAnswer {
  const { dag = '' } = params;
  if (wire.api === 'v2' && dag !== '~' && !world.dags.has(dag)) {
    const detail = `The DAG with dag_id: \`${dag}\` was not found`;
    return wire.problem({ status: 404, title: 'DAG not found', detail });
  }
  const order = query.get('order_by') ?? 'id';
  if (!ORDERS.includes(order.replace('-', ''))) {
    const detail = `Ordering with '${order}' is disallowed or the attribute does not exist on the model`;
    return wire.problem({ status: 400, title: 'Bad Request', detail });
  }
  const states = query.getAll('state');
  const all = dag === '~' ? world.runs() : (world.dags.get(dag)?.runs.values() ?? []);
  const since = (name: string, value: number | null): boolean => {
    const least = query.get(`${name}_gte`);
    return least === null || (value !== null && value >= Date.parse(least));
  };
  const found = [...all].filter(
    (run) =>
      run.looksUntilStored === 0 &&
      (states.length === 0 || states.includes(run.state)) &&
      since('updated_at', run.updatedAt) &&
      since('start_date', run.startDate) &&
      since('end_date', run.endDate),
  );
  found.sort((a, b) => (order.startsWith('-') ? b.number - a.number : a.number - b.number));
  return {
    status: 200,
    body: { dag_runs: pageOf(found, query, wire.pages).map(wire.run), total_entries: found.length },
  };
}

function patchFault(body: unknown, wire: Wire): FakeAnswer | undefined {
  const state = isObject(body) ? body['state'] : undefined;
  if (state === 'failed' || state === 'success' || state === 'queued') return undefined;
  return wire.invalid('state', `'${String(state)}' is not one of ['success', 'failed', 'queued']`);
}

function patch({ world, wire, params, body }: RouteCall): FakeAnswer {
  const { dag = '', run: runId = '' } = params;
  const run = world.run(dag, runId);
  if (run === undefined)
    return wire.problem({ status: 404, title: `Dag Run id ${runId} not found in dag ${dag}`, detail: null });
  const state = isObject(body) ? body['state'] : undefined;
  // A DAG that cannot be loaded: answered 200, nothing changed.
  const isLoadable = world.dagOf(dag).dag.importError === undefined;
  if (isLoadable && (state === 'failed' || state === 'success')) world.end(run, state);
  else if (isLoadable && state === 'queued') world.setState(run, 'queued');
  return { status: 200, body: wire.run(run) };
}
