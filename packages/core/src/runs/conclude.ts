import { isDomainError } from '../errors.ts';
import type { AssetStore } from '../ports/assets.ts';
import type { Run, RunFailure, RunStore } from '../ports/runs.ts';
import type { Logger } from '../ports/host.ts';
import type { Timers } from '../timing/timers.ts';
import { toRunFailure } from './failure.ts';
import { retrying } from './retry.ts';
import { CANCELLED } from './transitions.ts';
import type { WorkerSettings } from './types.ts';

/**
 * Removes the files of an attempt that published nothing; returns true if the attempt published. Rejects if the run
 * cannot be read or its files cannot be removed.
 */
export async function discardUnpublished(
  runs: Pick<RunStore, 'get'>,
  { id, token }: Pick<Run, 'id' | 'token'>,
  discard: () => Promise<void>,
): Promise<boolean> {
  const now = await runs.get(id);
  if (now?.state === 'success' && now.token === token) return true;
  await discard();
  return false;
}

interface ParkDeps {
  readonly runs: Pick<RunStore, 'park' | 'appendEvent'>;
  readonly settings: Pick<WorkerSettings, 'maxAttempts' | 'retryMs'>;
}

/**
 * Parks a run. The pause is `retryMs` after the first attempt, and doubles with each further attempt. A cancelled run
 * ends at once.
 */
async function parkRun({ runs, settings }: ParkDeps, run: Run, failure: RunFailure): Promise<void> {
  const { id, token, attempt } = run;
  const pauseMs = settings.retryMs * 2 ** (attempt - 1);
  if ((await runs.park(id, token, pauseMs)) !== 'ok') return;
  const end = failure.message.endsWith('.') ? '' : '.';
  const message = `Attempt ${attempt} of ${settings.maxAttempts} ended: ${failure.message}${end} The run will be retried in ${Math.round(pauseMs / 1000)} s.`;
  await runs.appendEvent(id, { kind: 'log', data: { message } });
}

/** Outcome of an attempt. */
export type Ending =
  | { readonly kind: 'published' | 'lost' | 'cancelled' | 'shutdown' }
  | { readonly kind: 'failed'; readonly error: unknown };

/** Dependencies of `concludeAttempt`. */
export interface ConcludeDeps {
  readonly runs: Pick<RunStore, 'get' | 'fail' | 'release' | 'park' | 'appendEvent'>;
  readonly assets: Pick<AssetStore, 'discard'>;
  readonly timers: Timers;
  readonly logger: Logger;
  readonly settings: Pick<WorkerSettings, 'maxAttempts' | 'retryMs'>;
}

/** Stores the outcome of an attempt, and removes its files if it published nothing. Never rejects. */
export async function concludeAttempt(
  deps: ConcludeDeps,
  { run, ending, shutdown }: { readonly run: Run; readonly ending: Ending; readonly shutdown: AbortSignal },
): Promise<void> {
  const { id: runId, token, attempt } = run;
  const write = endingWrite(deps, run, ending);
  try {
    await retrying(write, { timers: deps.timers, signal: shutdown });
  } catch (error) {
    // The error is only logged, because a worker claims the run again at the end of the lease.
    deps.logger.error(
      { runId, attempt, error: String(error) },
      'the end of an attempt could not be stored; a worker claims the run again when its lease ends',
    );
  }
  const fields = { runId, attempt, token, ending: ending.kind };
  if (ending.kind === 'failed') deps.logger.error({ ...fields, error: String(ending.error) }, 'attempt ended');
  else deps.logger.info(fields, 'attempt ended');
  if (ending.kind !== 'published') await discardFiles(deps, run);
}

/** Returns a function that stores an outcome. The failure is built only once, so that all retries use one error id. */
function endingWrite(deps: ConcludeDeps, run: Run, ending: Ending): () => Promise<unknown> {
  const { runs, logger } = deps;
  const { id, token } = run;
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
      return failing(deps, run, { failure: toRunFailure(ending.error, id, logger), error: ending.error });
  }
}

/**
 * Returns a function that stores a failure. After `unavailable`, which may be transient, this function
 * parks the run. It does not park the run after the last attempt, or if a host name stays unknown.
 */
function failing(
  deps: ConcludeDeps,
  run: Run,
  { failure, error }: { readonly failure: RunFailure; readonly error: unknown },
): () => Promise<unknown> {
  const isUnresolved = isDomainError(error) && error.details['isUnresolved'] === true;
  const isLast = failure.code !== 'unavailable' || isUnresolved || run.attempt >= deps.settings.maxAttempts;
  return isLast ? () => deps.runs.fail(run.id, run.token, failure) : () => parkRun(deps, run, failure);
}

async function discardFiles({ runs, assets, logger }: ConcludeDeps, { id, token }: Run): Promise<void> {
  try {
    await discardUnpublished(runs, { id, token }, () => assets.discard(id, token));
  } catch (error) {
    logger.error(
      { runId: id, token, error: String(error) },
      'could not remove files of an attempt; retrying at the next check',
    );
  }
}
