import type { FakeAnswer } from './wire.ts';
import { listRuns, RUN_LIST_QUERY } from './list-runs.ts';
import type { FakeDagState, FakeRun } from './model.ts';
import type { Route, RouteCall } from './route.ts';
import { requestedDate, isObject, triggerFault, unknownMember } from './trigger-body.ts';
import type { Wire } from './wire.ts';

const RUN_ID = /^[A-Za-z0-9_.~:+-]+$/;
const RESERVED = /^(scheduled|backfill|dataset_triggered|asset_triggered)__/;

export const RUN_ROUTES: readonly Route[] = [
  {
    method: 'GET',
    pattern: 'dags/:dag/dagRuns',
    query: RUN_LIST_QUERY,
    handle: listRuns,
  },
  { method: 'POST', pattern: 'dags/:dag/dagRuns', query: [], bodyFault: triggerFault, handle: trigger },
  {
    method: 'GET',
    pattern: 'dags/:dag/dagRuns/:run',
    query: ['fields>=2.9'],
    handle: withRun(({ wire }, run) => ({ status: 200, body: wire.run(run) })),
  },
  { method: 'PATCH', pattern: 'dags/:dag/dagRuns/:run', query: [], bodyFault: patchFault, handle: patch },
];

/**
 * Passes the run of a path to the handler. Responds 404 for an unknown run. In API v2, also responds 404 for the first
 * read of a run after its trigger, because Airflow 3 responds to the trigger before it stores the run.
 */
export function withRun(handle: (call: RouteCall, run: FakeRun) => FakeAnswer): (call: RouteCall) => FakeAnswer {
  return (call) => {
    const { dag = '', run: runId = '' } = call.params;
    const run = call.world.run(dag, runId);
    if (run !== undefined && run.readsUntilStored === 0) return handle(call, run);
    if (run !== undefined) run.readsUntilStored -= 1;
    const detail = `DAGRun with DAG ID: '${dag}' and DagRun ID: '${runId}' not found`;
    return call.wire.problem({ status: 404, title: 'DAGRun not found', detail });
  };
}

export function trigger({ world, wire, params, body }: RouteCall): FakeAnswer {
  const { dag: dagId = '' } = params;
  const trigger = isObject(body) ? body : {};
  const fault = unknownMember(trigger, wire);
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
  const conf = isObject(trigger['conf']) ? trigger['conf'] : {};
  const runId = typeof trigger['dag_run_id'] === 'string' ? trigger['dag_run_id'] : undefined;
  const refusal = runId === undefined ? undefined : refusedId(runId, wire);
  if (refusal !== undefined) return refusal;
  const logicalDate = requestedDate(trigger);
  const taken = takenBy(state, runId, logicalDate);
  if (taken !== undefined) {
    const detail = `DAGRun with DAG ID: '${dagId}' and ${taken} already exists`;
    return wire.problem({ status: 409, title: 'Conflict', detail });
  }
  const run = world.addRun(dagId, {
    conf,
    ...(runId === undefined ? {} : { runId }),
    ...(logicalDate === undefined ? {} : { logicalDate }),
  });
  if (wire.api === 'v2') run.readsUntilStored = 1;
  return { status: 200, body: wire.run(run) };
}

function refusedId(runId: string, wire: Wire): FakeAnswer | undefined {
  const kind = RESERVED.exec(runId)?.[1];
  if (kind !== undefined) {
    const detail = `A manual DAG run cannot use ID '${runId}' since it is reserved for ${kind} runs`;
    return wire.problem({ status: 400, title: 'Bad Request', detail });
  }
  return RUN_ID.test(runId) ? undefined : htmlError();
}

/** Conflict with a run of equal id or date, in the orchestrator's words. */
function takenBy(
  { runs }: FakeDagState,
  runId: string | undefined,
  logicalDate: number | undefined,
): string | undefined {
  if (runId !== undefined && runs.has(runId)) return `DAGRun ID: '${runId}'`;
  const other =
    logicalDate === undefined ? undefined : [...runs.values()].find((run) => run.logicalDate === logicalDate);
  if (other === undefined) return undefined;
  const date = new Date(other.logicalDate)
    .toISOString()
    .replace('T', ' ')
    .replace(/(\.000)?Z$/, '+00:00');
  return `DAGRun logical date: '${date}'`;
}

/** Airflow 2's response to an uncaught exception. */
export function htmlError(): FakeAnswer {
  return {
    status: 500,
    type: 'text/html; charset=utf-8',
    body: '<!DOCTYPE html>\n<html lang="en"><body><h1> Ooops! </h1></body></html>',
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
  // If the DAG cannot be loaded, the response also has status 200, but the run does not change.
  const isLoadable = world.dagOf(dag).dag.importError === undefined;
  if (isLoadable && (state === 'failed' || state === 'success')) world.end(run, state);
  else if (isLoadable && state === 'queued') world.queueAgain(run);
  return { status: 200, body: wire.run(run) };
}
