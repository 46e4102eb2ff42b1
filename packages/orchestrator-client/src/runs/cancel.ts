import type { RunIds } from '../api/orchestrator-api.ts';
import type { DagRun } from '../model/orchestrator.ts';
import {
  type AnyOrchestratorError,
  isNotOffered,
  isOrchestratorError,
  isWorthRetrying,
  OrchestratorError,
} from '../errors.ts';
import { isEnded } from './follow.ts';
import { pollPause, untilStored, type Work } from './until-stored.ts';

/** Pause before a cancelled run is read again, ms. It is shorter if the poll interval is shorter. */
const SETTLED_AFTER_MS = 1000;

/** Outcome of a cancellation. */
export interface Cancellation {
  /** False if the run had already ended, or ended as `success` in spite of the request. */
  readonly cancelled: boolean;
  readonly run: DagRun;
}

/**
 * Ends an unfinished run as `failed`, because there is no state for cancelled runs. The state is read first, because
 * the request would overwrite `success`. The state is read again later, because the scheduler may overwrite `failed`.
 */
export async function cancelRun(work: Work, ids: RunIds, signal?: AbortSignal): Promise<Cancellation> {
  const { attempts } = work.settings;
  let wasRequested = false;
  for (let attempt = 1; ; attempt++) {
    const before = await work.api.run(ids, { signal });
    if (isEnded(before.state)) return { cancelled: wasRequested && before.state === 'failed', run: before };
    try {
      wasRequested = true;
      const run = await work.api.setRunState(ids, 'failed', signal);
      const seen = run.state === 'failed' ? await settled(work, run, signal) : run;
      if (isEnded(seen.state)) return { cancelled: seen.state === 'failed', run: seen };
      if (attempt >= attempts) throw notCancelled(run, seen);
    } catch (error) {
      if (isRefused(error, attempt >= attempts)) throw notOffered(before, error);
      if (!isWorthRetrying(error) || attempt >= attempts) throw error;
    }
    await pollPause(work, signal);
  }
}

/**
 * True if the orchestrator refuses to end an existing run. At the last attempt, HTML or a broken connection also
 * counts.
 */
function isRefused(error: unknown, isLast: boolean): error is AnyOrchestratorError {
  if (isOrchestratorError(error, 'not_cancelled')) return false;
  if (isLast && isOrchestratorError(error, 'unreachable')) return true;
  return isNotOffered(error) && (isLast || !isWorthRetrying(error));
}

function notOffered({ dagId, runId, state }: DagRun, cause: AnyOrchestratorError): OrchestratorError<'not_cancelled'> {
  const message = `run ${runId} of DAG ${dagId} is still ${state}: the orchestrator did not end it; end it in the orchestrator itself. ${cause.message}`;
  return new OrchestratorError('not_cancelled', message, { details: { dagId, runId, state }, cause });
}

/**
 * Reads the run again after a pause, because the scheduler of Airflow 2.10.3 may overwrite the end with `running`
 * (`DagRun.update_state`). Returns `ended` if the read fails with an error that is worth a retry, because the end was
 * confirmed.
 */
async function settled(work: Work, ended: DagRun, signal: AbortSignal | undefined): Promise<DagRun> {
  await untilStored(work, ended, { isAsExpected: ({ state }) => isEnded(state), signal });
  await pollPause(work, signal, SETTLED_AFTER_MS);
  try {
    return await work.api.run(ended, { signal });
  } catch (error) {
    if (isWorthRetrying(error)) return ended;
    throw error;
  }
}

function notCancelled(answered: DagRun, { dagId, runId, state }: DagRun): OrchestratorError<'not_cancelled'> {
  const why = isEnded(answered.state)
    ? 'the orchestrator confirmed the end, but its scheduler restarted the run each time; end it in the orchestrator itself, and check the log of the scheduler'
    : 'the orchestrator cannot load the DAG; check its import errors';
  const message = `run ${runId} of DAG ${dagId} is still ${state} after its cancellation: ${why}`;
  return new OrchestratorError('not_cancelled', message, { details: { dagId, runId, state } });
}
