import type { Sql } from '../database.ts';

/**
 * Smallest step back of the database's clock, ms, after which leases are shortened. Smaller steps are ignored, because they are usual
 * corrections of a clock.
 */
const STEP_MS = 2000;
/** Time between two readings of the clock, ms. */
const CHECK_MS = 1000;
/**
 * Longest lease that a setting allows, ms. If a lease ends later than this time from now, the clock was set back after
 * the lease was given.
 */
const LONGEST_MS = 3_600_000;

const NOW = 'select extract(epoch from clock_timestamp())::float8 * 1000 as ms';

/**
 * Longest pause of a parked run after a step back, ms: it is longer than the pauses between attempts with default
 * settings.
 */
const LONGEST_PAUSE_MS = 600_000;

const END = `clock_timestamp() + case when worker_id is null then $2::float8 else $1::float8 end * interval '1 millisecond'`;

/**
 * Shortens leases and pauses. Afterwards no lease ends later than `$1` ms from now, and no pause of a parked run ends
 * later than `$2` ms from now. A living worker extends its lease again with its next heartbeat.
 */
const SHORTEN = `update headwater.runs set lease_until = ${END}
  where id in (select id from headwater.runs where state = 'running' and token > 0 and lease_until > ${END} for update skip locked)`;

/**
 * Watches the clock of the database, which determines the ends of leases. If the clock is set back, the run of a dead worker would wait until the
 * clock reaches the old end of its lease. So the leases are shortened. A step is detected by comparison with the clock of this process, which
 * counts from the start of the process. The first reading cannot be compared with an earlier reading, so it only shortens leases that are longer
 * than any setting allows. Leases are not made shorter than `workerLeaseMs`, because a worker sends a heartbeat only after a third of its lease.
 * The lease of the claim that detects the step may be shorter than the leases of other workers.
 */
export function watchClock(sql: Pick<Sql, 'first' | 'run'>, workerLeaseMs: number): (leaseMs: number) => Promise<void> {
  let readAt = -Infinity;
  let lead: number | undefined;
  return async (leaseMs) => {
    const before = performance.now();
    if (before - readAt < CHECK_MS) return;
    readAt = before;
    const { ms = 0 } = (await sql.first<{ ms: number }>(NOW)) ?? {};
    // The database read its clock between the request and the response. So the difference between the clock of the
    // database and the clock of this process is between these two values.
    const [most, least] = [ms - before, ms - performance.now()];
    const isBack = lead !== undefined && most < lead - STEP_MS;
    const isFirst = lead === undefined;
    lead = least;
    if (isBack) await sql.run(SHORTEN, [Math.max(leaseMs, workerLeaseMs), LONGEST_PAUSE_MS]);
    else if (isFirst) await sql.run(SHORTEN, [LONGEST_MS, LONGEST_MS]);
  };
}
