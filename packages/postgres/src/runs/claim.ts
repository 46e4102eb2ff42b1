import {
  claimRefusal,
  type ClaimOptions,
  failedDependency,
  type Run,
  type RunFailure,
  storableText,
} from '@headwater/core';
import type { Database, Sql } from '../database.ts';
import { appendState } from './events.ts';
import type { RunRow } from './rows.ts';
import { RUN_COLUMNS, toRun } from './rows.ts';
import { BEGUN, NEXT, OLDEST } from './turns.ts';

const BROKEN = `select id, state, error from headwater.runs where id = any ($1::text[]) and state = 'failed'`;

const TAKE = `update headwater.runs set state = 'running', attempt = attempt + case when backend = 'orchestrator' and state = 'running' then 0 else 1 end,
    token = token + 1, worker_id = $2,
    step = case when attempt = 0 then null else step end,
    lease_until = clock_timestamp() + $3::float8 * interval '1 millisecond', started_at = coalesce(started_at, clock_timestamp()), claimed_at = clock_timestamp()
  where id = $1 returning ${RUN_COLUMNS}`;

const END = `update headwater.runs set state = 'failed', error = $2, finished_at = clock_timestamp(), lease_until = null
  where id = $1 returning ${RUN_COLUMNS}`;

/** Takes the run that is due next; runs that are cancelled or out of attempts are ended on the way. */
export async function claim(database: Database, options: ClaimOptions): Promise<Run | undefined> {
  return await database.tx(async (sql) => {
    for (;;) {
      const row = await next(sql, options);
      if (row === undefined) return undefined;
      const run = toRun(row);
      const failure = claimRefusal(run, options.maxAttempts) ?? (await brokenDependency(sql, run));
      if (failure === undefined) return await take(sql, row.id, options);
      await endRun(sql, row.id, failure);
    }
  });
}

async function next(sql: Sql, { queue, backend = 'local', pipelines }: ClaimOptions): Promise<RunRow | undefined> {
  const which = [pipelines.map(storableText), backend];
  if (queue === undefined) return await sql.first<RunRow>(OLDEST, which);
  const there = [...which, storableText(queue)];
  return (await sql.first<RunRow>(BEGUN, there)) ?? (await sql.first<RunRow>(NEXT, there));
}

/** Ends a run as failed, whatever its state, inside a transaction that holds its row. */
export async function endRun(sql: Sql, id: string, failure: RunFailure): Promise<Run | undefined> {
  const row = await sql.first<RunRow>(END, [id, JSON.stringify(failure)]);
  if (row === undefined) return undefined;
  const run = toRun(row);
  await appendState(sql, run);
  return run;
}

async function take(sql: Sql, id: string, options: ClaimOptions): Promise<Run | undefined> {
  const row = await sql.first<RunRow>(TAKE, [id, storableText(options.workerId), options.leaseMs]);
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
