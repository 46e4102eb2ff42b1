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
  /** Counts a request with the key of this text, which was found good; throws for a text that cannot be a key's. */
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
