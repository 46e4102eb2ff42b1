import { CANCELLED } from '@headwater/core/runs';
import type { Heartbeat, WriteOutcome } from '@headwater/core/ports';
import { isStorable, storableText } from '@headwater/core/values';
import type { RunFailure } from '@headwater/core';
import type { Database, Sql } from '../database.ts';
import { isInt4 } from '../guards.ts';
import { endRun, stopChildren } from './cancel.ts';
import { appendState } from './events.ts';
import type { RunRow } from './rows.ts';
import { RUN_COLUMNS, toRun } from './rows.ts';

/** Id of a run and the fencing token of its worker. */
export interface Hold {
  readonly id: string;
  readonly token: number;
}

/** Locks the row, so that no other worker can claim the run before the commit. */
const FENCE = `select cancel_requested as cancel from headwater.runs
  where id = $1 and token = $2 and state = 'running' for update`;

const BEAT = `update headwater.runs set lease_until = clock_timestamp() + $3::float8 * interval '1 millisecond',
    progress = coalesce($4::float8, progress), step = coalesce($5::text, step)
  where id = $1 and token = $2 and state = 'running' returning cancel_requested as cancel`;

const RELEASE = `update headwater.runs set state = 'queued', attempt = greatest(0, attempt - 1), worker_id = null, lease_until = null
  where id = $1 returning ${RUN_COLUMNS}`;

const PARK = `update headwater.runs set worker_id = null, lease_until = clock_timestamp() + $2::float8 * interval '1 millisecond'
  where id = $1`;

/**
 * Extends the lease and stores progress. The lease of a cancelled run is also extended, because its worker needs time
 * to stop.
 */
export async function heartbeat(sql: Sql, hold: Hold, beat: Heartbeat): Promise<WriteOutcome> {
  if (!isPossible(hold)) return 'lost';
  const progress = beat.progress === undefined ? null : Math.min(1, Math.max(0, beat.progress));
  const step = beat.step === undefined ? null : storableText(beat.step);
  const row = await sql.first<{ cancel: boolean }>(BEAT, [hold.id, hold.token, beat.leaseMs, progress, step]);
  if (row === undefined) return 'lost';
  return row.cancel ? 'cancelled' : 'ok';
}

/** Ends a run as failed and stops its descendants, if the worker still holds the run. */
export async function fail(database: Database, hold: Hold, failure: RunFailure): Promise<WriteOutcome> {
  return await database.tx(async (sql) => {
    if ((await checkFence(sql, hold)) === 'lost') return 'lost';
    await endRun(sql, hold.id, failure);
    await stopChildren(sql, hold);
    return 'ok';
  });
}

/** Returns a run to the queue without counting the attempt; ends it as cancelled if a stop was requested. */
export async function release(database: Database, hold: Hold): Promise<WriteOutcome> {
  return await database.tx(async (sql) => {
    const outcome = await checkFence(sql, hold);
    if (outcome === 'cancelled') await endCancelled(sql, hold);
    if (outcome !== 'ok') return outcome;
    const row = await sql.first<RunRow>(RELEASE, [hold.id]);
    if (row !== undefined) await appendState(sql, toRun(row));
    return 'ok';
  });
}

/** Parks a run: no worker owns it until the pause has passed. Ends the run as cancelled if a stop was requested. */
export async function park(database: Database, hold: Hold, pauseMs: number): Promise<WriteOutcome> {
  return await database.tx(async (sql) => {
    const outcome = await checkFence(sql, hold);
    if (outcome === 'cancelled') await endCancelled(sql, hold);
    if (outcome === 'ok') await sql.run(PARK, [hold.id, pauseMs]);
    return outcome;
  });
}

async function endCancelled(sql: Sql, { id }: Hold): Promise<void> {
  await endRun(sql, id, CANCELLED);
  await stopChildren(sql, { id });
}

/** Locks the run's row for the transaction. Returns `lost` if the worker no longer holds the run. */
export async function checkFence(sql: Sql, hold: Hold): Promise<WriteOutcome> {
  if (!isPossible(hold)) return 'lost';
  const row = await sql.first<{ cancel: boolean }>(FENCE, [hold.id, hold.token]);
  if (row === undefined) return 'lost';
  return row.cancel ? 'cancelled' : 'ok';
}

function isPossible({ id, token }: Hold): boolean {
  return isStorable(id) && isInt4(token);
}
