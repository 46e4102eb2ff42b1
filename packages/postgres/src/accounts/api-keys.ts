import {
  type AccountDay,
  type ApiKey,
  type ApiKeyDay,
  type ApiKeyStore,
  type ApiKeyUse,
  type KnownApiKey,
  type NewApiKey,
  tokenError,
  tooManyKeys,
  type User,
} from '@headwater/identity';
import { DomainError, fieldError } from '@headwater/core';
import { isStorable } from '@headwater/core/values';
import type { Database, Sql, Statement } from '../database.ts';
import { isInt4, storable, iso } from '../guards.ts';
import { USER_COLUMNS } from './users.ts';

const COLUMNS = `prefix, user_id as "userId", name, deactivated_at is null as "isActive", ${iso('created_at')} as "createdAt",
  ${iso('expires_at')} as "expiresAt", ${iso('last_used_at')} as "lastUsedAt"`;

/**
 * Locks the user's row, so that keys of a user are counted and created one at a time. Returns the session version,
 * which is then compared with the caller's.
 */
const OWNER = 'select session_version as "sessionVersion" from headwater.users where id = $1 for no key update';
const COUNT_ACTIVE = 'select count(*)::int as n from headwater.api_keys where user_id = $1 and deactivated_at is null';

const INSERT = `insert into headwater.api_keys (prefix, hash, user_id, name, expires_at)
  values ($1, $2, $3, $4, $5::timestamptz)
  on conflict (prefix) do nothing returning ${COLUMNS}`;

/** Finds key and user in one statement, each by a unique index. */
const FIND: Statement = {
  name: 'headwater_api_key',
  text: `select u.*, k.prefix, k.hash, k.name as "keyName", k."isActive" as "keyIsActive", k."createdAt" as "keyCreatedAt",
    k."expiresAt", k."lastUsedAt"
  from (select ${COLUMNS}, hash from headwater.api_keys where prefix = $1) as k
  join (select ${USER_COLUMNS} from headwater.users) as u on u.id = k."userId"`,
};

const COUNT = `insert into headwater.api_key_days as d (prefix, day, uses)
  select u.prefix, (u.used_at at time zone 'UTC')::date, sum(u.uses)
  from unnest($1::text[], $2::timestamptz[], $3::bigint[]) as u (prefix, used_at, uses)
  where u.prefix in (select prefix from headwater.api_keys)
  group by 1, 2
  on conflict (prefix, day) do update set uses = d.uses + excluded.uses`;

const SET_LAST_USED = `update headwater.api_keys as k set last_used_at = u.used_at
  from (select prefix, max(used_at) as used_at from unnest($1::text[], $2::timestamptz[]) as u (prefix, used_at) group by 1) as u
  where k.prefix = u.prefix and (k.last_used_at is null or k.last_used_at < u.used_at)`;

/** Lock for changes of daily counts, because two processes that lock counts in different orders would deadlock. */
const LOCK_DAYS = `select pg_advisory_xact_lock(hashtext('headwater.api_key_days'))`;

const DAYS = `select d.prefix, to_char(d.day, 'YYYY-MM-DD') as day, d.uses::float8 as uses
  from headwater.api_keys as k join headwater.api_key_days as d on d.prefix = k.prefix
  where k.user_id = $1 and k.deactivated_at is null and d.day >= $2::date order by d.prefix, d.day`;

const USES_ON = `select k.user_id as "userId", to_char(d.day, 'YYYY-MM-DD') as day, sum(d.uses)::float8 as uses
  from headwater.api_keys as k join headwater.api_key_days as d on d.prefix = k.prefix
  where k.user_id = any($2::int[]) and d.day = $1::date group by k.user_id, d.day`;

const ACTIVE = `select ${COLUMNS} from headwater.api_keys where user_id = $1 and deactivated_at is null order by id desc`;

const DEACTIVATE = `update headwater.api_keys set deactivated_at = coalesce(deactivated_at, clock_timestamp())
  where prefix = $1 returning ${COLUMNS}`;

/** Removes keys that ended before a day in UTC. A direct cast to timestamptz would use the time zone of the session. */
const REMOVE_ENDED = `delete from headwater.api_keys
  where least(deactivated_at, expires_at) < $1::date::timestamp at time zone 'UTC'`;
const REMOVE_DAYS = 'delete from headwater.api_key_days where day < $1::date';

/** API keys in PostgreSQL. */
export function apiKeyStore(database: Database): ApiKeyStore {
  return {
    create: async (key, { most }) => await create(database, key, most),
    find: async (prefix) => (isStorable(prefix) ? await find(database, prefix) : undefined),
    activeOf: async (userId) => (isInt4(userId) ? await database.rows<ApiKey>(ACTIVE, [userId]) : []),
    deactivate: async (prefix) => (isStorable(prefix) ? await database.first<ApiKey>(DEACTIVATE, [prefix]) : undefined),
    daysOf: async (userId, since) => (isInt4(userId) ? await database.rows<ApiKeyDay>(DAYS, [userId, since]) : []),
    usesOn: async (day, userIds) => await database.rows<AccountDay>(USES_ON, [day, userIds.filter(isInt4).map(String)]),
    noteUses: async (uses) => await noteUses(database, uses),
    removeOld: async (before) =>
      await database.tx(async (sql) => {
        await sql.rows(LOCK_DAYS);
        await sql.run(REMOVE_ENDED, [before]);
        await sql.run(REMOVE_DAYS, [before]);
      }),
  };
}

async function create(database: Database, key: NewApiKey, most: number): Promise<ApiKey> {
  const { prefix, hash, userId, sessionVersion, name, expiresAt } = key;
  const values = [storable('prefix', prefix), storable('hash', hash), userId, storable('name', name), expiresAt];
  if (!isInt4(userId)) throw absentUser(userId);
  return await database.tx(async (sql) => {
    const owner = await sql.first<{ sessionVersion: number }>(OWNER, [userId]);
    if (owner === undefined) throw absentUser(userId);
    if (owner.sessionVersion !== sessionVersion) throw tokenError('access', 'invalid');
    // A separate statement also counts keys that were created while this transaction waited.
    const active = await sql.first<{ n: number }>(COUNT_ACTIVE, [userId]);
    if (active !== undefined && active.n >= most) throw tooManyKeys(most);
    const created = await sql.first<ApiKey>(INSERT, values);
    if (created !== undefined) return created;
    throw fieldError('conflict', { prefix: [{ rule: 'taken', message: 'is taken; make another key.' }] });
  });
}

function absentUser(userId: number): DomainError {
  return new DomainError('user_not_found', `No user has the id ${userId}.`);
}

async function noteUses(database: Database, uses: readonly ApiKeyUse[]): Promise<void> {
  const known = uses.filter(({ prefix }) => isStorable(prefix));
  if (known.length === 0) return;
  const [prefixes, times] = [known.map(({ prefix }) => prefix), known.map(({ usedAt }) => usedAt)];
  await database.tx(async (sql) => {
    await sql.rows(LOCK_DAYS);
    await sql.run(COUNT, [prefixes, times, known.map(({ count }) => String(count))]);
    await sql.run(SET_LAST_USED, [prefixes, times]);
  });
}

interface FoundRow extends User, Pick<ApiKey, 'prefix' | 'expiresAt' | 'lastUsedAt'> {
  readonly hash: string;
  readonly keyName: string;
  readonly keyIsActive: boolean;
  readonly keyCreatedAt: string;
}

async function find(sql: Sql, prefix: string): Promise<KnownApiKey | undefined> {
  const row = await sql.first<FoundRow>(FIND, [prefix]);
  if (row === undefined) return undefined;
  const { hash, prefix: own, keyName, keyIsActive, keyCreatedAt, expiresAt, lastUsedAt, ...user } = row;
  const times = { createdAt: keyCreatedAt, expiresAt, lastUsedAt };
  return { key: { prefix: own, userId: user.id, name: keyName, isActive: keyIsActive, ...times }, hash, user };
}
