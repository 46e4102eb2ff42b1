import { isStorable, type Run, type RunFilter, type RunStore } from '@headwater/core';
import type { Database, Values } from '../database.ts';
import { isInt4, textKey } from '../guards.ts';
import { endAbandonedImports } from './abandoned-imports.ts';
import { adoptAbandoned } from './adopt-abandoned.ts';
import { requestCancel } from './cancel.ts';
import { claim } from './claim.ts';
import { complete, dispatch } from './dispatch.ts';
import { enqueue } from './enqueue.ts';
import { appendEvent, listEvents, wholeNumber } from './events.ts';
import { heartbeats, progressOf } from './heartbeats.ts';
import { liveAttempts } from './live-attempts.ts';
import { fail, heartbeat, park, release } from './ownership.ts';
import { publish } from './publish.ts';
import { queueState } from './queue-state.ts';
import { removeOld } from './remove-old.ts';
import { bindKey, keyedRun } from './request-keys.ts';
import type { RunRow } from './rows.ts';
import { RUN_COLUMNS, toRun } from './rows.ts';

const GET = `select ${RUN_COLUMNS} from headwater.runs where id = $1`;

/**
 * A newer result with this fingerprint replaced what an older one showed: only the newest can be whole. A run may have published an Item
 * without the table that goes with the one that stands for it.
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
  and ($3::text is null or parent_id = $3::text)`;
/** Left out here already, so that a page of large ones is never held. In JSON text no string holds this mark: its quotes have backslashes. */
const PARAMS = `case when params like '%"bulk":%' then (params::jsonb - 'bulk')::text else params end as params`;
const LISTED = RUN_COLUMNS.replace(', params,', `, ${PARAMS},`);
/** The page first: what is left out costs nothing for runs that are not on it. */
const LIST = `select ${LISTED} from (select * from headwater.runs ${WHERE} order by seq desc
  limit $4::bigint offset $5::bigint) page order by seq desc`;
const COUNT = `select count(*)::int as total from headwater.runs ${WHERE}`;

/** The run machine's storage over PostgreSQL; every time comes from the database's clock. */
export function runStore(database: Database): RunStore {
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
    claim: async (options) => await claim(database, options),
    queueState: async (queue) => await queueState(database, queue),
    heartbeat: async (id, token, beat) => await heartbeat(database, { id, token }, beat),
    heartbeats: async (beats, leaseMs) => await heartbeats(database, beats, leaseMs),
    progressOf: async (fingerprints) => await progressOf(database, fingerprints),
    fail: async (id, token, failure) => await fail(database, { id, token }, failure),
    release: async (id, token) => await release(database, { id, token }),
    park: async (id, token, pauseMs) => await park(database, { id, token }, pauseMs),
    publish: async (id, token, given) => await publish(database, { id, token }, given),
    dispatch: async (id, token, given) => await dispatch(database, { id, token }, given),
    complete: async (id, token, by) => await complete(database, { id, token }, by),
    requestCancel: async (id) => (isStorable(id) ? await requestCancel(database, id) : undefined),
    endAbandonedImports: async (queuedMs) => await endAbandonedImports(database, queuedMs),
    adoptAbandoned: async (by) => await adoptAbandoned(database, by),
    appendEvent: async (id, event) => await appendEvent(database, id, event),
    events: async (id, after, limit) => await listEvents(database, id, { after, limit }),
    liveAttempts: async (keepMs = 0) => await liveAttempts(database, keepMs),
    removeOld: async (ages) => await removeOld(database, ages),
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
  if (filter.parentId !== undefined && !isStorable(filter.parentId)) return { runs: [], total: 0 };
  const where: Values = [filter.ownerId ?? null, filter.state ?? null, filter.parentId ?? null];
  const page = [...where, wholeNumber(filter.limit), wholeNumber(filter.offset)];
  const rows = await database.rows<RunRow>(LIST, page);
  const count = await database.first<{ total: number }>(COUNT, where);
  return { runs: rows.map(toRun), total: count?.total ?? 0 };
}
