import type { Answer } from './answer.ts';

/** A refusal that another attempt may not meet. */
export class Passing {
  /** In words, for messages. */
  readonly reason: string;
  /** Pause that the server asked for, ms; undefined where it did not. */
  readonly retryAfterMs: number | undefined;

  constructor(reason: string, retryAfterMs?: number) {
    this.reason = reason;
    this.retryAfterMs = retryAfterMs;
  }
}

/** Too many requests, timeouts on the way, and every failure of the server's own. */
const isPassing = (status: number): boolean => status === 408 || status === 425 || status === 429 || status >= 500;

/** The answer as one that may pass, with what its Retry-After asks for at `nowMs`; undefined for any other answer. */
export function passing(answer: Answer, nowMs: number): Passing | undefined {
  if (!isPassing(answer.status)) return undefined;
  return new Passing(`HTTP ${answer.status}`, retryAfterMs(answer.header('retry-after'), nowMs));
}

/** Retry-After is seconds or an HTTP date (RFC 9110 10.2.3); anything else counts as not there. */
function retryAfterMs(text: string | undefined, nowMs: number): number | undefined {
  if (text === undefined) return undefined;
  if (/^\s*\d{1,9}\s*$/.test(text)) return Number(text) * 1000;
  // Its old form (asctime) names no zone, and is in GMT too.
  const at = Date.parse(text.replace(/ \d{4}\s*$/, '$& GMT'));
  return Number.isNaN(at) ? undefined : Math.max(0, at - nowMs);
}
