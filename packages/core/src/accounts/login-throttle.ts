import { DomainError } from '../errors.ts';
import type { ThrottleStore } from '../ports/accounts.ts';
import type { Clock } from '../ports/system.ts';
import { addressKey } from './address-key.ts';
import { createLanes, type Lanes } from './lanes.ts';
import { createRecentKeys } from './recent-keys.ts';
import type { EventFacts, Report } from './security-log.ts';
import type { LoginLimits } from './types.ts';

/** Failed sign-ins that are borne when nothing else is set. */
export const LOGIN_LIMITS: LoginLimits = { windowMs: 15 * 60_000, perNameAtAddress: 10, perName: 100, perAddress: 100 };

/** Sign-ins of one address that are checked at a time: bounds what a burst can try before its failures count. */
const ADDRESS_WIDTH = 4;
/** Sign-ins of one address, or of one name, that may wait for others of it. */
const MAX_WAITING = 64;
/** Names with an address where they signed in that are remembered; about 200 bytes each. */
const MAX_KNOWN = 10_000;

/** Who tries to sign in. */
export interface LoginSource {
  readonly username: string;
  readonly remoteAddress: string | undefined;
}

/** Lets a sign-in be tried, or refuses it. */
export interface LoginThrottle {
  /**
   * Runs `check` unless the name failed too often from this address, the address with any names, or the name from everywhere
   * (`throttled`, `details.retryAfterSeconds`). What resolves to undefined counts as a failure; success forgets the failures of the
   * name at this address, never the others. Where a name has signed in before, failures elsewhere do not keep it out.
   */
  guard<T>(source: LoginSource, check: () => Promise<T | undefined>): Promise<T | undefined>;
}

/** What a throttle stands on. */
export interface ThrottleParts {
  readonly store: ThrottleStore;
  readonly clock: Clock;
  readonly limits: LoginLimits;
  /** Told of lockouts and of what is refused. */
  readonly report: Report;
}

/** Builds the throttle. One name is checked once at a time, so that parallel guesses cannot outrun the counts. */
export function createLoginThrottle(parts: ThrottleParts): LoginThrottle {
  const addresses = lanesOf(ADDRESS_WIDTH);
  const [names, pairs] = [lanesOf(1), lanesOf(1)];
  const known = createRecentKeys(MAX_KNOWN);
  const attempt = async <T>(
    { source, keys }: Pick<Try, 'source' | 'keys'>,
    check: () => Promise<T | undefined>,
  ): Promise<T | undefined> => {
    const isKnown = known.has(keys.pair);
    const tried = (): Promise<T | undefined> => tryLogin({ ...parts, source, keys, isKnown }, check);
    const result = await (isKnown ? tried() : names.run(keys.name, tried));
    if (result !== undefined) known.add(keys.pair);
    return result;
  };
  return {
    guard: (source, check) => {
      const keys = keysOf(source);
      const alone = (): ReturnType<typeof check> => pairs.run(keys.pair, () => attempt({ source, keys }, check));
      return keys.address === undefined ? alone() : addresses.run(keys.address, alone);
    },
  };
}

function lanesOf(width: number): Lanes {
  return createLanes({ width, maxWaiting: MAX_WAITING, refuse: () => throttled('Too many sign-ins at once', 1) });
}

/** What failures are counted by. */
interface Keys {
  readonly name: string;
  readonly address: string | undefined;
  /** The name at the address. */
  readonly pair: string;
}

function keysOf({ username, remoteAddress }: LoginSource): Keys {
  const name = `name:${username.toLowerCase()}`;
  const address = remoteAddress === undefined ? undefined : addressKey(remoteAddress);
  return { name, address, pair: `${address ?? 'addr:'} ${name}` };
}

interface Try extends ThrottleParts {
  readonly source: LoginSource;
  readonly keys: Keys;
  /** The name has signed in from this address before. */
  readonly isKnown: boolean;
}

/** One count of failures: what it is kept under, how many it bears, whom it is about. */
interface Count {
  readonly by: string;
  readonly key: string;
  readonly limit: number;
  readonly about: EventFacts;
}

function countsOf({ limits, keys, source }: Try): readonly Count[] {
  const { username, remoteAddress: address } = source;
  const name = { by: 'name', key: keys.name, limit: limits.perName, about: { username } };
  const pair = { by: 'name at address', key: keys.pair, limit: limits.perNameAtAddress, about: { username, address } };
  if (keys.address === undefined) return [pair, name];
  return [pair, { by: 'address', key: keys.address, limit: limits.perAddress, about: { address } }, name];
}

async function tryLogin<T>(from: Try, check: () => Promise<T | undefined>): Promise<T | undefined> {
  const { store, clock, keys, report } = from;
  const counts = countsOf(from);
  const before = new Map<string, number>();
  for (const count of counts) before.set(count.key, await refuseAbove(from, count));
  const result = await check();
  if (result !== undefined) {
    await store.clear(keys.pair);
    return result;
  }
  const atMs = clock.now().getTime();
  for (const { by, key, limit, about } of counts) {
    await store.fail(key, atMs);
    if (before.get(key) === limit - 1) report('lockout', { ...about, by, limit });
  }
  return undefined;
}

/** Failures within the window; throws `throttled` where they are too many. Those from elsewhere keep nobody out who is known here. */
async function refuseAbove(from: Try, { key, limit }: Count): Promise<number> {
  const { store, clock, limits, source, keys, isKnown, report } = from;
  const nowMs = clock.now().getTime();
  // The window is half open: a failure that is as old as the window has left it.
  const { count, oldestMs } = await store.failures(key, nowMs - limits.windowMs + 1);
  if (count < limit || (isKnown && key === keys.name)) return count;
  report('sign_in_refused', { username: source.username, address: source.remoteAddress });
  const untilMs = (oldestMs ?? nowMs) + limits.windowMs;
  throw throttled('Too many failed sign-ins', Math.max(1, Math.ceil((untilMs - nowMs) / 1000)));
}

function throttled(problem: string, retryAfterSeconds: number): DomainError {
  return new DomainError('throttled', `${problem}; try again in ${retryAfterSeconds} s.`, {
    details: { retryAfterSeconds },
  });
}
