import { DomainError } from '../errors.ts';
import type { ThrottleStore } from '../ports/accounts.ts';
import type { Clock } from '../ports/system.ts';
import { addressKey } from './address-key.ts';
import { createLanes, type Lanes } from './lanes.ts';
import { createRecentKeys } from './recent-keys.ts';
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

/** Builds the throttle. One name is checked once at a time, so that parallel guesses cannot outrun the counts. */
export function createLoginThrottle(
  store: ThrottleStore,
  clock: Clock,
  limits: LoginLimits = LOGIN_LIMITS,
): LoginThrottle {
  const addresses = lanesOf(ADDRESS_WIDTH);
  const [names, pairs] = [lanesOf(1), lanesOf(1)];
  const known = createRecentKeys(MAX_KNOWN);
  const attempt = async <T>(keys: Keys, check: () => Promise<T | undefined>): Promise<T | undefined> => {
    const isKnown = known.has(keys.pair);
    const tried = (): Promise<T | undefined> => tryLogin({ store, clock, limits, keys, isKnown }, check);
    const result = await (isKnown ? tried() : names.run(keys.name, tried));
    if (result !== undefined) known.add(keys.pair);
    return result;
  };
  return {
    guard: (source, check) => {
      const keys = keysOf(source);
      const alone = (): ReturnType<typeof check> => pairs.run(keys.pair, () => attempt(keys, check));
      return keys.address === undefined ? alone() : addresses.run(keys.address, alone);
    },
  };
}

function lanesOf(width: number): Lanes {
  return createLanes({ width, maxWaiting: MAX_WAITING, refuse: () => throttled(1) });
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

interface Try {
  readonly store: ThrottleStore;
  readonly clock: Clock;
  readonly limits: LoginLimits;
  readonly keys: Keys;
  /** The name has signed in from this address before. */
  readonly isKnown: boolean;
}

async function tryLogin<T>(from: Try, check: () => Promise<T | undefined>): Promise<T | undefined> {
  const { store, clock, limits, keys, isKnown } = from;
  const { name, address, pair } = keys;
  await refuseAbove(from, pair, limits.perNameAtAddress);
  if (address !== undefined) await refuseAbove(from, address, limits.perAddress);
  if (!isKnown) await refuseAbove(from, name, limits.perName);
  const result = await check();
  if (result !== undefined) {
    await store.clear(pair);
    return result;
  }
  const atMs = clock.now().getTime();
  for (const key of address === undefined ? [pair, name] : [pair, name, address]) await store.fail(key, atMs);
  return undefined;
}

async function refuseAbove({ store, clock, limits }: Try, key: string, limit: number): Promise<void> {
  const nowMs = clock.now().getTime();
  // The window is half open: a failure that is as old as the window has left it.
  const { count, oldestMs } = await store.failures(key, nowMs - limits.windowMs + 1);
  if (count < limit) return;
  const untilMs = (oldestMs ?? nowMs) + limits.windowMs;
  throw throttled(Math.max(1, Math.ceil((untilMs - nowMs) / 1000)));
}

function throttled(retryAfterSeconds: number): DomainError {
  return new DomainError('throttled', `Too many failed sign-ins; try again in ${retryAfterSeconds} s.`, {
    details: { retryAfterSeconds },
  });
}
