import { type HeldBeat, isStorable, type RunProgress, storableText, type WriteOutcome } from '@headwater/core';
import type { Sql } from '../database.ts';
import { isInt4, textKey } from '../guards.ts';

/**
 * Rows are locked in the order in which cancelling locks a run and what it asked for (`CHILDREN`): a parent is stored before its children, so
 * that neither waits for the other.
 */
const BEATS = `with beats as (
    select * from jsonb_to_recordset($1::jsonb) as b(id text, token int, progress float8, step text)
  ), held as materialized (
    select r.id from headwater.runs r join beats b on b.id = r.id and b.token = r.token
    where r.state = 'running' order by r.seq for update of r
  )
  update headwater.runs r set lease_until = clock_timestamp() + $2::float8 * interval '1 millisecond',
    progress = coalesce(b.progress, r.progress), step = coalesce(b.step, r.step)
  from beats b where r.id = b.id and r.token = b.token and r.state = 'running' and r.id in (select id from held)
  returning r.id, r.cancel_requested as cancel`;

/** By the index of runs in flight, whose condition stands here as it does there. */
const PROGRESS = `select fingerprint, progress, step from headwater.runs
  where fingerprint_key = any ($1::text[]) and state in ('queued', 'running') and not cancel_requested and state = 'running'`;

/** Extends many leases at once. */
export async function heartbeats(
  sql: Sql,
  beats: readonly HeldBeat[],
  leaseMs: number,
): Promise<readonly WriteOutcome[]> {
  const possible = beats.filter(({ id, token }) => isStorable(id) && isInt4(token));
  const told = possible.map(({ id, token, progress, step }) => ({
    id,
    token,
    ...(progress === undefined ? {} : { progress: Math.min(1, Math.max(0, progress)) }),
    ...(step === undefined ? {} : { step: storableText(step) }),
  }));
  const rows = await sql.rows<{ id: string; cancel: boolean }>(BEATS, [JSON.stringify(told), leaseMs]);
  const kept = new Map(rows.map(({ id, cancel }) => [id, cancel ? 'cancelled' : 'ok'] as const));
  return beats.map(({ id }) => kept.get(id) ?? 'lost');
}

/** How far the runs with these fingerprints are that workers have. */
export async function progressOf(sql: Sql, fingerprints: readonly string[]): Promise<readonly RunProgress[]> {
  return await sql.rows<RunProgress>(PROGRESS, [fingerprints.map(textKey)]);
}
