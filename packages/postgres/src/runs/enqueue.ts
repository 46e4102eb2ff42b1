import { DomainError, type EnqueueOptions, type NewRun, type Run, tooManyOpen } from '@headwater/core';
import type { Database, Sql } from '../database.ts';
import { int4, storable, textKey } from '../guards.ts';
import { appendState } from './events.ts';
import { moveKey, takeKey } from './request-keys.ts';
import type { RunRow } from './rows.ts';
import { RUN_COLUMNS, toRun } from './rows.ts';

const IN_FLIGHT = `state in ('queued', 'running') and not cancel_requested`;

const INSERT = `insert into headwater.runs (id, pipeline, params, fingerprint, fingerprint_key, owner_id, parent_id)
  values ($1, $2, $3, $4, $5, $6, $7)
  on conflict (fingerprint_key) where ${IN_FLIGHT} do nothing returning ${RUN_COLUMNS}`;

const FIND = `select ${RUN_COLUMNS} from headwater.runs where fingerprint_key = $1 and ${IN_FLIGHT}`;

/** Space of the advisory locks under which one owner's new runs are counted: "hwru" in ASCII. The lock's own number is the owner's. */
const COUNTING = 1_752_658_549;
const TAKE_TURNS = 'select pg_advisory_xact_lock($1::int, $2::int)';
const OPEN = `select count(*)::int as open from headwater.runs
  where owner_id = $1 and parent_id is null and state in ('queued', 'running')`;

/** Where `runValues` has the fingerprint's key. */
const FINGERPRINT_KEY = 4;

/** A run in flight may end between the failed insert and the look at it; then the insert is due again. */
const MAX_TRIES = 20;

/**
 * Stores a queued run, or returns the one in flight with the same fingerprint, or the one that a known key names.
 * @throws DomainError `conflict` when the id is taken, `key_reused` when the key came with another request, `throttled` when the
 * owner has `mostOpen` runs already.
 */
export async function enqueue(
  database: Database,
  run: NewRun,
  { key, mostOpen }: EnqueueOptions = {},
): Promise<{ readonly run: Run; readonly joined: boolean }> {
  const values = runValues(run);
  return await database.tx(async (sql) => {
    // The key first, always: two requests with one key take turns here, and the second sees what the first stored.
    const known = key === undefined ? undefined : await takeKey(sql, key, run.id);
    if (known !== undefined) return { run: known, joined: true };
    const counted = run.parentId === undefined ? mostOpen : undefined;
    // Before the insert, so that each of an owner's requests sees what the one before it stored.
    if (counted !== undefined) await sql.rows(TAKE_TURNS, [COUNTING, run.ownerId]);
    const stored = await insertOrJoin(sql, run.id, values);
    if (counted !== undefined && !stored.joined) await refuseBeyond(sql, run.ownerId, counted);
    if (key !== undefined && stored.joined) await moveKey(sql, key, stored.run.id);
    return stored;
  });
}

/** The new run is stored already: refusing rolls it back, with its key. */
async function refuseBeyond(sql: Sql, ownerId: number, mostOpen: number): Promise<void> {
  const found = await sql.first<{ open: number }>(OPEN, [ownerId]);
  if ((found?.open ?? 0) > mostOpen) throw tooManyOpen(mostOpen);
}

function runValues(run: NewRun): readonly (string | number | null)[] {
  return [
    storable('id', run.id),
    storable('pipeline', run.pipeline),
    JSON.stringify(run.params),
    storable('fingerprint', run.fingerprint),
    textKey(run.fingerprint),
    int4('ownerId', run.ownerId),
    run.parentId === undefined ? null : storable('parentId', run.parentId),
  ];
}

async function insertOrJoin(
  sql: Sql,
  id: string,
  values: readonly (string | number | null)[],
): Promise<{ readonly run: Run; readonly joined: boolean }> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const inserted = await sql.first<RunRow>(INSERT, values);
    if (inserted !== undefined) {
      const stored = toRun(inserted);
      await appendState(sql, stored);
      return { run: stored, joined: false };
    }
    const found = await sql.first<RunRow>(FIND, [values[FINGERPRINT_KEY] ?? '']);
    if (found !== undefined) return { run: toRun(found), joined: true };
  }
  throw new DomainError(
    'unavailable',
    `Run ${id} could not be stored: identical runs begin and end faster than it; try again`,
  );
}
