import { DomainError } from '@headwater/core';
import { isStorable } from '@headwater/core/values';
import type { PageSession, PageSessionStore, User } from '@headwater/identity';
import type { Database, Statement } from '../database.ts';
import { int4, iso, isInt4, storable } from '../guards.ts';
import { USER_COLUMNS } from './users.ts';

/** Adds a session; inserts nothing if the user is unknown. */
const ADD = `insert into headwater.page_sessions (hash, user_id, session_version, created_at, expires_at)
  select $1, id, $3, $4::timestamptz, $5::timestamptz from headwater.users where id = $2`;

const EXTEND = 'update headwater.page_sessions set expires_at = $2::timestamptz where hash = $1';

/** Finds session and user in one statement, each by a primary key. */
const FIND: Statement = {
  name: 'headwater_page_session',
  text: `select u.*, s."openedVersion", s."openedAt", s."expiresAt"
  from (select user_id, session_version as "openedVersion", ${iso('created_at')} as "openedAt", ${iso('expires_at')} as "expiresAt"
    from headwater.page_sessions where hash = $1) as s
  join (select ${USER_COLUMNS} from headwater.users) as u on u.id = s.user_id`,
};

interface Row extends User {
  readonly openedVersion: number;
  readonly openedAt: string;
  readonly expiresAt: string;
}

/** Browser sessions in PostgreSQL. */
export function pageSessionStore(database: Database): PageSessionStore {
  return {
    add: async (session) => await add(database, session),
    find: async (hash) => {
      const row = isStorable(hash) ? await database.first<Row>(FIND, [hash]) : undefined;
      if (row === undefined) return undefined;
      const { openedVersion: sessionVersion, openedAt: createdAt, expiresAt, ...user } = row;
      return { session: { hash, userId: user.id, sessionVersion, createdAt, expiresAt }, user };
    },
    extend: async (hash, expiresAt) => {
      if (isStorable(hash)) await database.run(EXTEND, [hash, expiresAt]);
    },
    remove: async (hash) =>
      isStorable(hash) && (await database.run('delete from headwater.page_sessions where hash = $1', [hash])) > 0,
    deleteExpired: async (now) =>
      await database.run('delete from headwater.page_sessions where expires_at <= $1::timestamptz', [now]),
  };
}

async function add(
  database: Database,
  { hash, userId, sessionVersion, createdAt, expiresAt }: PageSession,
): Promise<void> {
  const values = [storable('hash', hash), userId, int4('sessionVersion', sessionVersion), createdAt, expiresAt];
  const added = isInt4(userId) ? await database.run(ADD, values) : 0;
  if (added === 0) throw new DomainError('user_not_found', `No user has the id ${userId}.`);
}
