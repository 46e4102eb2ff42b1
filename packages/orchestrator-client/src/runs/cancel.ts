import type { RunIds } from '../api/orchestrator-api.ts';
import type { DagRun } from '../model/orchestrator.ts';
import { isPassing, OrchestratorError } from '../errors.ts';
import { isEnded } from './follow.ts';
import { untilStored } from './until-stored.ts';
import { pollPause, type Work } from './work.ts';

/** What a cancellation came to. */
export interface Cancellation {
  /** False where the run had ended before. */
  readonly cancelled: boolean;
  readonly run: DagRun;
}

/**
 * Ends an unfinished run as `failed`: the orchestrator has no state for cancelled runs. The state is read first, because the
 * orchestrator would overwrite a `success`; a run that ends between the two calls is overwritten.
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
      const isAsExpected = (seen: DagRun): boolean => isEnded(seen.state);
      if (run.state === 'failed' && (await untilStored(work, ids, { isAsExpected, signal })))
        return { cancelled: true, run };
      // A DAG that cannot be loaded: answered 200, nothing changed.
      if (attempt >= attempts) throw notCancelled(run);
    } catch (error) {
      if (!isPassing(error) || attempt >= attempts) throw error;
    }
    await pollPause(work, signal);
  }
}

function notCancelled({ dagId, runId, state }: DagRun): OrchestratorError<'not_cancelled'> {
  const message = `run ${runId} of DAG ${dagId} is still ${state} after it was to be cancelled: the orchestrator cannot load the DAG, see its import errors`;
  return new OrchestratorError('not_cancelled', message, { details: { dagId, runId, state } });
}
