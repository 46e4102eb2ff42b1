import { ABANDONED_IMPORT, IMPORT_PIPELINE } from '@headwater/core';
import type { Database } from '../database.ts';
import { endRun } from './claim.ts';

/** `skip locked`: a run that somebody has in hand at this moment is not abandoned. */
const ABANDONED = `select id from headwater.runs
  where state in ('queued', 'running') and pipeline ~ $1
    and (lease_until <= clock_timestamp()
      or (state = 'queued' and created_at <= clock_timestamp() - $2::float8 * interval '1 millisecond'))
  order by seq for update skip locked`;

/** Ends imports whose process died; gives how many. */
export async function endAbandonedImports(database: Database, queuedMs: number): Promise<number> {
  return await database.tx(async (sql) => {
    const found = await sql.rows<{ readonly id: string }>(ABANDONED, [IMPORT_PIPELINE, queuedMs]);
    for (const { id } of found) await endRun(sql, id, ABANDONED_IMPORT);
    return found.length;
  });
}
