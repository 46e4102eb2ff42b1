import { isOrchestratorError, OrchestratorError } from '../errors.ts';

/** Error of an aborted wait or request. */
export function aborted(cause: unknown): OrchestratorError<'aborted'> {
  const message = 'the caller aborted the request or wait; a run that was started at the orchestrator continues';
  return new OrchestratorError('aborted', message, { details: {}, cause });
}

/** Waits for a pause; throws `aborted` if the signal aborts. */
export async function pauseUnlessAborted(pause: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
  try {
    await pause;
  } catch (error) {
    if (signal?.aborted && !isOrchestratorError(error)) throw aborted(signal.reason);
    throw error;
  }
}

/** Awaits shared work. If one caller aborts, the others still wait. */
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
