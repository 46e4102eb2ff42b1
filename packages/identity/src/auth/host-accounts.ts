import { DomainError, isDomainError } from '@headwater/core';
import { replaceControlCharacters, sha256 } from '@headwater/core/values';
import type { NewUser, User, UserStore } from '../ports/accounts.ts';

/** Rights that a host can give to its users. */
export type HostRole = 'compute' | 'superuser';

/** User of the host, from the sign-in of the host. */
export interface HostUser {
  /** Unique id that never changes, such as `sub` of a token. */
  readonly id: string | number;
  /** Name for pages only. */
  readonly name: string;
  /** `compute`: may start computations. `superuser`: has all rights. Other users may only read. */
  readonly roles: readonly HostRole[];
}

const PREFIX = 'host:';

const ROLES: readonly string[] = ['compute', 'superuser'] satisfies HostRole[];

const LONGEST_ID = 1000;

/**
 * Name of a host user's account: `host:` and the id. A long id, or one with capitals or unusual characters, is replaced
 * by its digest; account names ignore case.
 */
async function accountName(id: string): Promise<string> {
  return /^[a-z0-9][a-z0-9._@-]{0,99}$/.test(id) ? `${PREFIX}${id}` : `${PREFIX}~${await sha256(id)}`;
}

/**
 * Account of a host's user, with the rights that the host gives now; created at the first call. The stored account has
 * no rights and no password.
 */
export async function hostAccount(user: HostUser, users: Pick<UserStore, 'byUsername' | 'create'>): Promise<User> {
  const { id, name, roles } = checkedHostUser(user);
  const stored = await storedAccount(await accountName(id), { name, users });
  if (!stored.isActive) throw new DomainError('user_inactive', `User ${stored.id} is disabled.`);
  const isSuperuser = roles.includes('superuser');
  const mayCompute = isSuperuser || roles.includes('compute');
  return { ...stored, firstName: name, isSuperuser, mayCompute, mustChangePassword: false };
}

/** Name of a user for pages: the name from the host, or the account's name. */
export function displayName({ username, firstName }: Pick<User, 'username' | 'firstName'>): string {
  return username.startsWith(PREFIX) ? firstName : username;
}

interface Creation {
  readonly name: string;
  readonly users: Pick<UserStore, 'byUsername' | 'create'>;
}

async function storedAccount(username: string, { name, users }: Creation): Promise<User> {
  const known = await users.byUsername(username);
  if (known !== undefined) return known;
  const rights = { isActive: true, isSuperuser: false, mayCompute: false, mustChangePassword: false };
  const details = { email: '', firstName: name, lastName: '', contactNumber: null };
  const created: NewUser = { username, ...details, ...rights, passwordHash: 'none: signs in at the host' };
  try {
    return await users.create(created);
  } catch (error) {
    // Another request of this user has created the account meanwhile.
    const found = isDomainError(error) && error.code === 'conflict' ? await users.byUsername(username) : undefined;
    if (found === undefined) throw error;
    return found;
  }
}

const LONGEST_NAME = 150;

function checkedHostUser({ id: given, name, roles }: HostUser): { id: string; name: string; roles: readonly string[] } {
  const id = typeof given === 'string' || Number.isSafeInteger(given) ? String(given) : '';
  const where = 'identity.authenticate returned a user';
  if (id === '' || id.length > LONGEST_ID)
    throw new Error(`${where} whose id is not a text of 1 to ${LONGEST_ID} characters`);
  if (typeof name !== 'string' || name.trim() === '') throw new Error(`${where} without a name`);
  if (!Array.isArray(roles) || !roles.every((role) => ROLES.includes(role)))
    throw new Error(`${where} whose roles are not a list of ${ROLES.join(' and ')}; use [] for a user without rights`);
  return { id, name: replaceControlCharacters(name.trim(), () => ' ').slice(0, LONGEST_NAME), roles };
}
