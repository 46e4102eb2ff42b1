import { backoffMs, httpDate, retryAfterMs } from '@headwater/net/retry';
import type { OrchestratorError } from '../errors.ts';

/** First pause between attempts, ms; each further one is twice as long, up to the longest. */
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 15_000;
/** Longest pause that an orchestrator may ask for, ms. */
const LONGEST_ASKED_MS = 120_000;

/** Pause that an error asks for, ms; undefined = none. */
export function askedBy(error: OrchestratorError): number | undefined {
  return 'retryAfterMs' in error.details ? error.details.retryAfterMs : undefined;
}

/** Pause after an attempt, ms: as the error asks, else exponential. `random` returns numbers of [0, 1). */
export function pauseBeforeRetry(attempt: number, error: OrchestratorError, random: () => number): number {
  const limits = { firstPauseMs: FIRST_PAUSE_MS, longestPauseMs: LONGEST_PAUSE_MS, random };
  return askedBy(error) ?? backoffMs(attempt, limits);
}

/** Pause that `Retry-After` asks for, ms, up to the longest; `now`, our time, counts if a proxy has left the answer's `Date` off. */
export function askedPause(headers: Headers, now: number): number | undefined {
  const asked = retryAfterMs(headers.get('retry-after'), httpDate(headers.get('date')) ?? now);
  return asked === undefined ? undefined : Math.min(asked, LONGEST_ASKED_MS);
}
