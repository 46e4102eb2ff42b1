import type { Run, RunEvent, RunFailure } from '@headwater/core';
import { iso } from '../guards.ts';

/**
 * Columns of a run. JSON and times are selected as text, because the host application may have changed how the
 * driver parses these types.
 */
export const RUN_COLUMNS = `id, pipeline, params, fingerprint, owner_id as "ownerId", backend, queue,
  dag_id as "dagId", dag_run_id as "dagRunId", run_token_hash as "runTokenHash", request_id as "requestId", published_by as "publishedBy",
  parent_id as "parentId", array_to_json(after)::text as "after", awaits, state, progress::text, step, attempt, token,
  worker_id as "workerId", ${iso('lease_until')} as "leaseUntil", cancel_requested as "cancelRequested", error,
  item_ids as "itemIds", timings, inputs, ${iso('created_at')} as "createdAt", ${iso('started_at')} as "startedAt",
  ${iso('finished_at')} as "finishedAt"`;

type Encoded = 'params' | 'error' | 'itemIds' | 'timings' | 'progress' | 'after' | 'awaits';

/** Row of `RUN_COLUMNS`; JSON columns are text. */
export type RunRow = Omit<Run, Encoded> & {
  readonly params: string;
  readonly after: string;
  readonly awaits: string;
  readonly progress: string;
  readonly error: string | null;
  readonly itemIds: string;
  readonly timings: string;
};

/** Converts a row of `RUN_COLUMNS`. */
export function toRun(row: RunRow): Run {
  const params: Run['params'] = JSON.parse(row.params);
  const error: RunFailure | null = row.error === null ? null : JSON.parse(row.error);
  const itemIds: Run['itemIds'] = JSON.parse(row.itemIds);
  const timings: Run['timings'] = JSON.parse(row.timings);
  const after: Run['after'] = JSON.parse(row.after);
  const awaits: Run['awaits'] = JSON.parse(row.awaits);
  return { ...row, params, after, awaits, error, itemIds, timings, progress: Number(row.progress) };
}

/**
 * Condition that the run `r` has a present Item, table, series or layer file. An Item also counts as present if its
 * replacement has the same content.
 */
export const SHOWN = `(exists (select from headwater.items i where i.run_id = r.id)
  or exists (select from headwater.items i where i.stands_for = r.id)
  or exists (select from headwater.data_tables t where t.run_id = r.id)
  or exists (select from headwater.data_series s where s.run_id = r.id)
  or exists (select from headwater.layer_files f
    join headwater.layers l on l.workspace = f.workspace and l.layer_name = f.layer_name and l.asset_key = f.asset_key
    where f.run_id = r.id))`;

/** Columns of an event. */
export const EVENT_COLUMNS = `run_id as "runId", seq, ${iso('at')} as at, kind, data`;

/** Row of `EVENT_COLUMNS`. */
export type EventRow = Omit<RunEvent, 'data'> & { readonly data: string };

/** Converts a row of `EVENT_COLUMNS`. */
export function toEvent(row: EventRow): RunEvent {
  const data: RunEvent['data'] = JSON.parse(row.data);
  return { ...row, data };
}
