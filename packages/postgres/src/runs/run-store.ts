import { ABANDONED_IMPORT, IMPORT_PIPELINE, OWN_QUEUES } from '@headwater/core/runs';
import type {
  Adoption,
  RunHeartbeat,
  QueueState,
  RemovedRuns,
  RunAges,
  RunFilter,
  RunProgress,
  RunStore,
  WriteOutcome,
} from '@headwater/core/ports';
import { isStorable, storableText } from '@headwater/core/values';
import type { Run } from '@headwater/core';
import type { Database, Values, Sql } from '../database.ts';
import { isInt4, storable, textKey, iso } from '../guards.ts';
import { endRun, requestCancel } from './cancel.ts';
import { claim } from './claim.ts';
import { complete, dispatch } from './dispatch.ts';
import { enqueue } from './enqueue.ts';
import { appendEvent, listEvents, wholeNumber } from './events.ts';
import { fail, heartbeat, park, release } from './ownership.ts';
import { publish } from './publish.ts';
import { runParts } from './run-parts.ts';
import { bindKey, keyedRun } from './request-keys.ts';
import { removeRegions } from './remove-regions.ts';
import { watchClock } from './clock-steps.ts';
import { unpublish } from './unpublish.ts';
import { RUN_COLUMNS, type RunRow, SHOWN, toRun } from './rows.ts';
import { READY } from './fair-order.ts';

/** Locks rows in the order of their creation, as a cancellation does (`CHILDREN` in cancel.ts), to avoid deadlocks. */
const BEATS = `with beats as (
    select * from jsonb_to_recordset($1::jsonb) as b(id text, token int, progress float8, step text)
  ), locked as materialized (
    select r.id from headwater.runs r join beats b on b.id = r.id and b.token = r.token
    where r.state = 'running' order by r.seq for update of r
  )
  update headwater.runs r set lease_until = clock_timestamp() + $2::float8 * interval '1 millisecond',
    progress = coalesce(b.progress, r.progress), step = coalesce(b.step, r.step)
  from beats b where r.id = b.id and r.token = b.token and r.state = 'running' and r.id in (select id from locked)
  returning r.id, r.cancel_requested as cancel`;

/** Repeats the condition of the index, because otherwise PostgreSQL does not use the index. */
const PROGRESS = `select fingerprint, progress, step from headwater.runs
  where fingerprint_key = any ($1::text[]) and state in ('queued', 'running') and not cancel_requested and state = 'running'`;

async function heartbeats(sql: Sql, beats: readonly RunHeartbeat[], leaseMs: number): Promise<readonly WriteOutcome[]> {
  const possible = beats.filter(({ id, token }) => isStorable(id) && isInt4(token));
  const stored = possible.map(({ id, token, progress, step }) => ({
    id,
    token,
    ...(progress === undefined ? {} : { progress: Math.min(1, Math.max(0, progress)) }),
    ...(step === undefined ? {} : { step: storableText(step) }),
  }));
  const rows = await sql.rows<{ id: string; cancel: boolean }>(BEATS, [JSON.stringify(stored), leaseMs]);
  const outcomes = new Map(rows.map(({ id, cancel }) => [id, cancel ? 'cancelled' : 'ok'] as const));
  return beats.map(({ id }) => outcomes.get(id) ?? 'lost');
}

async function progressOf(sql: Sql, fingerprints: readonly string[]): Promise<readonly RunProgress[]> {
  return await sql.rows<RunProgress>(PROGRESS, [fingerprints.map(textKey)]);
}

/** Marks successful runs without a current result as replaced, with the time of this check. */
const MARK_REPLACED = `update headwater.runs r set replaced_at = clock_timestamp()
  where r.state = 'success' and r.replaced_at is null and not ${SHOWN}`;

const LIVE = `select id, token from headwater.runs where state = 'running'
  union all
  select id, token from headwater.runs where state = 'success'
    and (replaced_at is null or replaced_at > clock_timestamp() - $1::float8 * interval '1 millisecond')`;

/** Returns the attempts whose folders are in use, also of runs that were replaced less than `keepMs` ago. */
async function liveAttempts(
  database: Database,
  keepMs: number,
): Promise<readonly { readonly id: string; readonly token: number }[]> {
  await database.run(MARK_REPLACED);
  return await database.rows<{ id: string; token: number }>(LIVE, [keepMs]);
}

/** The process that gets this lock removes old runs. The key is an arbitrary number that no other lock has. */
const LOCK_REMOVAL = `select pg_try_advisory_xact_lock(114881380115577::bigint) as mine`;

const olderThan = (column: string, parameter: string): string =>
  `${column} < clock_timestamp() - ${parameter}::float8 * interval '1 millisecond'`;

const EVENTS = `with old as (
    select id from headwater.runs where ${olderThan('finished_at', '$1')} and events_removed_at is null
    order by finished_at limit $2::int for update skip locked),
  gone as (delete from headwater.run_events e using old where e.run_id = old.id and e.kind <> 'state' returning 1),
  noted as (update headwater.runs r set events_removed_at = clock_timestamp() from old where r.id = old.id)
  select (select count(*) from gone)::int as events, (select count(*) from old)::int as looked`;

const RUNS = `with old as (
    select id from headwater.runs r
    where not exists (select from headwater.runs w where w.state in ('queued', 'running') and r.id = any (w.after))
      and not exists (select from headwater.runs p where p.id = r.parent_id)
      and ((r.state = 'failed' and ${olderThan('r.finished_at', '$1')})
      or (r.state = 'success' and ${olderThan('r.finished_at', '$1')} and ${olderThan('r.replaced_at', '$1')} and not ${SHOWN}))
    order by r.finished_at limit $2::int for update skip locked),
  versions as (delete from headwater.replaced_items i using old where i.run_id = old.id),
  gone as (delete from headwater.runs r using old where r.id = old.id returning 1)
  select count(*)::int as runs from gone`;

/** Runs one step of the removal by age; does nothing while another process runs a step. */
async function removeOld(database: Database, { eventsMs, runsMs, most }: RunAges): Promise<RemovedRuns> {
  return await database.tx(async (sql) => {
    const lock = await sql.first<{ mine: boolean }>(LOCK_REMOVAL);
    if (lock?.mine !== true) return { events: 0, runs: 0, isMore: false };
    await sql.run(MARK_REPLACED);
    const ended = runsMs === 0 ? undefined : await sql.first<{ runs: number }>(RUNS, [runsMs, most]);
    const quiet =
      eventsMs === 0 ? undefined : await sql.first<{ events: number; looked: number }>(EVENTS, [eventsMs, most]);
    const runs = ended?.runs ?? 0;
    return { events: quiet?.events ?? 0, runs, isMore: runs === most || quiet?.looked === most };
  });
}

const SINCE = `clock_timestamp() - $4::float8 * interval '1 millisecond'`;

const ADOPT = `with abandoned as (
    select id from headwater.runs r
    where state in ('queued', 'running') and backend = 'local' and queue ~ $1 and pipeline = any ($3::text[])
      and (state = 'queued' or lease_until <= clock_timestamp())
      and not exists (select from headwater.runs o where o.state in ('queued', 'running') and o.queue = r.queue
        and greatest(o.created_at, o.lease_until) > ${SINCE})
      and not exists (select from headwater.runs o where o.finished_at is not null and o.queue = r.queue and o.finished_at > ${SINCE})
    order by seq for update of r skip locked)
  update headwater.runs set queue = $2 where id in (select id from abandoned) returning id`;

/** Moves the runs of dead processes to a queue of workers; returns the number of moved runs. */
async function adoptAbandoned(database: Database, { queue, pipelines, silentMs }: Adoption): Promise<number> {
  const values = [OWN_QUEUES, storable('queue', queue), pipelines.map(storableText), silentMs];
  return await database.tx(async (sql) => (await sql.rows(ADOPT, values)).length);
}

const QUEUE_STATE = `select w.waiting, w.oldest as "oldestAt",
    (select count(*)::int from headwater.runs where backend = 'local' and queue = $1 and state = 'running' and token > 0
      and worker_id is not null and lease_until > clock_timestamp()) as working,
    (select ${iso('claimed_at')} from headwater.runs where backend = 'local' and queue = $1 and claimed_at is not null
      order by claimed_at desc limit 1) as "claimedAt"
  from (select count(*)::int as waiting, ${iso('min(created_at)')} as oldest from headwater.runs r
    where backend = 'local' and queue = $1 and state = 'queued' and ${READY}) w`;

const EMPTY: QueueState = { waiting: 0, working: 0, oldestAt: null, claimedAt: null };

async function queueState(database: Database, queue: string): Promise<QueueState> {
  return (isStorable(queue) ? await database.first<QueueState>(QUEUE_STATE, [queue]) : undefined) ?? EMPTY;
}

const ABANDONED = `select id from headwater.runs
  where state in ('queued', 'running') and pipeline ~ $1
    and (lease_until <= clock_timestamp()
      or (state = 'queued' and created_at <= clock_timestamp() - $2::float8 * interval '1 millisecond'))
  order by seq for update skip locked`;

/** Ends the imports of dead processes, and imports that are queued for longer than `queuedMs`; returns their number. */
async function endAbandonedImports(database: Database, queuedMs: number): Promise<number> {
  return await database.tx(async (sql) => {
    const found = await sql.rows<{ readonly id: string }>(ABANDONED, [IMPORT_PIPELINE, queuedMs]);
    for (const { id } of found) await endRun(sql, id, ABANDONED_IMPORT);
    return found.length;
  });
}

const GET = `select ${RUN_COLUMNS} from headwater.runs where id = $1`;

/**
 * Selects the newest successful run of a fingerprint, with the number of its present Items, and whether all its data
 * are present. If a later run replaced an Item by one with the same content, the Item counts as present, and so do its
 * tables.
 */
const RESULT = `select ${RUN_COLUMNS}, (select count(*)::int from headwater.items i where i.run_id = runs.id)
    + (select count(*)::int from headwater.items i where i.stands_for = runs.id) as shown,
    (select count(*) from headwater.data_tables t where t.run_id = runs.id)
      + (select count(*) from headwater.items i
        join headwater.data_tables t on t.run_id = i.run_id and t.item_id = i.id where i.stands_for = runs.id)
      + (select count(*) from headwater.data_series s where s.run_id = runs.id) >= data_count as "hasData"
  from headwater.runs where fingerprint_key = $1 and state = 'success' and inputs is not null
  order by seq desc limit 1`;

const WHERE = `where ($1::int is null or owner_id = $1::int) and ($2::text is null or state = $2::text)
  and ($3::text is null or parent_id = $3::text or ($3::text = '' and parent_id is null))`;
/**
 * Removes `bulk` (large) and `call` (the caller), so that a page never loads them. The patterns cannot match a text
 * value, because JSON escapes quotation marks in texts.
 */
const PARAMS = `case when params like '%"bulk":%' or params like '%"call":{"from":%' then (params::jsonb - '{bulk,call}'::text[])::text
  else params end as params`;
const LISTED = RUN_COLUMNS.replace(', params,', `, ${PARAMS},`);
/** Selects the page first, so that `bulk` and `call` are removed only from the runs of the page. */
const LIST = `select ${LISTED} from (select * from headwater.runs ${WHERE} order by seq desc
  limit $4::bigint offset $5::bigint) page order by seq desc`;
const COUNT = `select count(*)::int as total from headwater.runs ${WHERE}`;

const OPEN = `select exists (select from headwater.runs
  where headwater.run_tehsil(params) = $1 and state in ('queued', 'running')) as "isOpen"`;

/**
 * Searches the text, because jsonb refuses some characters. The pattern cannot match a text value, because JSON
 * escapes quotation marks in texts.
 */
const OPEN_OF_ACCOUNT = `select id, (count(*) over ())::int as total from headwater.runs
  where state in ('queued', 'running') and params ~ ('"eoAccountId":' || $1::int || '[,}]') order by seq desc limit $2::bigint`;

async function openRunsOf(
  database: Database,
  eoAccountId: number,
  limit: number,
): Promise<{ readonly ids: readonly string[]; readonly total: number }> {
  if (!isInt4(eoAccountId)) return { ids: [], total: 0 };
  const values = [eoAccountId, wholeNumber(limit)];
  const rows = await database.rows<{ readonly id: string; readonly total: number }>(OPEN_OF_ACCOUNT, values);
  return { ids: rows.map(({ id }) => id), total: rows[0]?.total ?? 0 };
}

/**
 * Storage of runs in PostgreSQL. All times come from the clock of the database. `workerLeaseMs`: lease of the workers
 * of this installation.
 */
export function runStore(database: Database, workerLeaseMs: number): RunStore {
  const checkClock = watchClock(database, workerLeaseMs);
  return {
    enqueue: async (run, options) => await enqueue(database, run, options),
    keyedRun: async (key) => await keyedRun(database, key),
    bindKey: async (key, runId) => await bindKey(database, key, runId),
    resultOf: async (fingerprint) => await resultOf(database, fingerprint),
    get: async (id) => {
      const row = isStorable(id) ? await database.first<RunRow>(GET, [id]) : undefined;
      return row === undefined ? undefined : toRun(row);
    },
    list: async (filter) => await list(database, filter),
    hasOpenRuns: async (tehsilId) =>
      isInt4(tehsilId) && (await database.first<{ isOpen: boolean }>(OPEN, [tehsilId]))?.isOpen === true,
    openRunsOf: async (eoAccountId, limit) => await openRunsOf(database, eoAccountId, limit),
    claim: async (options) => {
      await checkClock(options.leaseMs);
      return await claim(database, options);
    },
    queueState: async (queue) => await queueState(database, queue),
    heartbeat: async (id, token, beat) => await heartbeat(database, { id, token }, beat),
    heartbeats: async (beats, leaseMs) => await heartbeats(database, beats, leaseMs),
    progressOf: async (fingerprints) => await progressOf(database, fingerprints),
    fail: async (id, token, failure) => await fail(database, { id, token }, failure),
    release: async (id, token) => await release(database, { id, token }),
    park: async (id, token, pauseMs) => await park(database, { id, token }, pauseMs),
    publish: async (id, token, deliverable) => await publish(database, { id, token }, deliverable),
    dispatch: async (id, token, details) => await dispatch(database, { id, token }, details),
    ...runParts(database),
    complete: async (id, token, by) => await complete(database, { id, token }, by),
    requestCancel: async (id) => (isStorable(id) ? await requestCancel(database, id) : undefined),
    endAbandonedImports: async (queuedMs) => await endAbandonedImports(database, queuedMs),
    adoptAbandoned: async (by) => await adoptAbandoned(database, by),
    appendEvent: async (id, event) => await appendEvent(database, id, event),
    events: async (id, after, limit) => await listEvents(database, id, { after, limit }),
    liveAttempts: async (keepMs = 0) => await liveAttempts(database, keepMs),
    removeOld: async (ages) => await removeOld(database, ages),
    removeRegions: async (which) => await removeRegions(database, which),
    unpublish: async (item) => await unpublish(database, item),
  };
}

async function resultOf(database: Database, fingerprint: string): Promise<Run | undefined> {
  const row = await database.first<RunRow & { readonly shown: number; readonly hasData: boolean }>(RESULT, [
    textKey(fingerprint),
  ]);
  if (row === undefined) return undefined;
  const { shown, hasData, ...rest } = row;
  const run = toRun(rest);
  return hasData && run.itemIds.length === shown ? run : undefined;
}

async function list(
  database: Database,
  filter: RunFilter,
): Promise<{ readonly runs: readonly Run[]; readonly total: number }> {
  if (filter.ownerId !== undefined && !isInt4(filter.ownerId)) return { runs: [], total: 0 };
  const { parentId } = filter;
  if (typeof parentId === 'string' && !isStorable(parentId)) return { runs: [], total: 0 };
  const where: Values = [filter.ownerId ?? null, filter.state ?? null, parentId === null ? '' : (parentId ?? null)];
  const page = [...where, wholeNumber(filter.limit), wholeNumber(filter.offset)];
  const rows = await database.rows<RunRow>(LIST, page);
  const runs = rows.map(toRun);
  // On the last page, the number of rows gives the total, so no second statement is needed.
  const isLast = rows.length < filter.limit && (rows.length > 0 || filter.offset <= 0);
  if (isLast) return { runs, total: Math.max(0, filter.offset) + rows.length };
  const count = await database.first<{ total: number }>(COUNT, where);
  return { runs, total: count?.total ?? 0 };
}
