import { DomainError, type Clock, type Timers } from '@headwater/core';
import { createKeyedLimiter, type KeyedLimiterOptions, type KeyedLimiter } from '@headwater/core/timing';
import type { ThrottleStore } from '../ports/accounts.ts';
import type { Report } from './security-log.ts';
import { type Count, countsOf, type Failures, keysOf, type LoginSource, type SignInKeys } from './sign-in-counts.ts';
import type { LoginLimits } from './types.ts';

export type { LoginSource } from './sign-in-counts.ts';

/** Default limits of failed sign-ins. */
export const LOGIN_LIMITS: LoginLimits = { windowMs: 15 * 60_000, perNameAtAddress: 10, perName: 100, perAddress: 100 };

/** Maximum number of concurrent checks per address. Small, because failures are counted only when a check ends. */
const ADDRESS_CONCURRENCY = 4;
const MAX_WAITING = 64;
/** Longest wait in the queue of a name, ms. Shorter than the timeouts of clients and proxies. */
const MAX_WAIT_MS = 30_000;
/** Pause after a failed check from an unknown address, if the name has reached its limit, ms. */
const PACE_MS = 1000;
/**
 * If a name has reached its limit, an unknown address is refused after it has failed this often with the name. Not 0,
 * because the owner may mistype the password.
 */
const SPARE_FAILURES = 3;
/** Time for which an address counts as known for a name, ms (90 days). */
const KNOWN_MS = 90 * 86_400_000;
/** Maximum number of known addresses of one name, so that one account cannot fill the store. */
const MAX_KNOWN = 50;

/** Limits failed sign-ins (decisions 040 and 052). */
export interface LoginThrottle {
  /**
   * Runs `check`; undefined counts as a failure. Throws `throttled` with `details.retryAfterSeconds` at a limit, or if
   * too many sign-ins wait. `rank`: 0 for a known address, otherwise 1 + the failures of this address; the lowest rank
   * runs first.
   */
  guard<T>(source: LoginSource, check: (rank: number) => Promise<T | undefined>): Promise<T | undefined>;
}

/** Dependencies of a throttle. */
export interface ThrottleParts {
  readonly store: ThrottleStore;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly limits: LoginLimits;
  /** Called for each lockout, and for each sign-in that is refused because of earlier failures. */
  readonly report: Report;
}

/**
 * Creates the throttle. Attempts with one name are checked one at a time. But attempts from known addresses do not wait
 * for other addresses.
 */
export function createLoginThrottle(parts: ThrottleParts): LoginThrottle {
  const { store, clock, timers, limits } = parts;
  const addresses = limiterOf({ concurrency: ADDRESS_CONCURRENCY });
  const pairs = limiterOf({ concurrency: 1 });
  const names = limiterOf({ concurrency: 1, random: Math.random, maxWait: { ms: MAX_WAIT_MS, timers } });
  const attempt = async <T>(
    { source, keys }: Pick<Try, 'source' | 'keys'>,
    check: (rank: number) => Promise<T | undefined>,
  ): Promise<T | undefined> => {
    const nowMs = clock.now().getTime();
    const isKnown = await store.knows(keys.pair, nowMs - KNOWN_MS);
    const rank = isKnown ? 0 : 1 + (await failuresOf({ store, limits }, keys.address ?? keys.pair, nowMs)).count;
    const tried = (): Promise<T | undefined> => tryLogin({ ...parts, source, keys, isKnown }, () => check(rank));
    return isKnown ? tried() : names.run(keys.name, tried, rank);
  };
  return {
    guard: (source, check) => {
      const keys = keysOf(source);
      const oneByOne = (): ReturnType<typeof check> => pairs.run(keys.pair, () => attempt({ source, keys }, check));
      return keys.address === undefined ? oneByOne() : addresses.run(keys.address, oneByOne);
    },
  };
}

function limiterOf(options: Omit<KeyedLimiterOptions, 'maxWaiting' | 'refuse'>): KeyedLimiter {
  const refuse = (): Error =>
    throttled('Too many simultaneous sign-ins', { retryAfterSeconds: 1, isSimultaneous: true });
  return createKeyedLimiter({ ...options, maxWaiting: MAX_WAITING, refuse });
}

interface Try extends ThrottleParts {
  readonly source: LoginSource;
  readonly keys: SignInKeys;
  /** True if the name has signed in from this address within `KNOWN_MS`. */
  readonly isKnown: boolean;
}

async function tryLogin<T>(from: Try, check: () => Promise<T | undefined>): Promise<T | undefined> {
  const { store, clock, keys, report, timers } = from;
  const counts = countsOf(from.source, keys, from.limits);
  const before = await failuresBefore(from, counts);
  refuseIfTooMany(from, counts, before);
  const result = await check();
  const atMs = clock.now().getTime();
  if (result !== undefined) {
    await store.clear(keys.pair);
    await store.know({ name: keys.name, pair: keys.pair, atMs, sinceMs: atMs - KNOWN_MS, most: MAX_KNOWN });
    return result;
  }
  for (const { by, key, limit, about } of counts) {
    await store.fail(key, atMs);
    if (before.get(by)?.count === limit - 1) report('lockout', { ...about, by, limit });
  }
  // The pause also delays waiting attempts with this name.
  if (!from.isKnown && isOver(before.get('name'), from.limits.perName)) await timers.sleep(PACE_MS);
  return undefined;
}

type Before = ReadonlyMap<Count['by'], Failures>;

async function failuresBefore(from: Try, counts: readonly Count[]): Promise<Before> {
  const nowMs = from.clock.now().getTime();
  const before = new Map<Count['by'], Failures>();
  for (const { by, key } of counts) before.set(by, await failuresOf(from, key, nowMs));
  return before;
}

function failuresOf(
  { store, limits }: Pick<ThrottleParts, 'store' | 'limits'>,
  key: string,
  nowMs: number,
): Promise<Failures> {
  return store.failures(key, nowMs - limits.windowMs + 1);
}

function refuseIfTooMany(from: Try, counts: readonly Count[], before: Before): void {
  const { clock, limits, source, isKnown, report } = from;
  const mayTry = isKnown || !isOver(before.get('name at address'), SPARE_FAILURES);
  const reached = counts.find(({ by, limit }) => isOver(before.get(by), limit) && !(by === 'name' && mayTry));
  if (reached === undefined) return;
  report('sign_in_refused', { username: source.username, address: source.remoteAddress });
  const nowMs = clock.now().getTime();
  const untilMs = (before.get(reached.by)?.oldestMs ?? nowMs) + limits.windowMs;
  const retryAfterSeconds = Math.max(1, Math.ceil((untilMs - nowMs) / 1000));
  throw throttled('Too many failed sign-ins', { retryAfterSeconds });
}

function isOver(failures: Failures | undefined, limit: number): boolean {
  return (failures?.count ?? 0) >= limit;
}

interface ThrottleDetails {
  readonly retryAfterSeconds: number;
  /** True if too many sign-ins waited, or this one waited too long, also if none of them failed. */
  readonly isSimultaneous?: true;
}

function throttled(problem: string, details: ThrottleDetails): DomainError {
  const text = `${problem}; try again in ${details.retryAfterSeconds} s.`;
  return new DomainError('throttled', text, { details: { ...details } });
}
