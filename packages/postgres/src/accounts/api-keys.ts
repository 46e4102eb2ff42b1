import {
  type ApiKey,
  type ApiKeyStore,
  DomainError,
  fieldError,
  isStorable,
  type KnownApiKey,
  type NewApiKey,
  type User,
} from '@headwater/core';
import type { Sql } from '../database.ts';
import { isInt4, storable } from '../guards.ts';
import { iso } from '../time.ts';
import { USER_COLUMNS } from './users.ts';

const COLUMNS = `prefix, user_id as "userId", name, deactivated_at is null as "isActive", ${iso('created_at')} as "createdAt",
  ${iso('expires_at')} as "expiresAt", ${iso('last_used_at')} as "lastUsedAt"`;

const INSERT = `insert into headwater.api_keys (prefix, hash, user_id, name, expires_at)
  select $1, $2, id, $4, $5::timestamptz from headwater.users where id = $3
  on conflict (prefix) do nothing returning ${COLUMNS}`;

/** One statement for each request with a key: both look-ups are by a unique index. */
const FIND = `select u.*, k.prefix, k.hash, k.name as "keyName", k."isActive" as "keyIsActive", k."createdAt" as "keyCreatedAt",
    k."expiresAt", k."lastUsedAt"
  from (select ${COLUMNS}, hash from headwater.api_keys where prefix = $1) as k
  join (select ${USER_COLUMNS} from headwater.users) as u on u.id = k."userId"`;

const NOTE = `update headwater.api_keys as k set last_used_at = u.used_at
  from unnest($1::text[], $2::timestamptz[]) as u (prefix, used_at)
  where k.prefix = u.prefix and (k.last_used_at is null or k.last_used_at < u.used_at)`;

const ACTIVE = `select ${COLUMNS} from headwater.api_keys where user_id = $1 and deactivated_at is null order by id desc`;

const DEACTIVATE = `update headwater.api_keys set deactivated_at = coalesce(deactivated_at, clock_timestamp())
  where prefix = $1 returning ${COLUMNS}`;

/** API keys over PostgreSQL. */
export function apiKeyStore(sql: Sql): ApiKeyStore {
  return {
    create: async (key) => await create(sql, key),
    find: async (prefix) => (isStorable(prefix) ? await find(sql, prefix) : undefined),
    activeOf: async (userId) => (isInt4(userId) ? await sql.rows<ApiKey>(ACTIVE, [userId]) : []),
    deactivate: async (prefix) => (isStorable(prefix) ? await sql.first<ApiKey>(DEACTIVATE, [prefix]) : undefined),
    noteUses: async (uses) => {
      const known = uses.filter(({ prefix }) => isStorable(prefix));
      if (known.length === 0) return;
      await sql.run(NOTE, [known.map(({ prefix }) => prefix), known.map(({ usedAt }) => usedAt)]);
    },
  };
}

async function create(sql: Sql, { prefix, hash, userId, name, expiresAt }: NewApiKey): Promise<ApiKey> {
  const values = [storable('prefix', prefix), storable('hash', hash), userId, storable('name', name), expiresAt];
  const created = isInt4(userId) ? await sql.first<ApiKey>(INSERT, values) : undefined;
  if (created !== undefined) return created;
  if (isInt4(userId) && (await sql.first('select from headwater.users where id = $1', [userId])) !== undefined) {
    throw fieldError('conflict', { prefix: [{ rule: 'taken', message: 'is taken; make another key.' }] });
  }
  throw new DomainError('user_not_found', `No user has the id ${userId}.`);
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
