/** Rules of `retry`. */
export interface RetryRules {
  /**
   * Returns the pause before the next attempt, ms; undefined if the error is final. Attempts are counted from 1. The function may throw
   * another error.
   */
  readonly pauseAfter: (error: unknown, attempt: number) => number | undefined;
  /** Resolves after `ms`, or earlier if the signal aborts. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<unknown>;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Retries work until it succeeds. Throws the last error of the work if this error is final, and the signal's reason if the signal aborts during a
 * pause.
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
  /** A number in [0, 1). */
  readonly random: () => number;
}

/**
 * Exponential pause after an attempt, ms. The length is random, between half and all of the exponential pause. So clients that failed
 * together do not retry together.
 */
export function backoffMs(attempt: number, { firstPauseMs, longestPauseMs, random }: Backoff): number {
  return Math.min(longestPauseMs, firstPauseMs * 2 ** (attempt - 1)) * (0.5 + random() / 2);
}

/**
 * True for a status after which a retry may succeed: 408, 425, 429, and failures of a server or a proxy, including non-standard ones (520).
 * 501 and 505 are final: the server does not support the method or the version.
 */
export function isTransientStatus(status: number): boolean {
  return [408, 425, 429].includes(status) || (status >= 500 && status !== 501 && status !== 505);
}
