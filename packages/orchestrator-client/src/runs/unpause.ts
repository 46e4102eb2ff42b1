import { isNotOffered, isOrchestratorError, OrchestratorError } from '../errors.ts';
import type { Work } from './until-stored.ts';

interface UnpauseRequest {
  readonly dagId: string;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Unpauses a paused DAG before a trigger (`auto`), or throws (`error`). With `auto`, a DAG whose state the orchestrator does not show is
 * unpaused before every trigger. If the orchestrator then refuses to unpause the DAG, the error is returned and not thrown: perhaps
 * the DAG is not paused, and the trigger succeeds.
 */
export async function unpauseIfNeeded(
  { api, settings }: Work,
  { dagId, signal }: UnpauseRequest,
): Promise<OrchestratorError | undefined> {
  if (settings.unpause === 'never') return undefined;
  const isPaused = await isPausedDag({ api, settings }, { dagId, signal });
  if (isPaused === false) return undefined;
  if (settings.unpause === 'auto') return await unpause({ api, settings }, { dagId, signal }, isPaused === undefined);
  if (isPaused === undefined) return undefined;
  throw new OrchestratorError(
    'paused',
    `DAG ${dagId} is paused and its runs would stay queued: unpause it in the orchestrator, or set unpause: 'auto'`,
    { details: { dagId } },
  );
}

/** Returns true if a DAG is paused; undefined if the orchestrator does not show its state. */
async function isPausedDag({ api }: Work, { dagId, signal }: UnpauseRequest): Promise<boolean | undefined> {
  const isKnown = api.hasAnswered('dag') || (await api.knownVersion(signal)) !== undefined;
  try {
    return (await api.dag(dagId, { signal, ...(isKnown ? {} : { attempts: 1 }) })).isPaused;
  } catch (error) {
    if (await api.mayLack('dag', error)) return undefined;
    throw error;
  }
}

/**
 * Unpauses a DAG. If the state of the DAG is unknown (`isStateUnknown`), a refusal is returned. All other errors are
 * thrown, also a page (not JSON) with a status below 400.
 */
async function unpause(
  { api }: Work,
  { dagId, signal }: UnpauseRequest,
  isStateUnknown: boolean,
): Promise<OrchestratorError | undefined> {
  try {
    await api.unpause(dagId, signal);
    return undefined;
  } catch (error) {
    const isPage = isOrchestratorError(error, 'not_json') && (error.details.status ?? 0) < FIRST_ERROR;
    if (isStateUnknown && isRefusal(error) && !isPage) return error;
    throw error;
  }
}

const FIRST_ERROR = 400;

/**
 * True for a refused request. Status 500 also counts as a refusal. A missing response or a busy server does not count as a
 * refusal.
 */
const isRefusal = (error: unknown): error is OrchestratorError =>
  isNotOffered(error) || (isOrchestratorError(error, 'server_error') && error.details.status === 500);
