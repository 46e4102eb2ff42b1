import type { Sql } from '../database.ts';

/** Smaller steps are usual corrections of a clock. */
const STEP_MS = 2000;
const CHECK_MS = 1000;
/** Longest lease that a setting allows, ms. A longer remaining lease shows that the clock was set back. */
const LONGEST_MS = 3_600_000;

const NOW = 'select extract(epoch from clock_timestamp())::float8 * 1000 as ms';

/** Longer than the pauses between attempts with default settings, ms. */
const LONGEST_PAUSE_MS = 600_000;

const END = `clock_timestamp() + case when worker_id is null then $2::float8 else $1::float8 end * interval '1 millisecond'`;

/**
 * Limits remaining leases to `$1` ms and pauses of parked runs to `$2` ms. A living worker extends its lease with its
 * next heartbeat.
 */
const SHORTEN = `update headwater.runs set lease_until = ${END}
  where id in (select id from headwater.runs where state = 'running' and token > 0 and lease_until > ${END} for update skip locked)`;

/**
 * Watches the database's clock and shortens leases if it was set back, because otherwise the runs of dead workers would
 * wait (decision 248). Leases keep at least `workerLeaseMs`, because a worker sends a heartbeat only after a third of
 * its lease.
 */
export function watchClock(sql: Pick<Sql, 'first' | 'run'>, workerLeaseMs: number): (leaseMs: number) => Promise<void> {
  let readAt = -Infinity;
  let lead: number | undefined;
  return async (leaseMs) => {
    const before = performance.now();
    if (before - readAt < CHECK_MS) return;
    readAt = before;
    const { ms = 0 } = (await sql.first<{ ms: number }>(NOW)) ?? {};
    // The database read its clock between the request and the response, so the difference of the clocks is between
    // these values.
    const [most, least] = [ms - before, ms - performance.now()];
    const isBack = lead !== undefined && most < lead - STEP_MS;
    const isFirst = lead === undefined;
    lead = least;
    if (isBack) await sql.run(SHORTEN, [Math.max(leaseMs, workerLeaseMs), LONGEST_PAUSE_MS]);
    else if (isFirst) await sql.run(SHORTEN, [LONGEST_MS, LONGEST_MS]);
  };
}
