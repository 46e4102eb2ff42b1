import { isOrchestratorError, OrchestratorError } from '../errors.ts';

/** Creates the error of a wait or request that its caller aborted. */
export function aborted(cause: unknown): OrchestratorError<'aborted'> {
  return new OrchestratorError('aborted', 'the caller aborted the wait; the run at the orchestrator continues', {
    details: {},
    cause,
  });
}

/** Waits for a pause; throws `aborted` if the signal ends the pause. */
export async function pauseUnlessAborted(pause: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
  try {
    await pause;
  } catch (error) {
    if (signal?.aborted && !isOrchestratorError(error)) throw aborted(signal.reason);
    throw error;
  }
}

/** Awaits work that several callers share. If this caller's signal aborts, the other callers continue to wait. */
export async function unlessAborted<T>(shared: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return shared;
  let stop = (): void => undefined;
  const aborting = new Promise<never>((_settle, reject) => {
    stop = () => reject(aborted(signal.reason));
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([shared, aborting]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
