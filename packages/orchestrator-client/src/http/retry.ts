import { backoffMs, httpDate, retryAfterMs } from '@headwater/net/retry';
import type { OrchestratorError } from '../errors.ts';

/** First pause between attempts, ms; each later pause is twice as long, up to the maximum. */
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 15_000;
/** Longest pause that an orchestrator may request, ms. */
const LONGEST_REQUESTED_MS = 120_000;

/** Pause that an error requests, ms; undefined = none. */
export function retryAfterOf(error: OrchestratorError): number | undefined {
  return 'retryAfterMs' in error.details ? error.details.retryAfterMs : undefined;
}

/** Pause after an attempt, ms: as the error requests, otherwise exponential. `random` returns numbers of [0, 1). */
export function pauseBeforeRetry(attempt: number, error: OrchestratorError, random: () => number): number {
  const limits = { firstPauseMs: FIRST_PAUSE_MS, longestPauseMs: LONGEST_PAUSE_MS, random };
  return retryAfterOf(error) ?? backoffMs(attempt, limits);
}

/**
 * Pause that `Retry-After` requests, ms, at most two minutes. If the response has no `Date`, because a proxy removed it, `now` is used
 * instead.
 */
export function requestedPause(headers: Headers, now: number): number | undefined {
  const requested = retryAfterMs(headers.get('retry-after'), httpDate(headers.get('date')) ?? now);
  return requested === undefined ? undefined : Math.min(requested, LONGEST_REQUESTED_MS);
}
