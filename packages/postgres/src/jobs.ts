import { isStorable } from '@headwater/core/values';
import type { Job, JobOutcome, JobStore } from '@headwater/core/ports';
import { tooManyJobs } from '@headwater/core/runs';
import type { Database, Sql, Values } from './database.ts';
import { storable, iso } from './guards.ts';

interface JobRow {
  readonly id: string;
  readonly op: string;
  readonly params: string;
  readonly outcome: string | null;
  readonly createdAt: string;
  readonly finishedAt: string | null;
}

/** Number of removed bytes that causes a `vacuum`, because the embedded database has no autovacuum. */
const VACUUM_AFTER_BYTES = 16 * 1024 * 1024;
/** Takes a lock, so that concurrent calls of `add` cannot exceed the limits. The key is "hwjb" in ASCII. */
const LOCK_COUNT = 'select pg_advisory_xact_lock(1752656482, 0)';
/** Removes jobs and returns their stored (compressed) size in bytes, without reading their texts. */
const drop = (condition: string): string => `with dropped as (delete from headwater.jobs where ${condition}
  returning pg_column_size(params) + coalesce(pg_column_size(outcome), 0) as bytes)
  select coalesce(sum(bytes), 0)::float8 as bytes from dropped`;
const DROP_OLD = drop(`created_at < clock_timestamp() - $1::float8 * interval '1 millisecond'`);
const DROP_ENDED = drop(`id in (select id from headwater.jobs where outcome is not null and op = $1
  order by finished_at desc, id desc offset $2::int)`);
const COUNT_OPEN = `select count(*)::int as open, (count(*) filter (where params = $2))::int as alike
  from headwater.jobs where outcome is null and op = $1`;
const ADD = 'insert into headwater.jobs (id, op, params) values ($1, $2, $3)';
const GET = `select id, op, params, outcome, ${iso('created_at')} as "createdAt", ${iso('finished_at')} as "finishedAt"
  from headwater.jobs where id = $1`;
const OPEN = `select id, op, ${iso('created_at')} as "createdAt" from headwater.jobs where outcome is null
  order by created_at, id`;
const RENAME = `update headwater.jobs set id = $2 where id = $1 and outcome is null
  and not exists (select from headwater.jobs where id = $2)`;
const FINISH = `update headwater.jobs set outcome = $2, finished_at = clock_timestamp() where id = $1 and outcome is null`;
const DROP_LARGE = drop(`id in (select id from (
    select id, sum(pg_column_size(params) + pg_column_size(outcome)) over (order by finished_at desc, id desc) as bytes
    from headwater.jobs where outcome is not null and op = (select op from headwater.jobs where id = $1)
  ) as ended where bytes > $2::float8 and id <> $1)`);
const IS_KNOWN = 'select id from headwater.jobs where id = $1';

/** Jobs in PostgreSQL. */
export function jobStore(database: Database): JobStore {
  const remove = async (sql: Sql, text: string, values: Values): Promise<number> =>
    (await sql.first<{ readonly bytes: number }>(text, values))?.bytes ?? 0;
  let removedBytes = 0;
  const removed = async (bytes: number): Promise<void> => {
    removedBytes += bytes;
    if (!database.embedded || removedBytes < VACUUM_AFTER_BYTES) return;
    removedBytes = 0;
    // An error is ignored, because `vacuum` runs again after the next 16 MiB.
    await database.run('vacuum headwater.jobs').catch(() => {});
  };
  return {
    add: async ({ id, op, params }, { mostOpen, mostAlike = mostOpen, mostEnded, keepMs }) => {
      const text = JSON.stringify(params);
      const values = [storable('id', id), storable('op', op), text];
      const bytes = await database.tx(async (sql) => {
        await sql.rows(LOCK_COUNT);
        const dropped = (await remove(sql, DROP_OLD, [keepMs])) + (await remove(sql, DROP_ENDED, [op, mostEnded]));
        const found = await sql.first<{ open: number; alike: number }>(COUNT_OPEN, [op, text]);
        if ((found?.open ?? 0) >= mostOpen) throw tooManyJobs(op, mostOpen);
        if ((found?.alike ?? 0) >= mostAlike) throw tooManyJobs(op, mostAlike, ' for this caller');
        await sql.run(ADD, values);
        return dropped;
      });
      await removed(bytes);
    },
    get: async (id) => {
      const row = isStorable(id) ? await database.first<JobRow>(GET, [id]) : undefined;
      return row === undefined ? undefined : toJob(row);
    },
    open: async () => await database.rows<Pick<JobRow, 'id' | 'op' | 'createdAt'>>(OPEN),
    rename: async (id, to) => {
      if (isStorable(id)) await database.run(RENAME, [id, storable('id', to)]);
    },
    finish: async (id, outcome, mostBytes) => {
      if (!isStorable(id)) return 'unknown';
      const bytes = await database.tx(async (sql) => {
        if ((await sql.run(FINISH, [id, JSON.stringify(outcome)])) === 0) return undefined;
        return mostBytes === undefined ? 0 : await remove(sql, DROP_LARGE, [id, mostBytes]);
      });
      if (bytes !== undefined) {
        await removed(bytes);
        return 'stored';
      }
      return (await database.first(IS_KNOWN, [id])) === undefined ? 'unknown' : 'finished';
    },
  };
}

function toJob(row: JobRow): Job {
  const params: Job['params'] = JSON.parse(row.params);
  const outcome: JobOutcome | null = row.outcome === null ? null : JSON.parse(row.outcome);
  return { ...row, params, outcome };
}
