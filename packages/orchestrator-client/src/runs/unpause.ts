import { isNotOffered, isOrchestratorError, OrchestratorError } from '../errors.ts';
import type { Work } from './until-stored.ts';

interface UnpauseRequest {
  readonly dagId: string;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Unpauses a paused DAG before a trigger (`auto`), or throws (`error`). With `auto`, a DAG of unknown state is also
 * unpaused. A refusal is then returned, not thrown, because the trigger may still succeed.
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

/** True if paused; undefined if the orchestrator does not show the state. */
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
 * Returns a refusal if the state is unknown (`isStateUnknown`). Throws other errors, and `not_json` with a status below
 * 400.
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

/** True for a refusal. This includes status 500, but not a missing response or a busy server. */
const isRefusal = (error: unknown): error is OrchestratorError =>
  isNotOffered(error) || (isOrchestratorError(error, 'server_error') && error.details.status === 500);
