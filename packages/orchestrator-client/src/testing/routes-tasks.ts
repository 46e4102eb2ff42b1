import type { FakeRun, FakeTaskRun } from './model.ts';
import type { FakeAnswer } from './wire.ts';
import { pageFault, pageOf, type Route, type RouteCall } from './route.ts';
import { withRun } from './routes-runs.ts';
import { isoMicros } from './world.ts';

const TASK = 'dags/:dag/dagRuns/:run/taskInstances/:task';

export const TASK_ROUTES: readonly Route[] = [
  {
    method: 'GET',
    pattern: 'dags/:dag/dagRuns/:run/taskInstances',
    query: ['limit', 'offset', 'state', 'pool', 'queue', 'executor>=2.10'],
    handle: withRun(listTasks),
  },
  { method: 'GET', pattern: TASK, query: [], handle: withRun(readUnmapped) },
  {
    method: 'GET',
    pattern: `${TASK}/logs/:try`,
    query: ['full_content', 'map_index', 'token'],
    handle: withRun((call, run) => withTask(call, run, readLog)),
  },
  {
    method: 'GET',
    pattern: `${TASK}/xcomEntries`,
    query: ['map_index>=2.7', 'xcom_key>=2.7', 'limit', 'offset'],
    handle: withRun((call, run) => withTask(call, run, listXcoms)),
  },
  {
    method: 'GET',
    pattern: `${TASK}/xcomEntries/:key`,
    query: ['map_index>=2.7', 'deserialize', 'stringify>=2.10'],
    handle: withRun((call, run) => withTask(call, run, readXcom)),
  },
  // This pattern is last, because it also matches paths that end with a fixed word.
  { method: 'GET', pattern: `${TASK}/:index`, query: [], handle: withRun(readMapped) },
];

/** `order_by` of tasks in Airflow 3.0.6; Airflow 2 has none. */
const TASK_ORDERS = ['id', 'state', 'duration', 'start_date', 'end_date', 'map_index', 'try_number'];

function listTasks(call: RouteCall, run: FakeRun): FakeAnswer {
  const { wire, query } = call;
  const order = query.get('order_by') ?? 'id';
  if (!TASK_ORDERS.includes(order.replace('-', '')))
    return wire.problem({ status: 400, title: 'Bad Request', detail: `Ordering with '${order}' is disallowed` });
  const fault = pageFault(call);
  if (fault !== undefined) return fault;
  const states = query.getAll('state');
  const isSelected = ({ state }: FakeTaskRun): boolean => states.length === 0 || states.includes(state ?? 'none');
  // Without `order_by`, the real server has no defined order. The tasks are reversed, so that no client relies on an
  // order.
  const tasks = run.tasks.filter(isSelected).toReversed();
  const page = pageOf(tasks, query, wire.pages).map((task) => wire.task(run, task));
  return { status: 200, body: { task_instances: page, total_entries: tasks.length } };
}

function readUnmapped({ wire, params }: RouteCall, run: FakeRun): FakeAnswer {
  const found = run.tasks.find(({ task: { id } }) => id === params['task']);
  if (found?.mapIndex === -1) return { status: 200, body: wire.task(run, found) };
  const detail = found === undefined ? null : 'Task instance is mapped, add the map_index value to the URL';
  return wire.problem({ status: 404, title: 'Task instance not found', detail });
}

function readMapped({ wire, params }: RouteCall, run: FakeRun): FakeAnswer {
  const index = Number(params['index']);
  const found = run.tasks.find(({ task: { id }, mapIndex }) => id === params['task'] && mapIndex === index);
  return found === undefined
    ? wire.problem({ status: 404, title: 'Task instance not found', detail: null })
    : { status: 200, body: wire.task(run, found) };
}

type TaskHandler = (call: RouteCall, task: FakeTaskRun) => FakeAnswer;

/** Passes the task of a path to the handler. A mapped task needs its index in the query; other tasks must have none. */
function withTask(call: RouteCall, run: FakeRun, handle: TaskHandler): FakeAnswer {
  const index = Number(call.query.get('map_index') ?? -1);
  const task = run.tasks.find(({ task: { id }, mapIndex }) => id === call.params['task'] && mapIndex === index);
  return task === undefined
    ? call.wire.problem({ status: 404, title: 'TaskInstance not found', detail: null })
    : handle(call, task);
}

/**
 * Log of a try. A missing log has status 200, as on the real server; on Airflow 3, a task that never started has
 * 404.
 */
function readLog({ wire, params, query, accept }: RouteCall, instance: FakeTaskRun): FakeAnswer {
  const { task, tryNumber, logs, state } = instance;
  const tryRequested = Number(params['try']);
  const token = tokenOf({ end_of_log: true, log_pos: 0 });
  const noLog = (remarks: string): FakeAnswer => wire.log({ lines: [], remarks, accept, token });
  if (tryRequested === 0) return noLog('Error fetching the logs. Try number 0 is invalid.');
  if (tryNumber === 0 && wire.api === 'v2')
    return wire.problem({ status: 404, title: 'TaskInstance not found', detail: null });
  const path = `task_id=${task.id}/attempt=${tryRequested}.log`;
  if (tryNumber === 0)
    return noLog(`*** Could not read served logs: Invalid URL 'http://:8793/log/${path}': No host supplied`);
  if (tryRequested > tryNumber)
    return noLog(`*** Could not read served logs: 404 Client Error for url: http://fake-worker:8793/log/${path}`);
  const from = wire.api === 'v1' ? placeOf(query.get('token')) : 0;
  if (from === undefined) {
    const title = 'Bad Signature. Please use only the tokens provided by the API.';
    return wire.problem({ status: 400, title, detail: null });
  }
  const log = logs[tryRequested - 1] ?? [];
  const remarks = from === 0 ? `*** Found local files:\n***   * /opt/airflow/logs/${path}` : '';
  const isEnd = state !== 'running' || tryRequested < tryNumber;
  return wire.log({
    lines: log.slice(from),
    remarks,
    accept,
    token: tokenOf({ end_of_log: isEnd, log_pos: log.length }),
  });
}

const SIGNATURE = '.fake';

function tokenOf(place: { readonly end_of_log: boolean; readonly log_pos: number }): string {
  return btoa(JSON.stringify(place)).replace(/=+$/, '') + SIGNATURE;
}

/** Number of log lines that were already read; undefined if the token is not from the fake. */
function placeOf(token: string | null): number | undefined {
  if (token === null) return 0;
  if (!token.endsWith(SIGNATURE)) return undefined;
  try {
    const place: unknown = JSON.parse(atob(token.slice(0, -SIGNATURE.length)));
    return typeof place === 'object' && place !== null ? Number(Reflect.get(place, 'log_pos')) : undefined;
  } catch {
    return undefined;
  }
}

function listXcoms({ params }: RouteCall, { task, mapIndex, state, result, endDate }: FakeTaskRun): FakeAnswer {
  const timestamp = endDate === null ? null : isoMicros(endDate);
  const entry = { key: 'return_value', dag_id: params['dag'], task_id: task.id, map_index: mapIndex, timestamp };
  const entries = state === 'success' && result !== undefined ? [entry] : [];
  return { status: 200, body: { xcom_entries: entries, total_entries: entries.length } };
}

function readXcom({ wire, params, query }: RouteCall, { task, mapIndex, state, result }: FakeTaskRun): FakeAnswer {
  if (query.get('deserialize') === 'true')
    return wire.problem({
      status: 400,
      title: 'Bad Request',
      detail: 'XCom deserialization is disabled in configuration.',
    });
  if (state !== 'success' || params['key'] !== 'return_value' || result === undefined)
    return wire.problem({ status: 404, title: 'XCom entry not found', detail: null });
  return {
    status: 200,
    body: { key: 'return_value', task_id: task.id, map_index: mapIndex, value: wire.xcom(result, query) },
  };
}
