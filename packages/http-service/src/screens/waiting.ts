import { isDomainError } from '@headwater/core';
import type { Say, TextName } from '../pages/texts.ts';

/** A refusal after which the user can try again: its status, `Retry-After`, and the sentence of the page. */
export interface Waiting {
  readonly status: 429 | 503;
  readonly headers: Readonly<Record<string, string>>;
  readonly sentence: string;
}

const MINUTE = 60;

/** Reads a refusal by a limit; undefined for any other error. `throttled`: sentence of too many attempts, with `{wait}`. */
export function waitingOf(error: unknown, say: Say, throttled: TextName): Waiting | undefined {
  if (!isDomainError(error) || (error.code !== 'throttled' && error.code !== 'unavailable')) return undefined;
  const { retryAfterSeconds } = error.details;
  if (typeof retryAfterSeconds !== 'number') return undefined;
  const seconds = Math.max(1, Math.ceil(retryAfterSeconds));
  const wait =
    seconds > MINUTE
      ? say('minutes', { count: String(Math.ceil(seconds / MINUTE)) })
      : say('seconds', { count: String(seconds) });
  const isThrottled = error.code === 'throttled';
  return {
    status: isThrottled ? 429 : 503,
    headers: { 'retry-after': String(seconds) },
    sentence: say(isThrottled ? throttled : 'busy', { wait }),
  };
}
