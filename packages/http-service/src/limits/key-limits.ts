import { type Clock, DomainError } from '@headwater/core';
import type { Allowance, ApiKeyPrincipal, CountedRequest, RequestLimit } from '@headwater/identity';

/** Rate limit per minute of all API keys of an account together, so that more keys give no more requests. */
export interface KeyLimits extends RequestLimit<ApiKeyPrincipal> {
  take(text: string, principal: { readonly user: { readonly id: number } }): CountedRequest;
}

interface Minute {
  readonly endsMs: number;
  used: number;
}

const MINUTE_MS = 60_000;

/**
 * Creates the limit of requests per minute of each account's keys; the minute begins with its first request. Each process has its own count, in
 * memory: a shared count would need a write per request.
 */
export function createKeyLimits(most: number, clock: Clock): KeyLimits {
  const minutes = new Map<number, Minute>();
  let tidyMs = 0;
  const isOver = (endsMs: number, nowMs: number): boolean => endsMs <= nowMs || endsMs > nowMs + MINUTE_MS;
  // Once a minute, so that single requests do not pay for it.
  const removeExpired = (nowMs: number): void => {
    if (!isOver(tidyMs, nowMs)) return;
    for (const [id, { endsMs }] of minutes) if (isOver(endsMs, nowMs)) minutes.delete(id);
    tidyMs = nowMs + MINUTE_MS;
  };
  return {
    take(_text, { user: { id } }) {
      const nowMs = clock.now().getTime();
      removeExpired(nowMs);
      const known = minutes.get(id);
      // An end more than a minute away is left from before the clock was set back.
      const minute =
        known === undefined || isOver(known.endsMs, nowMs) ? { endsMs: nowMs + MINUTE_MS, used: 0 } : known;
      minutes.set(id, minute);
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
 * Creates the limit of requests per day (UTC) of each account's keys. All processes share the count in the store. It lacks the requests of the last
 * ten seconds of other processes, so that an account may exceed the limit slightly.
 */
export function createKeyQuota(
  most: number,
  clock: Clock,
  usesToday: (userId: number) => Promise<number>,
): RequestLimit<ApiKeyPrincipal> {
  return {
    take: async (_text, { user }) => {
      const resetSeconds = Math.ceil((DAY_MS - (clock.now().getTime() % DAY_MS)) / 1000);
      const used = await usesToday(user.id);
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
  const text = `The API keys of this account together may be used ${times} ${WINDOWS[window].word}; try again in ${resetSeconds} s.`;
  return new DomainError('throttled', text, { details: { retryAfterSeconds: resetSeconds } });
}

/** Rate limit headers (draft-ietf-httpapi-ratelimit-headers-10). */
export function allowanceHeaders(allowances: readonly Allowance[]): Readonly<Record<string, string>> {
  const policies = allowances.map(({ window, most }) => `"${window}";q=${most};w=${WINDOWS[window].seconds}`);
  const left = allowances.map((each) => `"${each.window}";r=${each.left};t=${each.resetSeconds}`);
  return { 'ratelimit-policy': policies.join(', '), ratelimit: left.join(', ') };
}
