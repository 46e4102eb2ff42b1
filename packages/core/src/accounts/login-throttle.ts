import { DomainError } from '../errors.ts';
import type { ThrottleStore } from '../ports/accounts.ts';
import type { Clock } from '../ports/system.ts';
import { createLanes } from './lanes.ts';
import type { LoginLimits } from './types.ts';

/** Failed sign-ins that are borne when nothing else is set. */
export const LOGIN_LIMITS: LoginLimits = { windowMs: 15 * 60_000, perName: 10, perAddress: 100 };

/** Sign-ins of one address that are checked at a time: bounds what a burst can try before its failures count. */
const ADDRESS_WIDTH = 8;

/** Who tries to sign in. */
export interface LoginSource {
  readonly username: string;
  readonly remoteAddress: string | undefined;
}

/** Lets a sign-in be tried, or refuses it. */
export interface LoginThrottle {
  /**
   * Runs `check` unless name or address failed too often (`throttled`, `details.retryAfterSeconds`). What resolves to
   * undefined counts as a failure; success forgets the failures of the name, never those of the address.
   */
  guard<T>(source: LoginSource, check: () => Promise<T | undefined>): Promise<T | undefined>;
}

/** Builds the throttle. One name is checked once at a time, so that parallel guesses cannot outrun the count. */
export function createLoginThrottle(
  store: ThrottleStore,
  clock: Clock,
  limits: LoginLimits = LOGIN_LIMITS,
): LoginThrottle {
  const addresses = createLanes(ADDRESS_WIDTH);
  const names = createLanes(1);
  return {
    guard: ({ username, remoteAddress }, check) => {
      const name = nameKey(username);
      const address = remoteAddress === undefined ? undefined : addressKey(remoteAddress);
      const attempt = () => names.run(name, () => tryLogin({ store, clock, limits, name, address }, check));
      return address === undefined ? attempt() : addresses.run(address, attempt);
    },
  };
}

interface Try {
  readonly store: ThrottleStore;
  readonly clock: Clock;
  readonly limits: LoginLimits;
  readonly name: string;
  readonly address: string | undefined;
}

async function tryLogin<T>(from: Try, check: () => Promise<T | undefined>): Promise<T | undefined> {
  const { store, clock, limits, name, address } = from;
  await refuseAbove(from, name, limits.perName);
  if (address !== undefined) await refuseAbove(from, address, limits.perAddress);
  const result = await check();
  if (result !== undefined) {
    await store.clear(name);
    return result;
  }
  const atMs = clock.now().getTime();
  await store.fail(name, atMs);
  if (address !== undefined) await store.fail(address, atMs);
  return undefined;
}

async function refuseAbove({ store, clock, limits }: Try, key: string, limit: number): Promise<void> {
  const nowMs = clock.now().getTime();
  // The window is half open: a failure that is as old as the window has left it.
  const { count, oldestMs } = await store.failures(key, nowMs - limits.windowMs + 1);
  if (count < limit) return;
  const untilMs = (oldestMs ?? nowMs) + limits.windowMs;
  const retryAfterSeconds = Math.max(1, Math.ceil((untilMs - nowMs) / 1000));
  throw new DomainError('throttled', `Too many failed sign-ins; try again in ${retryAfterSeconds} s.`, {
    details: { retryAfterSeconds },
  });
}

function nameKey(username: string): string {
  return `name:${username.toLowerCase()}`;
}

/** IPv4 addresses as they are, also when written as IPv6; IPv6 by their /64, which one customer has to himself. */
export function addressKey(address: string): string {
  const plain = address.toLowerCase().replace(/^::ffff:(?=\d+\.)/, '');
  if (!plain.includes(':')) return `addr:${plain}`;
  const [head = '', tail = ''] = plain.replace(/%.*$/, '').split('::');
  const left = head.split(':').filter((group) => group !== '');
  const right = tail.split(':').filter((group) => group !== '');
  const zeros = plain.includes('::') ? Math.max(0, 8 - left.length - right.length) : 0;
  const groups = [...left, ...Array.from({ length: zeros }, () => '0'), ...right];
  return `addr:${groups.slice(0, 4).map(trimZeros).join(':')}::/64`;
}

function trimZeros(group: string): string {
  return group.replace(/^0+(?=.)/, '');
}
