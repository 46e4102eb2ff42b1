/** Rules of `retry`. */
export interface RetryRules {
  /**
   * Returns the pause before the next attempt, ms; undefined if the work must not be retried after this error. Attempts are counted
   * from 1. The function may throw another error.
   */
  readonly pauseAfter: (error: unknown, attempt: number) => number | undefined;
  /** Resolves after `ms`, or earlier if the signal aborts. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<unknown>;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Retries work until it succeeds. Throws an error of the work if `pauseAfter` returns undefined for this error, and the signal's reason if the
 * signal aborts during a pause.
 */
export async function retry<T>(
  work: (attempt: number) => Promise<T>,
  { pauseAfter, sleep, signal }: RetryRules,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    let pauseMs: number | undefined;
    try {
      return await work(attempt);
    } catch (error) {
      pauseMs = pauseAfter(error, attempt);
      if (pauseMs === undefined) throw error;
    }
    await sleep(pauseMs, signal);
    signal?.throwIfAborted();
  }
}

/** Limits of an exponential pause. */
export interface Backoff {
  /** Upper limit of the pause before the second attempt, ms. */
  readonly firstPauseMs: number;
  /** Upper limit of all pauses, ms. */
  readonly longestPauseMs: number;
  /** A random number in [0, 1). */
  readonly random: () => number;
}

/**
 * Pause after an attempt, ms. The upper limit doubles with each attempt. The pause is a random time between half of this limit and
 * the limit, so that clients that failed at the same time do not retry at the same time.
 */
export function backoffMs(attempt: number, { firstPauseMs, longestPauseMs, random }: Backoff): number {
  return Math.min(longestPauseMs, firstPauseMs * 2 ** (attempt - 1)) * (0.5 + random() / 2);
}

/**
 * True for a status after which a retry may succeed: 408, 425, 429, and 5xx, including non-standard codes of proxies (520). Exceptions are
 * 501 and 505: the server does not support the method or the HTTP version, so a retry would not help.
 */
export function isTransientStatus(status: number): boolean {
  return [408, 425, 429].includes(status) || (status >= 500 && status !== 501 && status !== 505);
}
