import type { FakeRun, FakeTaskRun } from './model.ts';
import type { FakeAnswer } from './answer.ts';
import { pageOf, type Route, type RouteCall } from './route.ts';
import { withRun } from './routes-runs.ts';

const TASK = 'dags/:dag/dagRuns/:run/taskInstances/:task';

export const TASK_ROUTES: readonly Route[] = [
  {
    method: 'GET',
    pattern: 'dags/:dag/dagRuns/:run/taskInstances',
    query: ['limit', 'offset', 'state', 'pool', 'queue', 'executor', 'order_by'],
    handle: withRun(listTasks),
  },
  {
    method: 'GET',
    pattern: `${TASK}/logs/:try`,
    query: ['full_content', 'map_index', 'token'],
    handle: withRun((call, run) => withTask(call, run, readLog)),
  },
  {
    method: 'GET',
    pattern: `${TASK}/xcomEntries/:key`,
    query: ['map_index', 'deserialize', 'stringify'],
    handle: withRun((call, run) => withTask(call, run, readXcom)),
  },
];

/** Airflow 2 has no `order_by` here; 3.0.6 knows these. */
const TASK_ORDERS = ['id', 'state', 'duration', 'start_date', 'end_date', 'map_index', 'try_number'];

function listTasks({ wire, query }: RouteCall, run: FakeRun): FakeAnswer {
  const order = query.get('order_by') ?? 'id';
  if (!TASK_ORDERS.includes(order.replace('-', '')))
    return wire.problem({ status: 400, title: 'Bad Request', detail: `Ordering with '${order}' is disallowed` });
  // No order is promised: the last comes first here, so that nobody relies on one.
  const tasks = run.tasks.toReversed();
  const page = pageOf(tasks, query, wire.pages).map((task) => wire.task(run, task));
  return { status: 200, body: { task_instances: page, total_entries: tasks.length } };
}

type TaskHandler = (call: RouteCall, task: FakeTaskRun) => FakeAnswer;

/** A mapped task without its index is not found, as is an unmapped one with an index. */
function withTask(call: RouteCall, run: FakeRun, handle: TaskHandler): FakeAnswer {
  const index = Number(call.query.get('map_index') ?? -1);
  const task = run.tasks.find(({ task: { id }, mapIndex }) => id === call.params['task'] && mapIndex === index);
  return task === undefined
    ? call.wire.problem({ status: 404, title: 'TaskInstance not found', detail: null })
    : handle(call, task);
}

/** A log that is missing is an answer of status 200, as the real ones are. */
function readLog({ wire, params, accept }: RouteCall, { task, tryNumber, log }: FakeTaskRun): FakeAnswer {
  const asked = Number(params['try']);
  if (asked === 0) return wire.log([], 'Error fetching the logs. Try number 0 is invalid.', accept);
  if (tryNumber === 0 && wire.api === 'v2')
    return wire.problem({ status: 404, title: 'TaskInstance not found', detail: null });
  const path = `task_id=${task.id}/attempt=${asked}.log`;
  if (tryNumber === 0)
    return wire.log(
      [],
      `*** Could not read served logs: Invalid URL 'http://:8793/log/${path}': No host supplied`,
      accept,
    );
  if (asked > tryNumber)
    return wire.log(
      [],
      `*** Could not read served logs: 404 Client Error for url: http://fake-worker:8793/log/${path}`,
      accept,
    );
  return wire.log(log, `*** Found local files:\n***   * /opt/airflow/logs/${path}`, accept);
}

function readXcom({ wire, params, query }: RouteCall, { task, mapIndex, state, result }: FakeTaskRun): FakeAnswer {
  if (state !== 'success' || params['key'] !== 'return_value' || result === undefined)
    return wire.problem({ status: 404, title: 'XCom entry not found', detail: null });
  return {
    status: 200,
    body: { key: 'return_value', task_id: task.id, map_index: mapIndex, value: wire.xcom(result, query) },
  };
}
