import type { RemovedRuns, RunAges } from '@headwater/core';
import type { Database } from '../database.ts';
import { NOTE, SHOWN } from './live-attempts.ts';

/** Transaction-level advisory lock: of several processes one removes, the others leave it to that one. "hwtidy" in ASCII. */
const TURN = `select pg_try_advisory_xact_lock(114881380115577::bigint) as mine`;

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
      and ((r.state = 'failed' and ${olderThan('r.finished_at', '$1')})
      or (r.state = 'success' and ${olderThan('r.finished_at', '$1')} and ${olderThan('r.replaced_at', '$1')} and not ${SHOWN}))
    order by r.finished_at limit $2::int for update skip locked),
  versions as (delete from headwater.replaced_items i using old where i.run_id = old.id),
  gone as (delete from headwater.runs r using old where r.id = old.id returning 1)
  select count(*)::int as runs from gone`;

/** One step of the removal by age; does nothing while another process is at it. */
export async function removeOld(database: Database, { eventsMs, runsMs, most }: RunAges): Promise<RemovedRuns> {
  return await database.tx(async (sql) => {
    const turn = await sql.first<{ mine: boolean }>(TURN);
    if (turn?.mine !== true) return { events: 0, runs: 0, isMore: false };
    await sql.run(NOTE);
    const ended = runsMs === 0 ? undefined : await sql.first<{ runs: number }>(RUNS, [runsMs, most]);
    const quiet =
      eventsMs === 0 ? undefined : await sql.first<{ events: number; looked: number }>(EVENTS, [eventsMs, most]);
    const runs = ended?.runs ?? 0;
    return { events: quiet?.events ?? 0, runs, isMore: runs === most || quiet?.looked === most };
  });
}
