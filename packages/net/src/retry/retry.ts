/** Rules of `retry`. */
export interface RetryRules {
  /**
   * Pause after the failed attempt `attempt` (from 1), ms; undefined if the error is final. May throw another error.
   */
  readonly pauseAfter: (error: unknown, attempt: number) => number | undefined;
  /** Resolves after `ms`, or earlier if the signal aborts. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<unknown>;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Retries work. Throws the last error if `pauseAfter` returns undefined. Throws the signal's reason if the signal
 * aborts before the next attempt.
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
  /** Upper limit of the first pause, ms. */
  readonly firstPauseMs: number;
  /** Upper limit of all pauses, ms. */
  readonly longestPauseMs: number;
  /** A random number in [0, 1). */
  readonly random: () => number;
}

/**
 * Pause after an attempt, ms: a random time between half of a limit and the limit, so that clients do not retry at the
 * same time. The limit doubles with each attempt, up to `longestPauseMs`.
 */
export function backoffMs(attempt: number, { firstPauseMs, longestPauseMs, random }: Backoff): number {
  return Math.min(longestPauseMs, firstPauseMs * 2 ** (attempt - 1)) * (0.5 + random() / 2);
}

/** True for statuses that may be retried: 408, 425, 429 and 5xx, except 501 and 505 (unsupported method or version). */
export function isTransientStatus(status: number): boolean {
  return [408, 425, 429].includes(status) || (status >= 500 && status !== 501 && status !== 505);
}
