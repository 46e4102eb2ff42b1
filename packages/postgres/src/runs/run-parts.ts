import { partRefused } from '@headwater/core/runs';
import type {
  NewRun,
  NewRunPart,
  PartChange,
  PartOutcome,
  PartPlace,
  PartRun,
  PartsEnd,
  RunPart,
  RunStore,
  WriteOutcome,
} from '@headwater/core/ports';
import { isStorable } from '@headwater/core/values';
import type { Database, Sql } from '../database.ts';
import { int4, iso, isInt4, storable } from '../guards.ts';
import { endRun, stopChildren } from './cancel.ts';
import { checkFence, type Hold } from './ownership.ts';
import { succeed } from './publish.ts';

const ADD = `insert into headwater.run_parts (run_id, position, tehsil_id, work, part_run_id, is_reused)
  select $1, p.position, p."tehsilId", p.work, p."runId", p."runId" is not null
  from jsonb_to_recordset($2::jsonb) as p(position int, "tehsilId" int, work float8, "runId" text)`;

const LIST = `select p.position, p.tehsil_id as "tehsilId", p.work::text, p.part_run_id as "runId", p.is_reused as "isReused",
    o.is_paused as "isPaused", p.failure, r.state, r.parent_id as "parentId", r.progress::text, r.step, r.error,
    (r.state <> 'queued' or exists (select from headwater.runs d where d.parent_id = r.id and d.state = 'running')) as "isBegun",
    ${iso('least(r.started_at, (select min(d.started_at) from headwater.runs d where d.parent_id = r.id))')} as "begunAt",
    ${iso('r.started_at')} as "startedAt", ${iso('r.finished_at')} as "finishedAt"
  from headwater.run_parts p join headwater.runs o on o.id = p.run_id left join headwater.runs r on r.id = p.part_run_id
  where p.run_id = $1 order by p.position`;

const SET = `update headwater.run_parts set part_run_id = $3, is_reused = $4, failure = $5 where run_id = $1 and position = $2`;

/**
 * True if the part `p` waits for its start. Such a part has no failure. It has no run either, or its run was cancelled
 * and has another parent (see `partState`).
 */
const WAITS = `p.failure is null and not exists (select from headwater.runs r where r.id = p.part_run_id
    and not (r.state = 'failed' and r.parent_id is distinct from p.run_id and r.error::jsonb ->> 'code' = 'cancelled'))`;

const PLACE = `select o.is_paused as "isPaused", (${WAITS}) as waits
  from headwater.run_parts p join headwater.runs o on o.id = p.run_id where p.run_id = $1 and p.position = $2`;

const HAS_OPEN = `select exists (select from headwater.run_parts p where p.run_id = $1 and ((${WAITS})
    or exists (select from headwater.runs r where r.id = p.part_run_id and r.state in ('queued', 'running')))) as "isOpen"`;

const PAUSE = `update headwater.runs set is_paused = $2 where id = $1 and state in ('queued', 'running')`;

const LOCK = `select id from headwater.runs where id = $1 and state in ('queued', 'running') for update`;

const RETRY = `update headwater.run_parts p set part_run_id = null, is_reused = false, failure = null
  where run_id = $1 and (failure is not null or exists (select from headwater.runs r where r.id = p.part_run_id and r.state = 'failed'))`;

type Own = Pick<RunPart, 'position' | 'tehsilId' | 'runId' | 'isReused' | 'isPaused'>;
type OfRun = Pick<PartRun, 'parentId' | 'step' | 'begunAt' | 'startedAt' | 'finishedAt' | 'isBegun'>;

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

/** Locks the parent of a new run. Throws `partRefused` if the new run must not be started as this part. */
export async function enterPart(sql: Sql, { parentId = '' }: NewRun, { position, token }: PartPlace): Promise<void> {
  const outcome = await checkPart(sql, { id: parentId, token }, position);
  if (outcome !== 'ok') throw partRefused(parentId, outcome);
}

/** Stores the run that computes a part. Call `enterPart` before, in the same transaction. */
export async function notePart(
  sql: Sql,
  { id, position }: Pick<PartPlace, 'position'> & Pick<Hold, 'id'>,
  runId: string,
): Promise<void> {
  await sql.run(SET, [id, position, runId, false, null]);
}

/** Methods of the run store for the parts of runs. */
export function runParts(
  database: Database,
): Pick<RunStore, 'parts' | 'setPart' | 'pauseParts' | 'retryParts' | 'endParts'> {
  return {
    parts: async (id) => (isStorable(id) ? (await database.rows<PartRow>(LIST, [id])).map(toPart) : []),
    setPart: (id, token, part) => setPart(database, { id, token }, part),
    pauseParts: async (id, isPaused) => isStorable(id) && (await database.run(PAUSE, [id, isPaused])) > 0,
    retryParts: (id) => retryParts(database, id),
    endParts: (id, token, end) => endParts(database, { id, token }, end),
  };
}

/** Lets failed parts wait again. Locks the run first, because otherwise the run could end in between. */
async function retryParts(database: Database, id: string): Promise<number> {
  if (!isStorable(id)) return 0;
  return await database.tx(async (sql) =>
    (await sql.first(LOCK, [id])) === undefined ? 0 : await sql.run(RETRY, [id]),
  );
}

async function endParts(database: Database, hold: Hold, end: PartsEnd): Promise<WriteOutcome | 'open'> {
  return await database.tx(async (sql) => {
    const outcome = await checkFence(sql, hold);
    if (outcome !== 'ok') return outcome;
    if ((await sql.first<{ isOpen: boolean }>(HAS_OPEN, [hold.id]))?.isOpen === true) return 'open';
    if ('failure' in end) {
      await endRun(sql, hold.id, end.failure);
      await stopChildren(sql, hold);
    } else await succeed(sql, hold.id, { items: [], layers: [], timings: end.timings });
    return 'ok';
  });
}

/** Locks the run. The outcome is `ok` if the token is valid, the part waits, and the run is not paused or cancelled. */
async function checkPart(sql: Sql, hold: Hold, position: number): Promise<PartOutcome> {
  if (!isInt4(position)) return 'lost';
  const outcome = await checkFence(sql, hold);
  if (outcome !== 'ok') return outcome;
  const place = await sql.first<{ isPaused: boolean; waits: boolean }>(PLACE, [hold.id, position]);
  if (place?.waits !== true) return 'lost';
  return place.isPaused ? 'paused' : 'ok';
}

async function setPart(database: Database, hold: Hold, { position, result }: PartChange): Promise<PartOutcome> {
  const values =
    'failure' in result
      ? [null, false, JSON.stringify(result.failure)]
      : [storable('runId', result.runId), result.isReused, null];
  return await database.tx(async (sql) => {
    const outcome = await checkPart(sql, hold, position);
    if (outcome === 'ok') await sql.run(SET, [hold.id, position, ...values]);
    return outcome;
  });
}

function toPart(row: PartRow): RunPart {
  const { position, tehsilId, work, runId, isReused, isPaused, failure, state, progress, error, ...rest } = row;
  const { parentId, step, begunAt, startedAt, finishedAt, isBegun } = rest;
  const own = { position, tehsilId, work: Number(work), runId, isReused, isPaused };
  const reason: RunPart['failure'] = failure === null ? null : JSON.parse(failure);
  if (state === null) return { ...own, failure: reason, run: null };
  const problem: PartRun['error'] = error === null ? null : JSON.parse(error);
  const times = { begunAt, startedAt, finishedAt, isBegun };
  const run = { parentId, state, progress: Number(progress), step, error: problem, ...times };
  return { ...own, failure: reason, run };
}
