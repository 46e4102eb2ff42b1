import { type Clock, DomainError } from '@headwater/core';
import type { Allowance, ApiKeyPrincipal, CountedRequest, RequestLimit } from '@headwater/identity';

/** Rate limit per minute for all API keys of an account together. */
export interface KeyLimits extends RequestLimit<ApiKeyPrincipal> {
  take(text: string, principal: { readonly user: { readonly id: number } }): CountedRequest;
}

interface Minute {
  readonly endsMs: number;
  used: number;
}

const MINUTE_MS = 60_000;

/**
 * Creates the limit of requests per minute for each account's keys. Each process counts in its own memory (decision
 * 091).
 */
export function createKeyLimits(most: number, clock: Clock): KeyLimits {
  const minutes = new Map<number, Minute>();
  let tidyMs = 0;
  const isOver = (endsMs: number, nowMs: number): boolean => endsMs <= nowMs || endsMs > nowMs + MINUTE_MS;
  // Searches the map at most once a minute, because otherwise it would slow down each request.
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
      // If the end is more than a minute away, the clock was set back, and the minute counts as over.
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
 * Creates the limit of requests per day (UTC) for each account's keys. An account may slightly exceed it, because other
 * processes report their counts every ten seconds.
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

/** Error for a request above the limit. */
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
