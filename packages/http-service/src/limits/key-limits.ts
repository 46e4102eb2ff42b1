import { type Clock, DomainError } from '@headwater/core';
import { type Allowance, type CountedRequest, prefixOf, type RequestLimit } from '@headwater/identity';

/** Rate limit per minute and API key. */
export interface KeyLimits extends RequestLimit {
  /** Counts a request with the key of this text, which must be authenticated already; throws if the text cannot be a key. */
  take(text: string): CountedRequest;
}

interface Minute {
  readonly endsMs: number;
  used: number;
}

const MINUTE_MS = 60_000;

/**
 * Creates the limit of requests per minute of each key; the minute begins with the key's first request. Each process has its own count, in
 * memory: a shared count would need a write per request.
 */
export function createKeyLimits(most: number, clock: Clock): KeyLimits {
  const minutes = new Map<string, Minute>();
  let tidyMs = 0;
  const isOver = (endsMs: number, nowMs: number): boolean => endsMs <= nowMs || endsMs > nowMs + MINUTE_MS;
  // Once a minute, so that single requests do not pay for it.
  const removeExpired = (nowMs: number): void => {
    if (!isOver(tidyMs, nowMs)) return;
    for (const [prefix, { endsMs }] of minutes) if (isOver(endsMs, nowMs)) minutes.delete(prefix);
    tidyMs = nowMs + MINUTE_MS;
  };
  return {
    take(text) {
      const prefix = prefixOf(text);
      if (prefix === undefined) throw new Error('not an API key: only authenticated keys are counted');
      const nowMs = clock.now().getTime();
      removeExpired(nowMs);
      const known = minutes.get(prefix);
      // An end more than a minute away is left from before the clock was set back.
      const minute =
        known === undefined || isOver(known.endsMs, nowMs) ? { endsMs: nowMs + MINUTE_MS, used: 0 } : known;
      minutes.set(prefix, minute);
      minute.used += 1;
      const resetSeconds = Math.ceil((minute.endsMs - nowMs) / 1000);
      return {
        window: 'key',
        most,
        left: Math.max(0, most - minute.used),
        resetSeconds,
        isRefused: minute.used > most,
      };
    },
  };
}

const DAY_MS = 86_400_000;

/**
 * Creates the limit of requests per day (UTC) of each key. All processes share the count in the store. It lacks the requests of the last
 * ten seconds of other processes, so that a key may exceed the limit slightly.
 */
export function createKeyQuota(most: number, clock: Clock, usesToday: (text: string) => Promise<number>): RequestLimit {
  return {
    take: async (text) => {
      const resetSeconds = Math.ceil((DAY_MS - (clock.now().getTime() % DAY_MS)) / 1000);
      const used = await usesToday(text);
      return { window: 'day', most, left: Math.max(0, most - used), resetSeconds, isRefused: used > most };
    },
  };
}

const WINDOWS = {
  key: { seconds: MINUTE_MS / 1000, word: 'a minute' },
  day: { seconds: DAY_MS / 1000, word: 'a day (UTC)' },
};

/** The error for a request above the limit. */
export function rateLimitExceeded({ window, most, resetSeconds }: Allowance): DomainError {
  const times = most === 1 ? 'once' : `${most} times`;
  const text = `This API key may be used ${times} ${WINDOWS[window].word}; try again in ${resetSeconds} s.`;
  return new DomainError('throttled', text, { details: { retryAfterSeconds: resetSeconds } });
}

/** Rate limit headers (draft-ietf-httpapi-ratelimit-headers-10). */
export function allowanceHeaders(allowances: readonly Allowance[]): Readonly<Record<string, string>> {
  const policies = allowances.map(({ window, most }) => `"${window}";q=${most};w=${WINDOWS[window].seconds}`);
  const left = allowances.map((each) => `"${each.window}";r=${each.left};t=${each.resetSeconds}`);
  return { 'ratelimit-policy': policies.join(', '), ratelimit: left.join(', ') };
}
