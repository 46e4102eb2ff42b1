import type { OrchestratorError } from '../errors.ts';

/** First pause between attempts, ms; each further one is twice as long, up to the longest. */
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 15_000;
/** Longest pause that an orchestrator may ask for, ms. */
const LONGEST_ASKED_MS = 120_000;

/** True where a request that changes nothing is worth sending again; proxies have 5xx of their own, such as 520. */
export const isPassingStatus = (status: number): boolean => status === 408 || status === 429 || status >= 500;

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

/**
 * What `Retry-After` asks for, ms, up to the longest: in seconds, or as a date, which is compared with the answer's own `Date`, since our
 * clock may be another; with `now`, our time, where a proxy has left that off.
 */
export function askedPause(headers: Headers, now: number): number | undefined {
  const asked = retryAfter(headers, now);
  return asked === undefined ? undefined : Math.min(asked, LONGEST_ASKED_MS);
}

function retryAfter(headers: Headers, now: number): number | undefined {
  const value = headers.get('retry-after')?.trim();
  if (value === undefined || value === '') return undefined;
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  const [until, sent] = [httpDate(value), httpDate(headers.get('date') ?? '')];
  return Number.isNaN(until) ? undefined : Math.max(until - (Number.isNaN(sent) ? now : sent), 0);
}

/** Milliseconds since 1970; NaN for what is no date. The old form of an HTTP date (asctime) names no zone and is in GMT as the others. */
function httpDate(text: string): number {
  return Date.parse(text.replace(/ \d{4}\s*$/, '$& GMT'));
}
