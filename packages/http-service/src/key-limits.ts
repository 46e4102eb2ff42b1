import { type Clock, DomainError, prefixOf } from '@headwater/core';

/** What an API key may still do in its present minute. */
export interface KeyAllowance {
  /** Requests a minute. */
  readonly most: number;
  readonly left: number;
  /** Whole seconds until the next minute begins, 1 to 60. */
  readonly resetSeconds: number;
}

/** Counts the requests of each API key. */
export interface KeyLimits {
  /** Counts a request with this key, which was found good. */
  take(text: string): KeyAllowance & { readonly isRefused: boolean };
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
  // In the order in which they end: all last equally long.
  const minutes = new Map<string, Minute>();
  const forgetOver = (nowMs: number): void => {
    for (const [prefix, { endsMs }] of minutes) {
      if (endsMs > nowMs) return;
      minutes.delete(prefix);
    }
  };
  return {
    take(text) {
      const nowMs = clock.now().getTime();
      forgetOver(nowMs);
      const prefix = prefixOf(text) ?? text;
      const minute = minutes.get(prefix) ?? { endsMs: nowMs + MINUTE_MS, used: 0 };
      minutes.set(prefix, minute);
      minute.used += 1;
      const resetSeconds = Math.ceil((minute.endsMs - nowMs) / 1000);
      return { most, left: Math.max(0, most - minute.used), resetSeconds, isRefused: minute.used > most };
    },
  };
}

/** The refusal of a request beyond the limit. */
export function tooOften({ most, resetSeconds }: KeyAllowance): DomainError {
  const text = `This API key may be used ${most === 1 ? 'once' : `${most} times`} a minute; try again in ${resetSeconds} s.`;
  return new DomainError('throttled', text, { details: { retryAfterSeconds: resetSeconds } });
}

/** An allowance as clients read it (draft-ietf-httpapi-ratelimit-headers-10). */
export function allowanceHeaders({ most, left, resetSeconds }: KeyAllowance): Readonly<Record<string, string>> {
  return {
    'ratelimit-policy': `"key";q=${most};w=${MINUTE_MS / 1000}`,
    ratelimit: `"key";r=${left};t=${resetSeconds}`,
  };
}
