import type { OrchestratorError } from '../errors.ts';

/** Answers that may be another at the next attempt. */
const PASSING_STATUS: ReadonlySet<number> = new Set([408, 429, 500, 502, 503, 504]);

/** First pause between attempts, ms; each further one is twice as long, up to the longest. */
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 15_000;
/** Longest pause that an orchestrator may ask for, ms. */
const LONGEST_ASKED_MS = 120_000;

/** True where a request that changes nothing is worth sending again. */
export const isPassingStatus = (status: number): boolean => PASSING_STATUS.has(status);

/** Pause that an error asks for, ms; undefined = none. */
export function askedBy(error: OrchestratorError): number | undefined {
  return 'retryAfterMs' in error.details ? error.details.retryAfterMs : undefined;
}

/**
 * Pause before attempt `attempt + 1`, ms: what was asked for, else half to all of an exponential pause.
 * `random` answers numbers from 0 up to 1.
 */
export function pauseBeforeRetry(attempt: number, asked: number | undefined, random: () => number): number {
  if (asked !== undefined) return asked;
  const pause = Math.min(FIRST_PAUSE_MS * 2 ** (attempt - 1), LONGEST_PAUSE_MS);
  return pause * (0.5 + random() / 2);
}

/** What `Retry-After` asks for, ms, up to the longest: in seconds, or as a date, which is compared with the answer's own `Date`: our clock may be another. */
export function askedPause(headers: Headers): number | undefined {
  const asked = retryAfter(headers);
  return asked === undefined ? undefined : Math.min(asked, LONGEST_ASKED_MS);
}

function retryAfter(headers: Headers): number | undefined {
  const value = headers.get('retry-after')?.trim();
  if (value === undefined || value === '') return undefined;
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  const [until, sent] = [Date.parse(value), Date.parse(headers.get('date') ?? '')];
  return Number.isNaN(until) || Number.isNaN(sent) ? undefined : Math.max(until - sent, 0);
}
