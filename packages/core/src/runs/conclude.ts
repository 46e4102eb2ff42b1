import type { AssetStore } from '../ports/assets.ts';
import type { Run, RunFailure, RunStore } from '../ports/runs.ts';
import type { Logger } from '../ports/system.ts';
import { toRunFailure } from './failure.ts';
import { retrying } from './retry.ts';
import type { Timers } from './timers.ts';
import { CANCELLED } from './transitions.ts';

/** How an attempt ended. */
export type Ending =
  | { readonly kind: 'published' | 'lost' | 'cancelled' | 'shutdown' }
  | { readonly kind: 'failed'; readonly error: unknown };

/** What concluding stands on. */
export interface ConcludeDeps {
  readonly runs: Pick<RunStore, 'get' | 'fail' | 'release'>;
  readonly assets: Pick<AssetStore, 'discard'>;
  readonly timers: Timers;
  readonly logger: Logger;
}

/** Writes the ending down and removes the files of an attempt that published nothing. Never rejects. */
export async function concludeAttempt(
  deps: ConcludeDeps,
  { run, ending, shutdown }: { readonly run: Run; readonly ending: Ending; readonly shutdown: AbortSignal },
): Promise<void> {
  const { id: runId, token, attempt } = run;
  const write = endingWrite(deps, run, ending);
  try {
    await retrying(write, { timers: deps.timers, signal: shutdown });
  } catch (error) {
    // The lease runs out, and the next worker finds the run.
    deps.logger.error({ runId, attempt, error: String(error) }, 'the end of an attempt could not be stored');
  }
  deps.logger.info({ runId, attempt, token, ending: ending.kind }, 'attempt ended');
  if (ending.kind !== 'published') await discardFiles(deps, run);
}

/** The write that an ending calls for; made once, so that one failure gets one error id however often it is tried. */
function endingWrite({ runs, logger }: ConcludeDeps, { id, token }: Run, ending: Ending): () => Promise<unknown> {
  const fail = (failure: RunFailure) => () => runs.fail(id, token, failure);
  switch (ending.kind) {
    case 'published':
    case 'lost':
      return () => Promise.resolve();
    case 'cancelled':
      return fail(CANCELLED);
    case 'shutdown':
      return () => runs.release(id, token);
    default:
      return fail(toRunFailure(ending.error, id, logger));
  }
}

async function discardFiles({ runs, assets, logger }: ConcludeDeps, { id, token }: Run): Promise<void> {
  try {
    // A publication may have been committed although its answer was lost; its files must stay.
    const now = await runs.get(id);
    if (now?.state === 'success' && now.token === token) return;
    await assets.discard(id, token);
  } catch (error) {
    logger.error({ runId: id, token, error: String(error) }, 'files of an attempt stay behind until the next start');
  }
}
