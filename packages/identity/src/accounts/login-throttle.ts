import { DomainError, type Clock, type Timers } from '@headwater/core';
import { createKeyedLimiter, type KeyedLimiterOptions, type KeyedLimiter } from '@headwater/core/timing';
import type { ThrottleStore } from '../ports/accounts.ts';
import type { Report } from './security-log.ts';
import { type Count, countsOf, type Failures, keysOf, type LoginSource, type SignInKeys } from './sign-in-counts.ts';
import type { LoginLimits } from './types.ts';

export type { LoginSource } from './sign-in-counts.ts';

/** Failed sign-ins that are borne when nothing else is set. */
export const LOGIN_LIMITS: LoginLimits = { windowMs: 15 * 60_000, perNameAtAddress: 10, perName: 100, perAddress: 100 };

/** Sign-ins of one address that are checked at a time: bounds what a burst can try before its failures count. */
const ADDRESS_WIDTH = 4;
/** Sign-ins of one address, or of one name, that may wait for others of it. */
const MAX_WAITING = 64;
/** Longest wait among those who try one name, ms: shorter than clients and proxies wait for an answer. */
const MAX_WAIT_MS = 30_000;
/** Time that a wrong guess takes where a name has failed too often from everywhere, ms: one a second is checked. */
const PACE_MS = 1000;
/** Guesses that an address has even then: its owner may have mistyped. */
const SPARE = 3;
/** How long an address where a name has signed in counts as known for it, ms (90 days). */
const KNOWN_MS = 90 * 86_400_000;
/** Such addresses of one name at most: people move about, and whoever has an account must not fill the store. */
const MAX_KNOWN = 50;

/** Lets a sign-in be tried, or refuses it. */
export interface LoginThrottle {
  /**
   * Runs `check` unless the name failed too often from this address, or the address with any names (`throttled`,
   * `details.retryAfterSeconds`). A name that failed too often from everywhere is checked slowly, and only from addresses that hardly
   * failed with it. What resolves to undefined counts as a failure; success forgets the failures of the name at this address, never the
   * others. Where a name has signed in before, what happens elsewhere does not hold it up. `check` is told its rank: the lower it is, the
   * sooner its turn where many want to be checked.
   */
  guard<T>(source: LoginSource, check: (rank: number) => Promise<T | undefined>): Promise<T | undefined>;
}

/** What a throttle stands on. */
export interface ThrottleParts {
  readonly store: ThrottleStore;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly limits: LoginLimits;
  /** Told of lockouts and of what is refused. */
  readonly report: Report;
}

/** Builds the throttle. One name is checked once at a time, so that parallel guesses cannot outrun the counts. */
export function createLoginThrottle(parts: ThrottleParts): LoginThrottle {
  const { store, clock, timers, limits } = parts;
  const addresses = limiterOf({ concurrency: ADDRESS_WIDTH });
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
      const alone = (): ReturnType<typeof check> => pairs.run(keys.pair, () => attempt({ source, keys }, check));
      return keys.address === undefined ? alone() : addresses.run(keys.address, alone);
    },
  };
}

function limiterOf(options: Omit<KeyedLimiterOptions, 'maxWaiting' | 'refuse'>): KeyedLimiter {
  const refuse = (): Error => throttled('Too many sign-ins at once', 1);
  return createKeyedLimiter({ ...options, maxWaiting: MAX_WAITING, refuse });
}

interface Try extends ThrottleParts {
  readonly source: LoginSource;
  readonly keys: SignInKeys;
  /** The name has signed in from this address before. */
  readonly isKnown: boolean;
}

async function tryLogin<T>(from: Try, check: () => Promise<T | undefined>): Promise<T | undefined> {
  const { store, clock, keys, report, timers } = from;
  const counts = countsOf(from.source, keys, from.limits);
  const before = await failuresBefore(from, counts);
  refuseWhereTooMany(from, counts, before);
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
  // Whoever waits for the same name waits for this as well.
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

/** The window is half open: a failure that is as old as the window has left it. */
function failuresOf(
  { store, limits }: Pick<ThrottleParts, 'store' | 'limits'>,
  key: string,
  nowMs: number,
): Promise<Failures> {
  return store.failures(key, nowMs - limits.windowMs + 1);
}

/** Throws `throttled` where too many failed. Failures of the name elsewhere keep out only those who failed with it here as well. */
function refuseWhereTooMany(from: Try, counts: readonly Count[], before: Before): void {
  const { clock, limits, source, isKnown, report } = from;
  const mayTry = isKnown || !isOver(before.get('name at address'), SPARE);
  const reached = counts.find(({ by, limit }) => isOver(before.get(by), limit) && !(by === 'name' && mayTry));
  if (reached === undefined) return;
  report('sign_in_refused', { username: source.username, address: source.remoteAddress });
  const nowMs = clock.now().getTime();
  const untilMs = (before.get(reached.by)?.oldestMs ?? nowMs) + limits.windowMs;
  throw throttled('Too many failed sign-ins', Math.max(1, Math.ceil((untilMs - nowMs) / 1000)));
}

function isOver(failures: Failures | undefined, limit: number): boolean {
  return (failures?.count ?? 0) >= limit;
}

function throttled(problem: string, retryAfterSeconds: number): DomainError {
  return new DomainError('throttled', `${problem}; try again in ${retryAfterSeconds} s.`, {
    details: { retryAfterSeconds },
  });
}
