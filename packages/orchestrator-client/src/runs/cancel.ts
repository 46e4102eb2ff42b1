import type { RunIds } from '../api/orchestrator-api.ts';
import type { DagRun } from '../model/orchestrator.ts';
import { isWorthWaiting, OrchestratorError } from '../errors.ts';
import { isEnded } from './follow.ts';
import { untilStored } from './until-stored.ts';
import { pollPause, type Work } from './until-stored.ts';

/** Pause before an end is looked at again, ms, or a poll interval where that is less. */
const SETTLED_AFTER_MS = 1000;

/** What a cancellation came to. */
export interface Cancellation {
  /** False where the run had ended before. */
  readonly cancelled: boolean;
  readonly run: DagRun;
}

/**
 * Ends an unfinished run as `failed`: the orchestrator has no state for cancelled runs. The state is read first, because the
 * orchestrator would overwrite a `success`; a run that ends between the two calls is overwritten. An end counts once it has lasted for
 * a moment: the scheduler may write over it what it had read before, and then the run is ended again.
 */
export async function cancelRun(work: Work, ids: RunIds, signal?: AbortSignal): Promise<Cancellation> {
  const { attempts } = work.settings;
  let isAsked = false;
  for (let attempt = 1; ; attempt++) {
    const before = await work.api.run(ids, signal);
    if (isEnded(before.state)) return { cancelled: isAsked && before.state === 'failed', run: before };
    try {
      isAsked = true;
      const run = await work.api.setRunState(ids, 'failed', signal);
      const seen = run.state === 'failed' ? await lasting(work, run, signal) : run;
      if (isEnded(seen.state)) return { cancelled: seen.state === 'failed', run: seen };
      if (attempt >= attempts) throw notCancelled(run, seen);
    } catch (error) {
      if (!isWorthWaiting(error) || attempt >= attempts) throw error;
    }
    await pollPause(work, signal);
  }
}

/**
 * A run whose end was answered, as it is a moment later; as it was answered where the orchestrator does not say. Airflow 2.10.3 ends a look of its
 * scheduler by writing `running` where the tasks that it had read by then were not done (`DagRun.update_state`).
 */
async function lasting(work: Work, ended: DagRun, signal: AbortSignal | undefined): Promise<DagRun> {
  await untilStored(work, ended, { isAsExpected: ({ state }) => isEnded(state), signal });
  await pollPause(work, signal, SETTLED_AFTER_MS);
  try {
    return await work.api.run(ended, signal);
  } catch (error) {
    if (isWorthWaiting(error)) return ended;
    throw error;
  }
}

function notCancelled(answered: DagRun, { dagId, runId, state }: DagRun): OrchestratorError<'not_cancelled'> {
  const why = isEnded(answered.state)
    ? 'the orchestrator said that it had ended, and its scheduler set it going again each time; end it in the orchestrator, and look at the log of the scheduler'
    : 'the orchestrator cannot load the DAG, see its import errors';
  const message = `run ${runId} of DAG ${dagId} is still ${state} after it was to be cancelled: ${why}`;
  return new OrchestratorError('not_cancelled', message, { details: { dagId, runId, state } });
}
