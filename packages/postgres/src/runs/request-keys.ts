import { keyReused, unknownRun } from '@headwater/core/runs';
import type { RequestKey } from '@headwater/core/ports';
import type { Run } from '@headwater/core';
import type { Database, Sql } from '../database.ts';
import { int4, isInt4, storable, textKey } from '../guards.ts';
import type { RunRow } from './rows.ts';
import { RUN_COLUMNS, toRun } from './rows.ts';

const ASSIGN = `insert into headwater.request_keys (owner_id, key, request, run_id) values ($1, $2, $3, $4)
  on conflict (owner_id, key) do nothing`;
const MOVE = 'update headwater.request_keys set run_id = $3 where owner_id = $1 and key = $2';
const REQUEST = 'select request from headwater.request_keys where owner_id = $1 and key = $2';
const KEYED = `select ${RUN_COLUMNS} from headwater.runs
  where id = (select run_id from headwater.request_keys where owner_id = $1 and key = $2)`;

/** Returns the run of an idempotency key. @throws DomainError `key_reused` if the key belongs to another request. */
export async function keyedRun(sql: Sql, key: RequestKey): Promise<Run | undefined> {
  if (!isInt4(key.ownerId)) return undefined;
  const known = await sql.first<{ request: string }>(REQUEST, keyValues(key));
  if (known === undefined) return undefined;
  if (known.request !== textKey(key.request)) throw keyReused(key.key);
  const row = await sql.first<RunRow>(KEYED, keyValues(key));
  return row === undefined ? undefined : toRun(row);
}

/** Assigns a key to a run that is stored in the same transaction; returns the run that already has the key, if any. */
export async function assignKey(sql: Sql, key: RequestKey, runId: string): Promise<Run | undefined> {
  const values = [int4('ownerId', key.ownerId), textKey(key.key), textKey(key.request), storable('id', runId)];
  return (await sql.run(ASSIGN, values)) === 1 ? undefined : await keyedRun(sql, key);
}

/** Moves a key from a new run of this transaction to the existing run that is returned for the request. */
export async function moveKey(sql: Sql, key: RequestKey, runId: string): Promise<void> {
  await sql.run(MOVE, [...keyValues(key), runId]);
}

/** Assigns a key to an existing run, unless the key has a run already; returns the run of the key. */
export async function bindKey(database: Database, key: RequestKey, runId: string): Promise<Run> {
  return await database.tx(async (sql) => {
    await assignKey(sql, key, runId);
    const run = await keyedRun(sql, key);
    if (run === undefined) throw unknownRun(runId);
    return run;
  });
}

function keyValues({ ownerId, key }: RequestKey): [ownerId: number, key: string] {
  return [ownerId, textKey(key)];
}
