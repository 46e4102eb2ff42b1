import type { ThrottleStore } from '../ports/accounts.ts';
import { addressKey } from './address-key.ts';
import type { EventFacts } from './security-log.ts';
import type { LoginLimits } from './types.ts';
import { usernameKey } from './username.ts';

/** User name and address of a sign-in. */
export interface LoginSource {
  readonly username: string;
  readonly remoteAddress: string | undefined;
}

/** Keys under which failed sign-ins are counted; `pair` is the name at the address. */
export interface SignInKeys {
  readonly name: string;
  readonly address: string | undefined;
  readonly pair: string;
}

/** Count of failures: kind (`by`), key, limit, and facts for the log. */
export interface Count {
  readonly by: 'name at address' | 'address' | 'name';
  readonly key: string;
  readonly limit: number;
  readonly about: EventFacts;
}

/** Number of failures in the window, and the time of the oldest. */
export type Failures = Awaited<ReturnType<ThrottleStore['failures']>>;

/** Keys under which a failure of this sign-in is counted. */
export function keysOf({ username, remoteAddress }: LoginSource): SignInKeys {
  const name = `name:${usernameKey(username)}`;
  const address = remoteAddress === undefined ? undefined : addressKey(remoteAddress);
  return { name, address, pair: `${address ?? 'addr:'} ${name}` };
}

/** Counts that a failure of this sign-in increments. */
export function countsOf(
  { username, remoteAddress: address }: LoginSource,
  keys: SignInKeys,
  limits: LoginLimits,
): readonly Count[] {
  const pair = { key: keys.pair, limit: limits.perNameAtAddress, about: { username, address } };
  const name = { by: 'name', key: keys.name, limit: limits.perName, about: { username } } as const;
  if (keys.address === undefined) return [{ by: 'name at address', ...pair }, name];
  const ofAddress = { by: 'address', key: keys.address, limit: limits.perAddress, about: { address } } as const;
  return [{ by: 'name at address', ...pair }, ofAddress, name];
}
