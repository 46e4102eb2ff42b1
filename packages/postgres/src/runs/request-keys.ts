import { keyReused, unknownRun } from '@headwater/core/runs';
import type { RequestKey } from '@headwater/core/ports';
import type { Run } from '@headwater/core';
import type { Database, Sql } from '../database.ts';
import { int4, isInt4, storable, textKey } from '../guards.ts';
import type { RunRow } from './rows.ts';
import { RUN_COLUMNS, toRun } from './rows.ts';

const TAKE = `insert into headwater.request_keys (owner_id, key, request, run_id) values ($1, $2, $3, $4)
  on conflict (owner_id, key) do nothing`;
const MOVE = 'update headwater.request_keys set run_id = $3 where owner_id = $1 and key = $2';
const REQUEST = 'select request from headwater.request_keys where owner_id = $1 and key = $2';
const LOOK = `select ${RUN_COLUMNS} from headwater.runs
  where id = (select run_id from headwater.request_keys where owner_id = $1 and key = $2)`;

/** The run that answered this key first. @throws DomainError `key_reused` when that was another request. */
export async function keyedRun(sql: Sql, key: RequestKey): Promise<Run | undefined> {
  if (!isInt4(key.ownerId)) return undefined;
  const known = await sql.first<{ request: string }>(REQUEST, keyValues(key));
  if (known === undefined) return undefined;
  if (known.request !== textKey(key.request)) throw keyReused(key.key);
  const row = await sql.first<RunRow>(LOOK, keyValues(key));
  return row === undefined ? undefined : toRun(row);
}

/** Gives a key to a run that is stored in the same transaction; returns the run that has the key already, if one does. */
export async function takeKey(sql: Sql, key: RequestKey, runId: string): Promise<Run | undefined> {
  const values = [int4('ownerId', key.ownerId), textKey(key.key), textKey(key.request), storable('id', runId)];
  return (await sql.run(TAKE, values)) === 1 ? undefined : await keyedRun(sql, key);
}

/** Gives a key that this transaction took to the run that its request joined. */
export async function moveKey(sql: Sql, key: RequestKey, runId: string): Promise<void> {
  await sql.run(MOVE, [...keyValues(key), runId]);
}

/** Gives an unknown key to an existing run; returns the run that has it then. */
export async function bindKey(database: Database, key: RequestKey, runId: string): Promise<Run> {
  return await database.tx(async (sql) => {
    await takeKey(sql, key, runId);
    const run = await keyedRun(sql, key);
    if (run === undefined) throw unknownRun(runId);
    return run;
  });
}

function keyValues({ ownerId, key }: RequestKey): [ownerId: number, key: string] {
  return [ownerId, textKey(key)];
}
