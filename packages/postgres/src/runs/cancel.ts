import { CANCELLED, cancelledWith } from '@headwater/core/runs';
import type { Run, RunFailure } from '@headwater/core';
import type { Database, Sql } from '../database.ts';
import { appendState } from './events.ts';
import type { RunRow } from './rows.ts';
import { RUN_COLUMNS, toRun } from './rows.ts';

const END = `update headwater.runs set state = 'failed', error = $2, finished_at = clock_timestamp(), lease_until = null
  where id = $1 returning ${RUN_COLUMNS}`;

const GET = `select ${RUN_COLUMNS} from headwater.runs where id = $1 for update`;
const IN_FLIGHT = `state in ('queued', 'running')`;
/**
 * Selects and locks the unfinished descendants of a run. A parent is locked before its children, to avoid deadlocks.
 */
const CHILDREN = `with recursive below as (
    select id from headwater.runs where parent_id = $1 and ${IN_FLIGHT}
    union select r.id from headwater.runs r join below b on r.parent_id = b.id where r.state in ('queued', 'running'))
  select ${RUN_COLUMNS} from headwater.runs where id in (select id from below) and ${IN_FLIGHT} order by seq for update`;
const WAITING = `select ${RUN_COLUMNS} from headwater.runs where ${IN_FLIGHT} and after && $1::text[]`;
/** True for a queued run, and for a local run that no worker holds. */
const IS_FREE = `select state = 'queued' or (backend = 'local' and (worker_id is null or lease_until <= clock_timestamp())) as free
  from headwater.runs where id = $1`;
const REQUEST_STOP = `update headwater.runs set cancel_requested = true where id = $1 returning ${RUN_COLUMNS}`;

/**
 * Cancels a run and its descendants (`stopChildren`). A queued run, and a local run that no worker holds, end at once.
 * For any other unfinished run, `cancel_requested` is set, and the worker that computes or watches the run ends it
 * later. Returns an ended run unchanged.
 */
export async function requestCancel(database: Database, id: string): Promise<Run | undefined> {
  return await database.tx(async (sql) => {
    const row = await sql.first<RunRow>(GET, [id]);
    if (row === undefined) return undefined;
    const run = toRun(row);
    if (run.state !== 'queued' && run.state !== 'running') return run;
    await stopChildren(sql, run);
    return await stop(sql, run);
  });
}

/** Stops the unfinished descendants of a run. A descendant continues if another unfinished run waits for it. */
export async function stopChildren(sql: Sql, run: Pick<Run, 'id'>): Promise<void> {
  const children = (await sql.rows<RunRow>(CHILDREN, [run.id])).map(toRun);
  if (children.length === 0) return;
  const waiting = (await sql.rows<RunRow>(WAITING, [children.map(({ id }) => id)])).map(toRun);
  for (const child of cancelledWith(run, { children, waiting })) await stop(sql, child);
}

async function stop(sql: Sql, run: Run): Promise<Run> {
  const found = await sql.first<{ readonly free: boolean | null }>(IS_FREE, [run.id]);
  if (found?.free === true) return (await endRun(sql, run.id, CANCELLED)) ?? run;
  const updated = await sql.first<RunRow>(REQUEST_STOP, [run.id]);
  return updated === undefined ? run : toRun(updated);
}

/** Ends a run in any state as failed. The caller's transaction must have locked the row of the run. */
export async function endRun(sql: Sql, id: string, failure: RunFailure): Promise<Run | undefined> {
  const row = await sql.first<RunRow>(END, [id, JSON.stringify(failure)]);
  if (row === undefined) return undefined;
  const run = toRun(row);
  await appendState(sql, run);
  return run;
}
