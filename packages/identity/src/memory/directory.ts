import { byText, copy } from '@headwater/core/memory';
import { groupOf } from '../accounts/groups.ts';
import type { User, PageSession } from '../ports/accounts.ts';
import type { ApiKey, ApiKeyDay } from '../ports/api-keys.ts';
import type {
  DirectoryPage,
  DirectoryQuery,
  DirectoryStore,
  KeyOrder,
  KeyQuery,
  ListedKey,
  ListedMember,
  MembersOf,
} from '../ports/directory.ts';
import type { Organization } from '../ports/people.ts';
import type { MemoryUsers } from './accounts.ts';
import type { MemoryTeams } from './teams.ts';

/** Contents of the other memory stores. */
export interface MemoryTables extends MemoryUsers, Pick<MemoryTeams, 'joined' | 'projects' | 'members'> {
  readonly organizations: ReadonlyMap<string, Organization>;
  readonly keys: () => readonly ApiKey[];
  readonly days: () => readonly ApiKeyDay[];
  readonly sessions: ReadonlyMap<string, PageSession>;
}

/** Lists of accounts in memory. */
export function memoryDirectory(tables: MemoryTables): DirectoryStore {
  const { users, facts, organizations, projects, members, sessions } = tables;
  const countOf = <T>(all: Iterable<T>, test: (each: T) => boolean): number => [...all].filter(test).length;
  return {
    keys: async (query) => {
      const shown = tables.keys().flatMap((key) => listedKey(tables, key, query) ?? []);
      const wanted = shown.filter((key) => isWanted(key, query));
      const { order = 'id' } = query;
      const texts = (key: ListedKey): readonly string[] => [key.username, key.prefix, key.name];
      return pageOf(order === 'id' ? wanted : wanted.toSorted(KEY_ORDER[order]), query, texts);
    },
    organizations: async (query) => {
      const { isListed, hasRequests = false, name } = query;
      const all = [...organizations.values()].map((each) => ({
        ...each,
        members: countOf(facts.values(), ({ organizationId }) => organizationId === each.id),
        requests: countOf(facts.values(), ({ requestedOrganizationId }) => requestedOrganizationId === each.id),
        projects: countOf(projects.values(), ({ organizationId }) => organizationId === each.id),
      }));
      const wanted = all.filter(
        (each) =>
          (isListed === undefined || each.isListed === isListed) &&
          (!hasRequests || each.requests > 0) &&
          (name === undefined || each.name.toLowerCase() === name.toLowerCase()),
      );
      const sorted = wanted.sort((a, b) => byText(a.name, b.name) || byText(a.id, b.id));
      return pageOf(sorted, query, (each) => [each.name]);
    },
    projects: async (query) => {
      const wanted = [...projects.values()].filter(
        ({ organizationId }) =>
          query.organizationId === undefined || organizationId === query.organizationId.toLowerCase(),
      );
      const shown = wanted.map((project) => ({
        ...project,
        organizationName: organizations.get(project.organizationId ?? '')?.name ?? null,
        members: countOf(members.values(), ({ projectId }) => projectId === project.id),
      }));
      const sorted = query.order === 'name' ? shown.toSorted((a, b) => byText(a.name, b.name)) : shown;
      return pageOf(sorted, query, (each) => [each.name, each.organizationName ?? '']);
    },
    members: async (of, { userId, limit = Infinity, offset = 0 }) => {
      const all = membersOf(tables, of).filter((each) => userId === undefined || each.userId === userId);
      return pageOf(all, { limit, offset }, () => []);
    },
    requests: async (query) => {
      const shown = [...users.values()].flatMap(({ id, username, firstName, lastName, createdAt }) => {
        const organization = organizations.get(facts.get(id)?.requestedOrganizationId ?? '');
        if (organization === undefined) return [];
        const wanted = { organizationId: organization.id, organizationName: organization.name };
        return { userId: id, username, firstName, lastName, createdAt, ...wanted };
      });
      return pageOf(shown, query, (each) => [each.username, each.firstName, each.lastName, each.organizationName]);
    },
    groupSizes: async () => {
      const ids = [...tables.joined.values()].flatMap((joined) => [...joined]);
      return new Map([...Map.groupBy(ids, (id) => id)].map(([id, all]) => [id, all.length]));
    },
    sessions: async (query) => {
      const shown = [...sessions.values()].flatMap((session) => {
        const user = users.get(session.userId);
        const isOpen =
          session.expiresAt > query.now && session.sessionVersion === user?.sessionVersion && user.isActive;
        return isOpen ? { ...session, username: user.username } : [];
      });
      const newest = shown.sort((a, b) => byText(b.createdAt, a.createdAt) || byText(b.hash, a.hash));
      return pageOf(newest, query, (each) => [each.username]);
    },
  };
}

function pageOf<T>(
  sorted: readonly T[],
  { search = '', limit, offset, isDescending = false }: DirectoryQuery,
  textsOf: (row: T) => readonly string[],
): DirectoryPage<T> {
  const words = search
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  const found = sorted.filter((row) => {
    const text = textsOf(row).join(' ').toLowerCase();
    return words.every((word) => text.includes(word));
  });
  const ordered = isDescending ? found.toReversed() : found;
  return copy({ rows: ordered.slice(offset, offset + limit), total: found.length });
}

const KEY_ORDER: Readonly<Record<Exclude<KeyOrder, 'id'>, (a: ListedKey, b: ListedKey) => number>> = {
  username: (a, b) => byText(a.username, b.username),
  name: (a, b) => byText(a.name, b.name),
  expiresAt: (a, b) => byText(a.expiresAt, b.expiresAt),
  lastUsedAt: (a, b) => byText(a.lastUsedAt ?? '', b.lastUsedAt ?? ''),
};

const DAY_MS = 86_400_000;

function listedKey({ users, days }: MemoryTables, key: ApiKey, { now }: KeyQuery): ListedKey | undefined {
  const user = users.get(key.userId);
  if (user === undefined) return undefined;
  const own = days().filter(({ prefix, day }) => prefix === key.prefix && day <= now.slice(0, 10));
  const usesSince = (daysAgo: number): number => {
    const since = new Date(Date.parse(now) - daysAgo * DAY_MS).toISOString().slice(0, 10);
    return own.filter(({ day }) => day >= since).reduce((sum, { uses }) => sum + uses, 0);
  };
  const owner = { username: user.username, ownerIsActive: user.isActive };
  return { ...key, ...owner, usesToday: usesSince(0), usesSinceYesterday: usesSince(1), usesInMonth: usesSince(29) };
}

function isWanted({ isActive, expiresAt, prefix }: ListedKey, query: KeyQuery): boolean {
  const state = isActive ? (expiresAt > query.now ? 'active' : 'expired') : 'ended';
  const { state: wanted = state, prefix: only = prefix } = query;
  return state === wanted && prefix === only;
}

function membersOf({ users, facts, joined, members }: MemoryTables, of: MembersOf): readonly ListedMember[] {
  const shown = (
    { id, username, firstName, lastName, isActive }: User,
    member: ListedMember['member'] = null,
  ): ListedMember => ({ userId: id, username, firstName, lastName, isActive, member });
  if ('project' in of) {
    const sorted = [...members.values()].sort((a, b) => a.userId - b.userId);
    return sorted.flatMap(({ id, projectId, userId, groupId }) => {
      const user = users.get(userId);
      return user === undefined || projectId !== of.project ? [] : shown(user, { id, group: groupOf(groupId) });
    });
  }
  const isMember = (id: number): boolean => {
    if ('group' in of) return joined.get(id)?.has(of.group) === true;
    const fact = facts.get(id);
    return 'organization' in of
      ? fact?.organizationId === of.organization.toLowerCase()
      : fact?.requestedOrganizationId === of.requests.toLowerCase();
  };
  return [...users.values()].filter(({ id }) => isMember(id)).map((user) => shown(user));
}
