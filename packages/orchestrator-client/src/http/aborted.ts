import { isOrchestratorError, OrchestratorError } from '../errors.ts';

/** The failure of a wait or a request that its caller has given up. */
export function aborted(cause: unknown): OrchestratorError<'aborted'> {
  return new OrchestratorError('aborted', 'the caller gave up waiting; the run at the orchestrator goes on', {
    details: {},
    cause,
  });
}

/** A pause; where the signal ends it, the failure is `aborted`. */
export async function pauseUnlessAborted(pause: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
  try {
    await pause;
  } catch (error) {
    if (signal?.aborted && !isOrchestratorError(error)) throw aborted(signal.reason);
    throw error;
  }
}

/** What is under way for several callers; one that gives up waits no longer, the others do. */
export async function unlessAborted<T>(shared: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return shared;
  let stop = (): void => undefined;
  const given = new Promise<never>((_settle, reject) => {
    stop = () => reject(aborted(signal.reason));
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([shared, given]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
