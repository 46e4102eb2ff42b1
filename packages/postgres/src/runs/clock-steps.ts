import type { Sql } from '../database.ts';

/** Smallest step back of the database's clock, ms, after which leases are shortened. A clock that is only adjusted makes no such steps. */
const STEP_MS = 2000;
/** Time between two readings of the clock, ms. */
const CHECK_MS = 1000;
/** Longest lease that a setting allows, ms. A lease that ends later was given before a step back. */
const LONGEST_MS = 3_600_000;

const NOW = 'select extract(epoch from clock_timestamp())::float8 * 1000 as ms';

/** Lets no lease end later than this time from now. A living worker extends its lease again with its next heartbeat. */
const SHORTEN = `update headwater.runs set lease_until = clock_timestamp() + $1::float8 * interval '1 millisecond'
  where id in (select id from headwater.runs where state = 'running' and token > 0
    and lease_until > clock_timestamp() + $1::float8 * interval '1 millisecond' for update skip locked)`;

/**
 * Watches the clock of the database, which determines the ends of leases. After a step back, the run of a worker that has died would wait
 * until the clock has passed the old end again, so the leases are shortened. The step is seen against the clock of this process, which counts
 * from its start; the first reading can only find leases that are longer than any setting.
 */
export function watchClock(sql: Pick<Sql, 'first' | 'run'>): (leaseMs: number) => Promise<void> {
  let readAt = -Infinity;
  let lead: number | undefined;
  return async (leaseMs) => {
    const before = performance.now();
    if (before - readAt < CHECK_MS) return;
    readAt = before;
    const { ms = 0 } = (await sql.first<{ ms: number }>(NOW)) ?? {};
    // The answer may be slow: the lead of the database's clock is at most the first value, and at least the second.
    const [most, least] = [ms - before, ms - performance.now()];
    const isBack = lead !== undefined && most < lead - STEP_MS;
    const isFirst = lead === undefined;
    lead = least;
    if (isBack || isFirst) await sql.run(SHORTEN, [isBack ? leaseMs : LONGEST_MS]);
  };
}
