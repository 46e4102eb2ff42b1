import type { NewRunPart, PartChange, PartRun, RunPart, RunStore, WriteOutcome } from '@headwater/core/ports';
import { isStorable } from '@headwater/core/values';
import type { Database, Sql } from '../database.ts';
import { int4, iso, isInt4, storable } from '../guards.ts';
import { checkFence } from './ownership.ts';

const ADD = `insert into headwater.run_parts (run_id, position, tehsil_id, work, part_run_id, is_reused)
  select $1, p.position, p."tehsilId", p.work, p."runId", p."runId" is not null
  from jsonb_to_recordset($2::jsonb) as p(position int, "tehsilId" int, work float8, "runId" text)`;

const LIST = `select p.position, p.tehsil_id as "tehsilId", p.work::text, p.part_run_id as "runId", p.is_reused as "isReused",
    p.is_paused as "isPaused", p.failure, r.state, r.parent_id as "parentId", r.progress::text, r.step, r.error,
    (r.state <> 'queued' or exists (select from headwater.runs d where d.parent_id = r.id and d.state = 'running')) as "isBegun",
    ${iso('r.started_at')} as "startedAt", ${iso('r.finished_at')} as "finishedAt"
  from headwater.run_parts p left join headwater.runs r on r.id = p.part_run_id
  where p.run_id = $1 order by p.position`;

const SET = `update headwater.run_parts set part_run_id = $3, is_reused = $4, failure = $5 where run_id = $1 and position = $2`;

const IN_FLIGHT = `exists (select from headwater.runs o where o.id = p.run_id and o.state in ('queued', 'running'))`;

const PAUSE = `update headwater.run_parts p set is_paused = $2 where run_id = $1 and part_run_id is null and failure is null and ${IN_FLIGHT}`;

const RETRY = `update headwater.run_parts p set part_run_id = null, is_reused = false, is_paused = false, failure = null
  where run_id = $1 and ${IN_FLIGHT}
    and (failure is not null or exists (select from headwater.runs r where r.id = p.part_run_id and r.state = 'failed'))`;

type Own = Pick<RunPart, 'position' | 'tehsilId' | 'runId' | 'isReused' | 'isPaused'>;
type OfRun = Pick<PartRun, 'parentId' | 'step' | 'startedAt' | 'finishedAt' | 'isBegun'>;

interface PartRow extends Own, OfRun {
  readonly work: string;
  readonly failure: string | null;
  readonly state: PartRun['state'] | null;
  readonly progress: string | null;
  readonly error: string | null;
}

/** Stores the parts of a new run, in the transaction that stores the run. */
export async function addParts(sql: Sql, runId: string, parts: readonly NewRunPart[]): Promise<void> {
  if (parts.length === 0) return;
  const rows = parts.map(({ tehsilId, work, runId: part }, position) => ({
    position,
    tehsilId: int4('tehsilId', tehsilId),
    work,
    ...(part === undefined ? {} : { runId: storable('runId', part) }),
  }));
  await sql.run(ADD, [runId, JSON.stringify(rows)]);
}

/** Methods of the run store for the parts of runs. */
export function runParts(database: Database): Pick<RunStore, 'parts' | 'setPart' | 'pauseParts' | 'retryParts'> {
  return {
    parts: async (id) => (isStorable(id) ? (await database.rows<PartRow>(LIST, [id])).map(toPart) : []),
    setPart: (id, token, part) => setPart(database, { id, token }, part),
    pauseParts: async (id, isPaused) => {
      if (isStorable(id)) await database.run(PAUSE, [id, isPaused]);
    },
    retryParts: async (id) => (isStorable(id) ? await database.run(RETRY, [id]) : 0),
  };
}

async function setPart(
  database: Database,
  hold: { readonly id: string; readonly token: number },
  { position, result }: PartChange,
): Promise<WriteOutcome> {
  if (!isInt4(position)) return 'lost';
  const values =
    'failure' in result
      ? [null, false, JSON.stringify(result.failure)]
      : [storable('runId', result.runId), result.isReused, null];
  return await database.tx(async (sql) => {
    const outcome = await checkFence(sql, hold);
    if (outcome === 'lost') return outcome;
    return (await sql.run(SET, [hold.id, position, ...values])) === 0 ? 'lost' : outcome;
  });
}

function toPart(row: PartRow): RunPart {
  const { position, tehsilId, work, runId, isReused, isPaused, failure, state, progress, error, ...rest } = row;
  const { parentId, step, startedAt, finishedAt, isBegun } = rest;
  const own = { position, tehsilId, work: Number(work), runId, isReused, isPaused };
  const reason: RunPart['failure'] = failure === null ? null : JSON.parse(failure);
  if (state === null) return { ...own, failure: reason, run: null };
  const problem: PartRun['error'] = error === null ? null : JSON.parse(error);
  const run = { parentId, state, progress: Number(progress), step, error: problem, startedAt, finishedAt, isBegun };
  return { ...own, failure: reason, run };
}
