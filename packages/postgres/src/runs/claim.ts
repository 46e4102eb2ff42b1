import { claimRefusal, failedDependency, isUnowned } from '@headwater/core/runs';
import type { ClaimOptions } from '@headwater/core/ports';
import type { Run, RunFailure } from '@headwater/core';
import { storableText } from '@headwater/core/values';
import type { Database, Sql } from '../database.ts';
import { endRun, stopChildren } from './cancel.ts';
import { appendState } from './events.ts';
import type { RunRow } from './rows.ts';
import { RUN_COLUMNS, toRun } from './rows.ts';
import { BEGUN, NEXT, NEXT_UNOWNED, OLDEST } from './fair-order.ts';

/** Serializes the count of runs without owner. The key is "hwun" in ASCII. */
const LOCK_COUNT = 'select pg_advisory_xact_lock(1752659310, 0)';

/** Counts other running runs without owner. Run it under `LOCK_COUNT`, so that the count includes earlier claims. */
const COUNT_OTHERS = `select count(*)::int as others from headwater.runs
  where owner_id is null and parent_id is null and backend = 'local' and state = 'running' and worker_id is not null
    and lease_until > clock_timestamp() and id <> $1`;

const BROKEN = `select id, state, error from headwater.runs where id = any ($1::text[]) and state = 'failed'`;

const CLAIM = `update headwater.runs set state = 'running', attempt = attempt + case when backend = 'orchestrator' and state = 'running' then 0 else 1 end,
    token = token + 1, worker_id = $2,
    step = case when attempt = 0 then null else step end,
    lease_until = clock_timestamp() + $3::float8 * interval '1 millisecond', started_at = coalesce(started_at, clock_timestamp()), claimed_at = clock_timestamp()
  where id = $1 returning ${RUN_COLUMNS}`;

/** Claims the next due run. Also ends due runs that are cancelled, have no attempt left, or waited for a failed run. */
export async function claim(database: Database, options: ClaimOptions): Promise<Run | undefined> {
  for (;;) {
    const found = await database.tx((sql) => claimOrEnd(sql, options));
    if (found !== 'ended') return found;
  }
}

/** Claims a run. Ends at most one run in the transaction, so that two claims cannot block each other. */
async function claimOrEnd(sql: Sql, options: ClaimOptions): Promise<Run | undefined | 'ended'> {
  for (let takesUnowned = true; ;) {
    const row = await next(sql, options, takesUnowned);
    if (row === undefined) return undefined;
    const run = toRun(row);
    takesUnowned &&= !isUnowned(run) || (await hasRoom(sql, run, options.mostUnowned));
    if (!takesUnowned && isUnowned(run)) continue;
    const ending = claimRefusal(run, options.maxAttempts);
    const failure = ending ?? (await brokenDependency(sql, run));
    if (failure === undefined) return await claimRow(sql, row.id, options);
    await endRun(sql, row.id, failure);
    if (ending !== undefined) await stopChildren(sql, run);
    return 'ended';
  }
}

async function next(
  sql: Sql,
  { queue, queues, backend = 'local', pipelines }: ClaimOptions,
  takesUnowned: boolean,
): Promise<RunRow | undefined> {
  const which = [pipelines.map(storableText), backend, takesUnowned];
  if (queue === undefined) return await sql.first<RunRow>(OLDEST, [...which, queues?.map(storableText) ?? null]);
  const inQueue = [...which, storableText(queue)];
  const begun = await sql.first<RunRow>(BEGUN, inQueue);
  if (begun !== undefined) return begun;
  const row = await sql.first<RunRow>(NEXT, inQueue);
  if (row === undefined || !isUnowned(toRun(row))) return row;
  // The oldest run stays locked, but a run with a smaller region may be claimed first.
  return (await sql.first<RunRow>(NEXT_UNOWNED, inQueue)) ?? row;
}

async function hasRoom(sql: Sql, { id }: Run, most: number | undefined): Promise<boolean> {
  if (most === undefined) return true;
  await sql.rows(LOCK_COUNT, []);
  const found = await sql.first<{ others: number }>(COUNT_OTHERS, [id]);
  return (found?.others ?? 0) < most;
}

async function claimRow(sql: Sql, id: string, options: ClaimOptions): Promise<Run | undefined> {
  const row = await sql.first<RunRow>(CLAIM, [id, storableText(options.workerId), options.leaseMs]);
  if (row === undefined) return undefined;
  const run = toRun(row);
  await appendState(sql, run);
  return run;
}

async function brokenDependency(sql: Sql, run: Run): Promise<RunFailure | undefined> {
  if (run.after.length === 0) return undefined;
  const broken = await sql.rows<Pick<RunRow, 'id' | 'state' | 'error'>>(BROKEN, [run.after]);
  return failedDependency(run, (id) => {
    const row = broken.find((each) => each.id === id);
    const error: RunFailure | null = row?.error === undefined || row.error === null ? null : JSON.parse(row.error);
    return row === undefined ? undefined : { ...row, error };
  });
}
