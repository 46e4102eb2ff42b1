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

/** True where the run `r` waits for one in these states. States only move forward: what has ended here has ended for good. */
const AWAITED = (states: string): string =>
  `exists (select from headwater.runs d where d.id = any (r.after) and d.state in ${states})`;

/** `skip locked`: workers that claim at the same time pass each other instead of queueing for one row. */
const CANDIDATE = `select ${RUN_COLUMNS} from headwater.runs r
  where state in ('queued', 'running') and pipeline = any ($1::text[]) and backend = $2 and queue = coalesce($3::text, queue)
    and (state = 'queued' or lease_until <= clock_timestamp())
    and (after = '{}' or not ${AWAITED("('queued', 'running')")} or ${AWAITED("('failed')")})
  order by seq limit 1 for update of r skip locked`;

const BROKEN = `select id, state, error from headwater.runs where id = any ($1::text[]) and state = 'failed'`;

const TAKE = `update headwater.runs set state = 'running', attempt = attempt + case when backend = 'orchestrator' and state = 'running' then 0 else 1 end,
    token = token + 1, worker_id = $2,
    step = case when attempt = 0 then null else step end,
    lease_until = clock_timestamp() + $3::float8 * interval '1 millisecond', started_at = coalesce(started_at, clock_timestamp())
  where id = $1 returning ${RUN_COLUMNS}`;

const END = `update headwater.runs set state = 'failed', error = $2, finished_at = clock_timestamp(), lease_until = null
  where id = $1 returning ${RUN_COLUMNS}`;

/** Takes the oldest run that is due; runs that are cancelled or out of attempts are ended on the way. */
export async function claim(database: Database, options: ClaimOptions): Promise<Run | undefined> {
  const { queue, backend = 'local' } = options;
  const which = [options.pipelines.map(storableText), backend, queue === undefined ? null : storableText(queue)];
  return await database.tx(async (sql) => {
    for (;;) {
      const row = await sql.first<RunRow>(CANDIDATE, which);
      if (row === undefined) return undefined;
      const run = toRun(row);
      const failure = claimRefusal(run, options.maxAttempts) ?? (await brokenDependency(sql, run));
      if (failure === undefined) return await take(sql, row.id, options);
      await endRun(sql, row.id, failure);
    }
  });
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
