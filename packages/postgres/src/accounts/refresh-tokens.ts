import { isStorable } from '@headwater/core/values';
import type { RefreshRecord, RefreshTokenStore, SpendOutcome } from '@headwater/identity';
import type { Database, Sql, Values } from '../database.ts';
import { int4, storable } from '../guards.ts';

const ADD_FAMILY = `insert into headwater.refresh_families (id, expires_at) values ($1, $2::timestamptz)
  on conflict (id) do update set expires_at = greatest(refresh_families.expires_at, excluded.expires_at)`;

const ADD_TOKEN =
  'insert into headwater.refresh_tokens (jti, family_id, user_id, expires_at) values ($1, $2, $3, $4::timestamptz)';

/** Locks a token, so that concurrent uses run in sequence. */
const LOCK_TOKEN = `select t.family_id as family, t.spent_at is not null as spent, f.revoked_at is not null as revoked,
    t.expires_at <= $2::timestamptz as expired
  from headwater.refresh_tokens t join headwater.refresh_families f on f.id = t.family_id where t.jti = $1 for update`;

const REVOKE =
  'update headwater.refresh_families set revoked_at = clock_timestamp() where id = $1 and revoked_at is null';

interface TokenState {
  readonly family: string;
  readonly spent: boolean;
  readonly revoked: boolean;
  readonly expired: boolean;
}

/** Issued refresh tokens in PostgreSQL. */
export function refreshTokenStore(database: Database): RefreshTokenStore {
  return {
    add: async (record) => await add(database, record),
    spend: async (jti, now, next) => (isStorable(jti) ? await spend(database, { jti, now, next }) : 'unknown'),
    revokeFamily: async (familyId) => {
      if (isStorable(familyId)) await database.run(REVOKE, [familyId]);
    },
    deleteExpired: async (now) => await deleteExpired(database, now),
  };
}

async function add(database: Database, record: RefreshRecord): Promise<void> {
  const values = valuesOf(record);
  await database.tx((sql) => insert(sql, record, values));
}

function valuesOf({ jti, familyId, userId, expiresAt }: RefreshRecord): Values {
  return [storable('jti', jti), storable('familyId', familyId), int4('userId', userId), expiresAt];
}

async function insert(sql: Sql, { familyId, expiresAt }: RefreshRecord, values: Values): Promise<void> {
  await sql.run(ADD_FAMILY, [familyId, expiresAt]);
  await sql.run(ADD_TOKEN, values);
}

interface Spending {
  readonly jti: string;
  readonly now: string;
  readonly next: RefreshRecord | undefined;
}

async function spend(database: Database, { jti, now, next }: Spending): Promise<SpendOutcome> {
  const values = next === undefined ? undefined : valuesOf(next);
  return await database.tx(async (sql) => {
    const token = await sql.first<TokenState>(LOCK_TOKEN, [jti, now]);
    if (token === undefined) return 'unknown';
    if (token.spent) {
      await sql.run(REVOKE, [token.family]);
      return 'reused';
    }
    if (token.revoked) return 'revoked';
    if (token.expired) return 'unknown';
    await sql.run('update headwater.refresh_tokens set spent_at = clock_timestamp() where jti = $1', [jti]);
    if (next !== undefined && values !== undefined) await insert(sql, next, values);
    return 'ok';
  });
}

async function deleteExpired(database: Database, now: string): Promise<number> {
  return await database.tx(async (sql) => {
    const deleted = await sql.run('delete from headwater.refresh_tokens where expires_at <= $1::timestamptz', [now]);
    await sql.run('delete from headwater.refresh_families where expires_at <= $1::timestamptz', [now]);
    return deleted;
  });
}
