import {
  type Caller,
  nameTaken,
  type NewUser,
  type SessionUser,
  tokenError,
  type User,
  usernameKey,
  type UserPage,
  type UserProfile,
  type UserStore,
  type UserWish,
} from '@headwater/identity';
import { isStorable } from '@headwater/core/values';
import type { Database, Sql, Values } from '../database.ts';
import { isInt4, storable, textKey, iso } from '../guards.ts';

/** Columns of a user without the password hash. */
export const SHOWN_COLUMNS = `id, username, email, first_name as "firstName", last_name as "lastName", contact_number as "contactNumber",
  is_active as "isActive", is_superuser as "isSuperuser", may_compute as "mayCompute",
  must_change_password as "mustChangePassword", session_version as "sessionVersion", ${iso('created_at')} as "createdAt"`;

/** All columns of a `User`. */
export const USER_COLUMNS = `${SHOWN_COLUMNS}, password_hash as "passwordHash"`;

const INSERT = `insert into headwater.users
  (username, username_key, email, first_name, last_name, contact_number, is_active, is_superuser, must_change_password,
    password_hash, may_compute, organization_id, requested_organization_id, age, education_qualification, gender, account_type)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12::uuid, $13::uuid, $14, $15, $16, $17) on conflict (username_key) do nothing returning ${USER_COLUMNS}`;

/** Finds user and session in one statement, each by a primary key. */
const OF_SESSION = `select ${USER_COLUMNS},
    exists (select from headwater.refresh_families where id = $2 and revoked_at is null) as "isOpen"
  from headwater.users where id = $1`;

/**
 * Locks users in the order of ids. Otherwise two users who change each other's accounts at the same time would
 * deadlock.
 */
const LOCK = `select id, session_version as "sessionVersion" from headwater.users where id = any($1::int[])
  order by id for no key update`;

/**
 * Locks the rows of the caller `by` and of the user; throws if the caller's sessions have ended. Does nothing without
 * `by`.
 */
export async function refuseEnded(sql: Sql, by: Caller | undefined, userId: number): Promise<void> {
  if (by === undefined) return;
  const rows = await sql.rows<Caller>(LOCK, [`{${by.id},${userId}}`]);
  if (!rows.some(({ id, sessionVersion }) => id === by.id && sessionVersion === by.sessionVersion)) {
    throw tokenError('access', 'invalid');
  }
}

const SET_PASSWORD = `update headwater.users
  set password_hash = $2, must_change_password = $3, session_version = session_version + 1 where id = $1`;

const REPLACE_PASSWORD = `update headwater.users
  set password_hash = $2, must_change_password = false, session_version = session_version + 1
  where id = $1 and session_version = $3 and is_active and email = coalesce($4, email)`;

const REHASH = 'update headwater.users set password_hash = $3 where id = $1 and password_hash = $2';

const END_KEYS = `update headwater.api_keys set deactivated_at = clock_timestamp()
  where user_id = $1 and deactivated_at is null`;

const SET_ACTIVE = `update headwater.users
  set is_active = $2, session_version = session_version + (is_active and not $2)::int where id = $1`;

/**
 * Finds a user by $1 (key of the normalized name) or $2 (key of the typed name in lower case). $2 is preferred, because
 * accounts of an earlier version have a key without normalization.
 */
const BY_NAME = `select ${USER_COLUMNS} from headwater.users where username_key in ($1, $2)
  order by username_key = $2 desc limit 1`;

/** Names whose key may be outdated: the name, or its lower case (for example of J with a caron), is not normalized. */
const OLD_NAMES = `select username from headwater.users
  where username is not nfkc normalized or lower(username) is not nfkc normalized`;

const USERNAMES = 'select id, username from headwater.users where id = any ($1::int[])';
const IDS_NAMED = 'select id from headwater.users where strpos(lower(username), $1) > 0 order by id limit $2::int';
const END_SESSIONS = 'update headwater.users set session_version = session_version + 1 where id = $1';

/** `$1`: searched text in lower case. */
const SEARCHED = `(strpos(lower(username), $1) > 0 or strpos(lower(email), $1) > 0
    or strpos(lower(first_name || ' ' || last_name), $1) > 0)`;
/** Conditions of filters. They are fixed texts, because the planner needs them to choose an index. */
const FILTERS = {
  isActive: 'is_active',
  isSuperuser: 'is_superuser',
  mayCompute: '(may_compute or is_superuser)',
} as const;

/**
 * Sort expressions, each with an index. `createdAt` uses the ids, which rise with the time of creation (moved accounts
 * may differ).
 */
const ORDERS: Readonly<Record<NonNullable<UserWish['sort']>, readonly string[]>> = {
  username: ['lower(username collate "C") collate "C"', 'id'],
  email: ['lower(email collate "C") collate "C"', 'id'],
  createdAt: ['id'],
};

const nameKey = (username: string): string => textKey(usernameKey(username));

/** Users in PostgreSQL. */
export function userStore(database: Database): UserStore {
  const sql: Sql = database;
  const byId = async (id: number): Promise<User | undefined> =>
    await sql.first<User>(`select ${USER_COLUMNS} from headwater.users where id = $1`, [id]);
  return {
    create: async (user) => await createUser(sql, user),
    byId: async (id) => (isInt4(id) ? await byId(id) : undefined),
    byUsername: async (username) =>
      await sql.first<User>(BY_NAME, [nameKey(username), textKey(username.toLowerCase())]),
    ofSession: async (id, familyId) =>
      isInt4(id) && isStorable(familyId) ? await ofSession(sql, id, familyId) : undefined,
    setPassword: async (id, passwordHash, { mustChange = false, endsKeys = false, by } = {}) => {
      if (!isInt4(id)) return;
      const values = [id, storable('passwordHash', passwordHash), mustChange] as const;
      await changePassword(database, { statement: SET_PASSWORD, values, endsKeys, by });
    },
    replacePassword: async (id, passwordHash, { sessionVersion, email, endsKeys = true }) => {
      if (!isInt4(id) || !isInt4(sessionVersion)) return false;
      const values = [id, storable('passwordHash', passwordHash), sessionVersion, email ?? null] as const;
      return await changePassword(database, { statement: REPLACE_PASSWORD, values, endsKeys });
    },
    rehash: async (id, from, to) => {
      const values = [id, storable('passwordHash', from), storable('passwordHash', to)];
      if (isInt4(id)) await sql.run(REHASH, values);
    },
    setActive: async (id, isActive) => {
      if (isInt4(id)) await sql.run(SET_ACTIVE, [id, isActive]);
    },
    endSessions: async (id, by) => {
      if (!isInt4(id)) return;
      await database.tx(async (tx) => {
        await refuseEnded(tx, by, id);
        await tx.run(END_SESSIONS, [id]);
      });
    },
    list: async (wish) => await listUsers(sql, wish),
    count: async () => (await sql.first<{ n: number }>('select count(*)::int as n from headwater.users'))?.n ?? 0,
    usernames: async (ids) => {
      const rows = await sql.rows<Pick<User, 'id' | 'username'>>(USERNAMES, [`{${ids.filter(isInt4).join(',')}}`]);
      return new Map(rows.map(({ id, username }) => [id, username]));
    },
    idsNamed: async (text, most) => {
      if (!isStorable(text)) return [];
      return (await sql.rows<Pick<User, 'id'>>(IDS_NAMED, [text.toLowerCase(), most])).map(({ id }) => id);
    },
    firstSuperuser: async () =>
      await sql.first<User>(`select ${USER_COLUMNS} from headwater.users where is_superuser order by id limit 1`),
  };
}

async function listUsers(sql: Sql, wish: UserWish): Promise<UserPage> {
  const { search = '', sort = 'username', isDescending = false, limit, offset } = wish;
  if (!isStorable(search)) return { users: [], total: 0 };
  const filters = (['isActive', 'isSuperuser', 'mayCompute'] as const).flatMap((name) =>
    wish[name] === undefined ? [] : [`${wish[name] ? '' : 'not '}${FILTERS[name]}`],
  );
  const conditions = [...filters, ...(search === '' ? [] : [SEARCHED])];
  const values = search === '' ? [] : [search.toLowerCase()];
  const listed = `from headwater.users ${conditions.length === 0 ? '' : `where ${conditions.join(' and ')}`}`;
  const order = ORDERS[sort].map((key) => (isDescending ? `${key} desc` : key)).join(', ');
  const [limitAt, offsetAt] = [values.length + 1, values.length + 2];
  const page = `select ${SHOWN_COLUMNS} ${listed} order by ${order} limit $${limitAt}::int offset $${offsetAt}::int`;
  const [users, counted] = await Promise.all([
    sql.rows<UserPage['users'][number]>(page, [...values, limit, offset]),
    sql.first<{ n: number }>(`select count(*)::int as n ${listed}`, values),
  ]);
  return { users, total: counted?.n ?? 0 };
}

interface PasswordChange {
  readonly statement: string;
  readonly values: readonly [userId: number, ...Values];
  readonly endsKeys: boolean;
  readonly by?: Caller | undefined;
}

/**
 * Changes a password. With `endsKeys`, a second statement ends the user's API keys. It also ends keys that were
 * created while the first statement waited for the lock.
 */
async function changePassword(
  database: Database,
  { statement, values, endsKeys, by }: PasswordChange,
): Promise<boolean> {
  const [id] = values;
  return await database.tx(async (sql) => {
    await refuseEnded(sql, by, id);
    if ((await sql.run(statement, values)) !== 1) return false;
    if (endsKeys) await sql.run(END_KEYS, [id]);
    return true;
  });
}

async function ofSession(sql: Sql, id: number, familyId: string): Promise<SessionUser | undefined> {
  const row = await sql.first<User & { isOpen: boolean }>(OF_SESSION, [id, familyId]);
  if (row === undefined) return undefined;
  const { isOpen, ...user } = row;
  return { user, isOpen };
}

async function createUser(sql: Sql, user: NewUser): Promise<User> {
  await refuseOldName(sql, user.username);
  const created = await sql.first<User>(INSERT, [
    storable('username', user.username),
    nameKey(user.username),
    storable('email', user.email),
    storable('firstName', user.firstName),
    storable('lastName', user.lastName),
    user.contactNumber === null ? null : storable('contactNumber', user.contactNumber),
    user.isActive,
    user.isSuperuser,
    user.mustChangePassword,
    storable('passwordHash', user.passwordHash),
    user.mayCompute,
    user.organizationId ?? null,
    user.requestedOrganizationId ?? null,
    ...profileValues(user.profile ?? {}),
  ]);
  if (created !== undefined) return created;
  throw nameTaken();
}

/** Throws if an account of an earlier version has this name in another spelling. */
export async function refuseOldName(sql: Sql, username: string): Promise<void> {
  const key = usernameKey(username);
  for (const old of await sql.rows<{ username: string }>(OLD_NAMES)) {
    if (usernameKey(old.username) === key) throw nameTaken();
  }
}

/** Values of a profile: age, education, gender, account type. */
export function profileValues(profile: Partial<UserProfile>): readonly (string | number | null)[] {
  const { age = null, educationQualification = null, gender = null, accountType = null } = profile;
  const education = educationQualification === null ? null : storable('educationQualification', educationQualification);
  return [age, education, gender, accountType];
}
