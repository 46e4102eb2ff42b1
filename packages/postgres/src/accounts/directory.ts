import {
  type DirectoryPage,
  type DirectoryQuery,
  type DirectoryStore,
  groupOf,
  type KeyOrder,
  type KeyQuery,
  type KeyState,
  type ListedKey,
  type ListedMember,
  type ListedOrganization,
  type ListedProject,
  type ListedRequest,
  type ListedSession,
  type MembersOf,
} from '@headwater/identity';
import { isStorable } from '@headwater/core/values';
import type { Database, Values } from '../database.ts';
import { isInt4, iso, textKey } from '../guards.ts';
import { isOrganizationId } from './people.ts';

/**
 * Statement of a list. It uses `left join` where possible, because PostgreSQL can omit such a join when it counts rows
 * without a search.
 */
interface List {
  /** Selects the matching rows. `$1`: patterns of the search; for members: id of the group, project or organisation. */
  readonly matching: string;
  readonly values: Values;
  /** Columns of a matching row `m`. */
  readonly columns: string;
  /** Sort expressions of `m`; the last is unique. */
  readonly order: readonly string[];
}

const NONE = { rows: [], total: 0 };

/** Lists of accounts in PostgreSQL. */
export function directoryStore(database: Database): DirectoryStore {
  const read = async <T>(list: List, { limit, offset, isDescending = false }: DirectoryQuery) => {
    const order = list.order.map((column) => `${column} ${isDescending ? 'desc' : 'asc'}`).join(', ');
    const { values, matching } = list;
    const [limitAt, offsetAt] = [values.length + 1, values.length + 2];
    const page = `select ${list.columns} from (select * from (${matching}) as m order by ${order}
      limit $${limitAt}::int offset $${offsetAt}::int) as m order by ${order}`;
    const [rows, count] = await Promise.all([
      database.rows<T>(page, [...values, limit, offset]),
      database.first<{ total: number }>(`select count(*)::int as total from (${matching}) as m`, values),
    ]);
    return { rows, total: count?.total ?? 0 };
  };
  const found = async <T>(list: List, query: DirectoryQuery): Promise<DirectoryPage<T>> =>
    isStorable(query.search ?? '') ? await read<T>(list, query) : NONE;
  return {
    keys: async (query) => (isStorable(query.prefix ?? '') ? await found<ListedKey>(keyList(query), query) : NONE),
    organizations: async (query) => {
      const { search, isListed = null, hasRequests = false, name } = query;
      const key = name === undefined ? null : textKey(name.toLowerCase());
      const values = [patternsOf(search), isListed, hasRequests, key];
      return await found<ListedOrganization>({ ...ORGANIZATIONS, values }, query);
    },
    projects: async (query) => {
      const { search, organizationId = null, order = 'id' } = query;
      if (organizationId !== null && !isOrganizationId(organizationId)) return NONE;
      const by = order === 'name' ? ['m.name collate "C"', 'm.id'] : ['m.id'];
      const values = [patternsOf(search), organizationId];
      return await found<ListedProject>({ ...PROJECTS, order: by, values }, query);
    },
    members: async (of, { userId, limit, offset = 0 }) => {
      const list = memberList(of);
      if (list === undefined || (userId !== undefined && !isInt4(userId))) return NONE;
      const values = [list.value, userId ?? null];
      const matching = `select * from (${list.matching}) as l where $2::int is null or l."userId" = $2::int`;
      const columns = `m."userId", m.username, m."firstName", m."lastName", m."isActive", m."memberId", m."groupId"`;
      const query = { limit: limit ?? ALL, offset };
      const { rows, total } = await read<MemberRow>({ matching, values, columns, order: ['m."userId"'] }, query);
      return { rows: rows.map(memberOf), total };
    },
    requests: async (query) => await found<ListedRequest>({ ...REQUESTS, values: [patternsOf(query.search)] }, query),
    groupSizes: async () => {
      const SIZES = 'select group_id as id, count(*)::int as size from headwater.user_groups group by group_id';
      const rows = await database.rows<{ id: number; size: number }>(SIZES);
      return new Map(rows.map(({ id, size }) => [id, size]));
    },
    sessions: async (query) =>
      await found<ListedSession>({ ...SESSIONS, values: [patternsOf(query.search), query.now] }, newestFirst(query)),
  };
}

const ALL = 2_147_483_647;

/** Patterns of a search, all of which a row must match. Null if the search has no words. */
function patternsOf(search = ''): readonly string[] | null {
  const words = search
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  return words.length === 0 ? null : words.map((word) => `%${word.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`);
}

function contains(...columns: readonly string[]): string {
  return `($1::text[] is null or lower(concat_ws(' ', ${columns.join(', ')})) like all ($1::text[]))`;
}

const newestFirst = (query: DirectoryQuery): DirectoryQuery => ({
  ...query,
  isDescending: query.isDescending !== true,
});

/** Sort expressions for keys. In ascending order of last use, unused keys come first. */
const KEY_ORDER: Readonly<Record<KeyOrder, readonly string[]>> = {
  id: ['m.id'],
  username: ['m.username collate "C"', 'm.id'],
  name: ['m.name collate "C"', 'm.id'],
  expiresAt: ['m.expires_at', 'm.id'],
  lastUsedAt: [`coalesce(m.last_used_at, '-infinity')`, 'm.id'],
};

const KEY_STATE: Readonly<Record<KeyState, string>> = {
  active: 'k.deactivated_at is null and k.expires_at > $2::timestamptz',
  expired: 'k.deactivated_at is null and k.expires_at <= $2::timestamptz',
  ended: 'k.deactivated_at is not null and $2::timestamptz is not null',
};

const TODAY = `($2::timestamptz at time zone 'UTC')::date`;

const usesSince = (
  since: string,
  name: string,
): string => `coalesce((select sum(d.uses) from headwater.api_key_days as d
  where d.prefix = m.prefix and d.day between ${since} and ${TODAY}), 0)::float8 as "${name}"`;

const KEY_COLUMNS = `m.prefix, m.user_id as "userId", m.name, m.deactivated_at is null as "isActive", ${iso('m.created_at')} as "createdAt",
  ${iso('m.expires_at')} as "expiresAt", ${iso('m.last_used_at')} as "lastUsedAt", m.username, m."ownerIsActive",
  ${usesSince(TODAY, 'usesToday')}, ${usesSince(`${TODAY} - 1`, 'usesSinceYesterday')}, ${usesSince(`${TODAY} - 29`, 'usesInMonth')}`;

function keyList({ search, now, state, prefix, order = 'id' }: KeyQuery): List {
  const matching = `select k.*, u.username, u.is_active as "ownerIsActive"
    from headwater.api_keys as k left join headwater.users as u on u.id = k.user_id
    where ${contains('u.username', 'k.prefix', 'k.name')} and ($3::text is null or k.prefix = $3::text)
    and ${state === undefined ? '$2::timestamptz is not null' : KEY_STATE[state]}`;
  return { matching, values: [patternsOf(search), now, prefix ?? null], columns: KEY_COLUMNS, order: KEY_ORDER[order] };
}

const ORGANIZATIONS: Omit<List, 'values'> = {
  matching: `select o.id, o.name, o.is_listed from headwater.organizations as o
    where ${contains('o.name')} and ($2::boolean is null or o.is_listed = $2::boolean) and ($4::text is null or o.name_key = $4::text)
    and (not $3::boolean or exists (select from headwater.users as u where u.requested_organization_id = o.id))`,
  columns: `m.id, m.name, m.is_listed as "isListed",
    (select count(*)::int from headwater.users as u where u.organization_id = m.id) as members,
    (select count(*)::int from headwater.users as u where u.requested_organization_id = m.id) as requests,
    (select count(*)::int from headwater.projects as p where p.organization_id = m.id) as projects`,
  order: ['m.name collate "C"', 'm.id'],
};

const PROJECTS: Omit<List, 'values' | 'order'> = {
  matching: `select p.id, p.name, p.organization_id as "organizationId", o.name as "organizationName"
    from headwater.projects as p left join headwater.organizations as o on o.id = p.organization_id
    where ${contains('p.name', 'o.name')} and ($2::uuid is null or p.organization_id = $2::uuid)`,
  columns: `m.*, (select count(*)::int from headwater.project_members as pm where pm.project_id = m.id) as members`,
};

const REQUESTS: Omit<List, 'values'> = {
  matching: `select u.id as "userId", u.username, u.first_name as "firstName", u.last_name as "lastName", u.created_at,
    u.requested_organization_id as "organizationId", o.name as "organizationName"
    from headwater.users as u left join headwater.organizations as o on o.id = u.requested_organization_id
    where u.requested_organization_id is not null and ${contains('u.username', 'u.first_name', 'u.last_name', 'o.name')}`,
  columns: `m."userId", m.username, m."firstName", m."lastName", ${iso('m.created_at')} as "createdAt", m."organizationId", m."organizationName"`,
  order: ['m."userId"'],
};

const SESSIONS: Omit<List, 'values'> = {
  matching: `select s.hash, s.user_id as "userId", s.session_version as "sessionVersion", s.created_at, s.expires_at, u.username
    from headwater.page_sessions as s join headwater.users as u on u.id = s.user_id
    where ${contains('u.username')} and s.expires_at > $2::timestamptz and s.session_version = u.session_version and u.is_active`,
  columns: `m.hash, m."userId", m."sessionVersion", ${iso('m.created_at')} as "createdAt", ${iso('m.expires_at')} as "expiresAt", m.username`,
  order: ['m.created_at', 'm.hash'],
};

const MEMBER = `u.username, u.first_name as "firstName", u.last_name as "lastName", u.is_active as "isActive"`;
const NO_ROLE = 'null::int as "memberId", null::int as "groupId"';

interface MemberList {
  readonly matching: string;
  readonly value: string | number;
}

/** Statement and value of a list of members; undefined for an id that no row can have. */
function memberList(of: MembersOf): MemberList | undefined {
  if ('group' in of) {
    const matching = `select g.user_id as "userId", ${MEMBER}, ${NO_ROLE} from headwater.user_groups as g left join headwater.users as u on u.id = g.user_id
      where g.group_id = $1::int`;
    return isInt4(of.group) ? { matching, value: of.group } : undefined;
  }
  if ('project' in of) {
    const matching = `select p.user_id as "userId", ${MEMBER}, p.id as "memberId", p.group_id as "groupId"
      from headwater.project_members as p left join headwater.users as u on u.id = p.user_id where p.project_id = $1::int`;
    return isInt4(of.project) ? { matching, value: of.project } : undefined;
  }
  const [column, value] =
    'organization' in of ? ['organization_id', of.organization] : ['requested_organization_id', of.requests];
  const matching = `select u.id as "userId", ${MEMBER}, ${NO_ROLE} from headwater.users as u where u.${column} = $1::uuid`;
  return isOrganizationId(value) ? { matching, value } : undefined;
}

interface MemberRow extends Omit<ListedMember, 'member'> {
  readonly memberId: number | null;
  readonly groupId: number | null;
}

function memberOf({ memberId, groupId, ...person }: MemberRow): ListedMember {
  const member = memberId === null || groupId === null ? null : { id: memberId, group: groupOf(groupId) };
  return { ...person, member };
}
