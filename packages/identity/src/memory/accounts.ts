import { nameTaken, unknownOrganization } from '../accounts/registration.ts';
import { usernameKey } from '../accounts/username.ts';
import { tokenError } from '../auth/tokens.ts';
import type { Caller, User, UserPage, UserStore, UserWish } from '../ports/accounts.ts';
import type { Clock } from '@headwater/core';
import type { Organization } from '../ports/people.ts';
import type { UserProfile } from '../ports/accounts.ts';
import { byText, copy } from '@headwater/core/memory';
import type { MemorySessions } from './sign-in.ts';

/** Details of a user that few requests need. */
export interface UserFacts {
  readonly profile: UserProfile;
  readonly organizationId: Organization['id'] | null;
  readonly requestedOrganizationId: Organization['id'] | null;
}

/** Users in memory, and their details by id. */
export interface MemoryUsers {
  readonly users: Map<number, User>;
  readonly facts: Map<number, UserFacts>;
  /** Highest id that is assigned, or reserved for moved users (`WantedId`). */
  lastId: number;
}

/** Profile without details. */
export const NO_PROFILE: UserProfile = { age: null, educationQualification: null, gender: null, accountType: null };

/** Functions of other stores for the user store. */
export interface MemoryAccess extends Pick<MemorySessions, 'isOpen'> {
  readonly endKeys: (userId: number) => void;
  readonly isOrganization: (id: string) => boolean;
}

/** User store in memory. */
export function memoryUsers(clock: Clock, access: MemoryAccess, stored: MemoryUsers): UserStore {
  const { users, facts } = stored;
  const find = (test: (user: User) => boolean): User | undefined => copy([...users.values()].find(test));
  const byName = (name: string): User | undefined =>
    find(({ username }) => usernameKey(username) === usernameKey(name));
  const change = (id: number, part: Partial<User>): void => {
    const user = users.get(id);
    if (user !== undefined) users.set(id, { ...user, ...part });
  };
  const versionOf = (id: number): number => users.get(id)?.sessionVersion ?? 0;
  return {
    create: async ({ profile, organizationId = null, requestedOrganizationId = null, ...account }) => {
      if (byName(account.username) !== undefined) throw nameTaken();
      for (const id of [organizationId, requestedOrganizationId])
        if (id !== null && !access.isOrganization(id)) throw unknownOrganization();
      const user: User = {
        ...copy(account),
        id: (stored.lastId += 1),
        sessionVersion: 0,
        createdAt: clock.now().toISOString(),
      };
      users.set(user.id, user);
      facts.set(user.id, { profile: { ...NO_PROFILE, ...copy(profile) }, organizationId, requestedOrganizationId });
      return copy(user);
    },
    byId: async (id) => copy(users.get(id)),
    byUsername: async (name) => byName(name),
    ofSession: async (id, familyId) => {
      const user = copy(users.get(id));
      return user === undefined ? undefined : { user, isOpen: access.isOpen(familyId) };
    },
    setPassword: async (id, passwordHash, { mustChange: mustChangePassword = false, endsKeys = false, by } = {}) => {
      refuseEnded(users, by);
      change(id, { passwordHash, mustChangePassword, sessionVersion: versionOf(id) + 1 });
      if (endsKeys) access.endKeys(id);
    },
    replacePassword: async (id, passwordHash, { sessionVersion, email, endsKeys = true }) => {
      const user = users.get(id);
      if (user?.isActive !== true || user.sessionVersion !== sessionVersion) return false;
      if (email !== undefined && user.email !== email) return false;
      change(id, { passwordHash, mustChangePassword: false, sessionVersion: sessionVersion + 1 });
      if (endsKeys) access.endKeys(id);
      return true;
    },
    rehash: async (id, from, to) => {
      if (users.get(id)?.passwordHash === from) change(id, { passwordHash: to });
    },
    setActive: async (id, isActive) => {
      const ends = users.get(id)?.isActive === true && !isActive;
      change(id, { isActive, sessionVersion: versionOf(id) + (ends ? 1 : 0) });
    },
    endSessions: async (id, by) => {
      refuseEnded(users, by);
      change(id, { sessionVersion: versionOf(id) + 1 });
    },
    list: async (wish) => copy(listed([...users.values()], wish)),
    count: async () => users.size,
    usernames: async (ids) => {
      const found = [...users.values()].filter(({ id }) => ids.includes(id));
      return new Map(found.map(({ id, username }) => [id, username]));
    },
    idsNamed: async (text, most) => {
      const found = [...users.values()].filter(({ username }) => username.toLowerCase().includes(text.toLowerCase()));
      return found.map(({ id }) => id).slice(0, most);
    },
    firstSuperuser: async () => find(({ isSuperuser }) => isSuperuser),
  };
}

function listed(
  users: readonly User[],
  { search = '', sort = 'username', isDescending = false, limit, offset, ...wanted }: UserWish,
): UserPage {
  const text = search.toLowerCase();
  const found = users.filter(({ username, email, firstName, lastName, isActive, isSuperuser, mayCompute }) => {
    const isFound = [username, email, firstName, lastName, `${firstName} ${lastName}`].some((each) =>
      each.toLowerCase().includes(text),
    );
    const flags = { isActive, isSuperuser, mayCompute: mayCompute || isSuperuser };
    const names = ['isActive', 'isSuperuser', 'mayCompute'] as const;
    return isFound && names.every((name) => wanted[name] === undefined || wanted[name] === flags[name]);
  });
  // `createdAt` sorts by id, as in PostgreSQL: ids rise with the time of creation, except for some moved users.
  const keyOf = (user: User): string => (sort === 'createdAt' ? '' : asciiLower(user[sort]));
  const sorted = found.toSorted((a, b) => byText(keyOf(a), keyOf(b)) || a.id - b.id);
  const page = (isDescending ? sorted.toReversed() : sorted).slice(offset, offset + limit);
  const shown = page.map((user) => {
    const { passwordHash: _, ...others } = user;
    return others;
  });
  return { users: shown, total: found.length };
}

function asciiLower(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/** Throws if the sessions of the writing user have ended. */
export function refuseEnded(users: ReadonlyMap<number, User>, by: Caller | undefined): void {
  if (by !== undefined && users.get(by.id)?.sessionVersion !== by.sessionVersion) throw tokenError('access', 'invalid');
}
