import type { KnownPlace, ThrottleStore } from '@headwater/identity';
import type { Database } from '../database.ts';
import { textKey } from '../guards.ts';

const FAILURES = `select count(*)::int as count, min(at_ms)::text as oldest
  from headwater.login_failures where key = $1 and at_ms >= $2::bigint`;

/** Longest window of any limit, ms. Older failures are deleted. */
const KEEP_MS = 86_400_000;

const KNOW = `insert into headwater.known_sign_ins (key, name_key, at_ms) values ($1, $2, $3::bigint)
  on conflict (key) do update set at_ms = greatest(known_sign_ins.at_ms, excluded.at_ms)`;

const FORGET = `delete from headwater.known_sign_ins where at_ms < $1::bigint or key in (
    select key from headwater.known_sign_ins where name_key = $2 order by at_ms desc, key offset $3::int)`;

const KNOWS = 'select exists (select from headwater.known_sign_ins where key = $1 and at_ms >= $2::bigint) as known';

/** Failed and known sign-ins in PostgreSQL. Keys are hashed, because they contain typed texts. */
export function throttleStore(database: Database): ThrottleStore {
  return {
    failures: async (key, sinceMs) => {
      const row = await database.first<{ count: number; oldest: string | null }>(FAILURES, [
        textKey(key),
        wholeMs(sinceMs),
      ]);
      return {
        count: row?.count ?? 0,
        oldestMs: row?.oldest === undefined || row?.oldest === null ? undefined : Number(row.oldest),
      };
    },
    fail: async (key, atMs) => {
      await database.tx(async (sql) => {
        await sql.run('insert into headwater.login_failures (key, at_ms) values ($1, $2::bigint)', [
          textKey(key),
          wholeMs(atMs),
        ]);
        await sql.run('delete from headwater.login_failures where at_ms < $1::bigint', [wholeMs(atMs - KEEP_MS)]);
      });
    },
    clear: async (key) => {
      await database.run('delete from headwater.login_failures where key = $1', [textKey(key)]);
    },
    know: (place) => know(database, place),
    knows: async (pair, sinceMs) =>
      (await database.first<{ known: boolean }>(KNOWS, [textKey(pair), wholeMs(sinceMs)]))?.known === true,
  };
}

async function know(database: Database, { name, pair, atMs, sinceMs, most }: KnownPlace): Promise<void> {
  await database.tx(async (sql) => {
    await sql.run(KNOW, [textKey(pair), textKey(name), wholeMs(atMs)]);
    await sql.run(FORGET, [wholeMs(sinceMs), textKey(name), most]);
  });
}

/** Whole milliseconds, as text for a bigint. */
function wholeMs(ms: number): string {
  return String(Math.trunc(Math.min(Number.MAX_SAFE_INTEGER, Math.max(Number.MIN_SAFE_INTEGER, ms))));
}
