/** The least that must come. */
export interface Pace {
  /** Length of a look, ms. */
  readonly lookMs: number;
  /** Bytes that must come in it. */
  readonly leastBytes: number;
}

/**
 * Runs `work` as long as it reports at least so many bytes in each look; else its signal aborts, with an error that says so: a server
 * that sends a byte a minute would hold a download for ever.
 */
export async function atPace<T>(
  { lookMs, leastBytes }: Pace,
  signal: AbortSignal,
  work: (signal: AbortSignal, came: (bytes: number) => void) => Promise<T>,
): Promise<T> {
  const slow = new AbortController();
  let bytes = 0;
  const look = setInterval(() => {
    if (bytes < leastBytes) slow.abort(new Error(`${bytes} bytes came in ${lookMs / 1000} s`));
    bytes = 0;
  }, lookMs);
  try {
    return await work(AbortSignal.any([signal, slow.signal]), (more) => void (bytes += more));
  } catch (error) {
    // What the platform throws for an aborted request does not say why.
    slow.signal.throwIfAborted();
    throw error;
  } finally {
    clearInterval(look);
  }
}
