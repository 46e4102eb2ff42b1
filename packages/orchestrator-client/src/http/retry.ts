import { backoffMs, httpDate, retryAfterMs } from '@headwater/net/retry';
import type { OrchestratorError } from '../errors.ts';

/** Upper limit of the first pause, ms. The limit doubles after each attempt, up to `LONGEST_PAUSE_MS`. */
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 15_000;
const LONGEST_REQUESTED_MS = 120_000;

/** Pause that an error requests, ms. */
export function retryAfterOf(error: OrchestratorError): number | undefined {
  return 'retryAfterMs' in error.details ? error.details.retryAfterMs : undefined;
}

/** Pause after an attempt, ms: as requested, otherwise exponential. `random`: numbers of [0, 1). */
export function pauseBeforeRetry(attempt: number, error: OrchestratorError, random: () => number): number {
  const limits = { firstPauseMs: FIRST_PAUSE_MS, longestPauseMs: LONGEST_PAUSE_MS, random };
  return retryAfterOf(error) ?? backoffMs(attempt, limits);
}

/** Pause by `Retry-After`, ms, at most two minutes. `now` replaces a missing header `Date`. */
export function requestedPause(headers: Headers, now: number): number | undefined {
  const requested = retryAfterMs(headers.get('retry-after'), httpDate(headers.get('date')) ?? now);
  return requested === undefined ? undefined : Math.min(requested, LONGEST_REQUESTED_MS);
}
