import type { Sql } from '../database.ts';

/** The clock counts as set back if it steps back by more than this time, ms. Smaller steps are usual corrections. */
const STEP_MS = 2000;
const CHECK_MS = 1000;
/** Longest lease that a setting allows. If a lease is longer, the clock was set back. */
const LONGEST_MS = 3_600_000;

const NOW = 'select extract(epoch from clock_timestamp())::float8 * 1000 as ms';

/** Longest pause of a parked run after a step, ms. It exceeds the pauses between attempts with default settings. */
const LONGEST_PAUSE_MS = 600_000;

const END = `clock_timestamp() + case when worker_id is null then $2::float8 else $1::float8 end * interval '1 millisecond'`;

/** Limits leases to `$1` ms, and pauses of parked runs to `$2` ms, from now. */
const SHORTEN = `update headwater.runs set lease_until = ${END}
  where id in (select id from headwater.runs where state = 'running' and token > 0 and lease_until > ${END} for update skip locked)`;

/**
 * Watches the database's clock. Shortens leases after the clock was set back, because otherwise runs of dead workers
 * would wait (decision 248). Leases keep at least `workerLeaseMs`. A shorter lease could end before the next
 * heartbeat of a living worker.
 */
export function watchClock(sql: Pick<Sql, 'first' | 'run'>, workerLeaseMs: number): (leaseMs: number) => Promise<void> {
  let readAt = -Infinity;
  let lead: number | undefined;
  return async (leaseMs) => {
    const before = performance.now();
    if (before - readAt < CHECK_MS) return;
    readAt = before;
    const { ms = 0 } = (await sql.first<{ ms: number }>(NOW)) ?? {};
    // Bounds of the difference between the two clocks: the database read its clock between request and response.
    const [most, least] = [ms - before, ms - performance.now()];
    const isBack = lead !== undefined && most < lead - STEP_MS;
    const isFirst = lead === undefined;
    lead = least;
    if (isBack) await sql.run(SHORTEN, [Math.max(leaseMs, workerLeaseMs), LONGEST_PAUSE_MS]);
    else if (isFirst) await sql.run(SHORTEN, [LONGEST_MS, LONGEST_MS]);
  };
}
