import type { Dispatch, WriteOutcome } from '@headwater/core/ports';
import { isStorable } from '@headwater/core/values';
import { noResult } from '@headwater/core/runs';
import type { Database } from '../database.ts';
import { storable } from '../guards.ts';
import { appendState } from './events.ts';
import { checkFence, type Hold } from './ownership.ts';
import type { RunRow } from './rows.ts';
import { RUN_COLUMNS, toRun } from './rows.ts';

const SET_DISPATCH = `update headwater.runs set dag_id = $2, run_token_hash = $3, dag_run_id = $4 where id = $1`;

const COMPLETE = `update headwater.runs r set state = 'success', progress = 1, item_ids = b.item_ids, timings = b.timings,
    published_by = b.id, finished_at = clock_timestamp(), lease_until = null
  from (select id, item_ids, timings from headwater.runs where id = $2 and state = 'success') b
  where r.id = $1 returning r.id`;

const GET = `select ${RUN_COLUMNS} from headwater.runs where id = $1`;

/** Stores the record of a run's trigger at an orchestrator, unless another worker has taken over the run. */
export async function dispatch(database: Database, hold: Hold, details: Dispatch): Promise<WriteOutcome> {
  const { dagId, runTokenHash, dagRunId } = details;
  const values = [
    storable('dagId', dagId),
    storable('runTokenHash', runTokenHash),
    dagRunId === undefined ? null : storable('dagRunId', dagRunId),
  ];
  return await database.tx(async (sql) => {
    const outcome = await checkFence(sql, hold);
    if (outcome !== 'lost') await sql.run(SET_DISPATCH, [hold.id, ...values]);
    return outcome;
  });
}

/** Completes a run with the result of another run. @throws DomainError `internal` if the other run did not succeed. */
export async function complete(database: Database, hold: Hold, by: string): Promise<WriteOutcome> {
  return await database.tx(async (sql) => {
    const outcome = await checkFence(sql, hold);
    if (outcome !== 'ok') return outcome;
    const done = isStorable(by) ? await sql.first<{ id: string }>(COMPLETE, [hold.id, by]) : undefined;
    if (done === undefined) throw noResult(hold.id, by);
    const row = await sql.first<RunRow>(GET, [hold.id]);
    if (row !== undefined) await appendState(sql, toRun(row));
    return 'ok';
  });
}
