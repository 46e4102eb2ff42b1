import { type Clock, DomainError } from '@headwater/core';
import { type Allowance, type CountedRequest, prefixOf, type RequestLimit } from '@headwater/identity';

/** Limit of the requests a minute of each API key. */
export interface KeyLimits extends RequestLimit {
  /** Counts a request with the key of this text, which was found good; throws for a text that cannot be a key's. */
  take(text: string): CountedRequest;
}

interface Minute {
  readonly endsMs: number;
  used: number;
}

const MINUTE_MS = 60_000;

/**
 * Requests a minute of each key, from the key's first one on. Each process counts by itself, in memory: a shared count would be a write for
 * every request.
 */
export function createKeyLimits(most: number, clock: Clock): KeyLimits {
  const minutes = new Map<string, Minute>();
  let tidyMs = 0;
  const isOver = (endsMs: number, nowMs: number): boolean => endsMs <= nowMs || endsMs > nowMs + MINUTE_MS;
  // Once a minute, so that no request pays for the keys of others.
  const forgetOver = (nowMs: number): void => {
    if (!isOver(tidyMs, nowMs)) return;
    for (const [prefix, { endsMs }] of minutes) if (isOver(endsMs, nowMs)) minutes.delete(prefix);
    tidyMs = nowMs + MINUTE_MS;
  };
  return {
    take(text) {
      const prefix = prefixOf(text);
      if (prefix === undefined) throw new Error('no API key: only one that was found good is counted');
      const nowMs = clock.now().getTime();
      forgetOver(nowMs);
      const known = minutes.get(prefix);
      // An end of more than a minute from now is of a clock that was set back since.
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
 * Requests of each key on a day (UTC). All processes share the count that the store has of each key's day; what another process counted in the
 * last ten seconds is not in it yet, so that several of them let a key through a little more often.
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

/** The refusal of a request beyond the limit. */
export function tooOften({ window, most, resetSeconds }: Allowance): DomainError {
  const times = most === 1 ? 'once' : `${most} times`;
  const text = `This API key may be used ${times} ${WINDOWS[window].word}; try again in ${resetSeconds} s.`;
  return new DomainError('throttled', text, { details: { retryAfterSeconds: resetSeconds } });
}

/** Allowances as clients read them (draft-ietf-httpapi-ratelimit-headers-10). */
export function allowanceHeaders(allowances: readonly Allowance[]): Readonly<Record<string, string>> {
  const policies = allowances.map(({ window, most }) => `"${window}";q=${most};w=${WINDOWS[window].seconds}`);
  const left = allowances.map((each) => `"${each.window}";r=${each.left};t=${each.resetSeconds}`);
  return { 'ratelimit-policy': policies.join(', '), ratelimit: left.join(', ') };
}
