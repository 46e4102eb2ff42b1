import {
  callMark,
  callOf,
  countsAsOpen,
  DEFAULT_QUEUE,
  IMPORT_PIPELINE,
  tooManyOfAddress,
  tooManyOpen,
  waitingStep,
  waitsForItself,
} from '@headwater/core/runs';
import { DomainError, type Run } from '@headwater/core';
import type { EnqueuedRun, EnqueueOptions, NewRun } from '@headwater/core/ports';
import { storableText } from '@headwater/core/values';
import type { Database, Sql } from '../database.ts';
import { int4, storable, textKey } from '../guards.ts';
import { appendState } from './events.ts';
import { moveKey, assignKey } from './request-keys.ts';
import { addParts, enterPart, notePart } from './run-parts.ts';
import type { RunRow } from './rows.ts';
import { RUN_COLUMNS, toRun } from './rows.ts';

const IN_FLIGHT = `state in ('queued', 'running') and not cancel_requested`;

const INSERT = `insert into headwater.runs (id, pipeline, params, fingerprint, fingerprint_key, owner_id, parent_id, backend, queue, request_id)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
  on conflict (fingerprint_key) where ${IN_FLIGHT} do nothing returning ${RUN_COLUMNS}`;

const SET_WAITING = `update headwater.runs set after = $2::text[], awaits = $3, step = $4 where id = $1 returning ${RUN_COLUMNS}`;

/** Locks the found run until commit, so that its later cancellation also finds the new run that waits for it. */
const FIND = `select ${RUN_COLUMNS} from headwater.runs where fingerprint_key = $1 and ${IN_FLIGHT} for key share`;

/** First key of the locks for counting an owner's runs: "hwru" in ASCII. The second key is the owner. */
const COUNTING = 1_752_658_549;
const NO_OWNER = 0;
const LOCK_OWNER = 'select pg_advisory_xact_lock($1::int, $2::int)';
const OPEN = `select count(*)::int as open, (count(*) filter (where $3::text is not null and strpos(params, $3) > 0))::int as alike from headwater.runs
  where owner_id is not distinct from $1::int and ($1::int is not null or backend = 'local') and parent_id is null and state in ('queued', 'running') and pipeline !~ $2`;

const FINGERPRINT_KEY = 4;

/** Maximum number of tries. A run in flight can prevent the insert and then end before it is read. */
const MAX_TRIES = 20;

/**
 * Stores a queued run. Returns an existing run instead, if it has the same fingerprint and is in flight, or was
 * requested with the same key (`options.key`). @throws DomainError `conflict` if the id is taken, `key_reused` if the
 * key belongs to another request, `throttled` if the owner or the address has too many open runs.
 */
export async function enqueue(
  database: Database,
  run: NewRun,
  { part, dependencies = [], ...options }: EnqueueOptions = {},
): Promise<EnqueuedRun> {
  const [values, before] = [runValues(run), dependencies.map((each) => ({ newRun: each, values: runValues(each) }))];
  return await database.tx(async (sql) => {
    // A cancellation also locks the parent first, so it ends before this step or begins after this transaction.
    if (part !== undefined) await enterPart(sql, run, part);
    const stored = await store(sql, run, { ...options, values, before });
    if (part !== undefined) await notePart(sql, { ...part, id: run.parentId ?? '' }, stored.run.id);
    return stored;
  });
}

interface Prepared extends Omit<EnqueueOptions, 'part' | 'dependencies'> {
  readonly values: Values;
  readonly before: readonly { readonly newRun: NewRun; readonly values: Values }[];
}

async function store(sql: Sql, run: NewRun, prepared: Prepared): Promise<EnqueuedRun> {
  const { key, mostOpen, mostOfAddress, parts = [], values, before } = prepared;
  // The key is assigned first, so that a second request with the key waits and then finds this run.
  const known = key === undefined ? undefined : await assignKey(sql, key, run.id);
  if (known !== undefined) return { run: known, joined: true, dependencies: [] };
  const counted = countsAsOpen(run) ? mostOpen : undefined;
  // The lock makes each request count all earlier requests of the owner.
  if (counted !== undefined) await sql.rows(LOCK_OWNER, [COUNTING, run.ownerId ?? NO_OWNER]);
  const stored = await insertOrJoin(sql, run.id, values);
  if (counted !== undefined && !stored.joined) await refuseBeyond(sql, run, { mostOpen: counted, mostOfAddress });
  if (key !== undefined && stored.joined) await moveKey(sql, key, stored.run.id);
  if (stored.joined) return { ...stored, dependencies: [] };
  await addParts(sql, run.id, parts);
  return await withDependencies(sql, run, { stored, before });
}

type Values = readonly (string | number | null)[];
interface Stored {
  readonly run: Run;
  readonly joined: boolean;
}

/**
 * Stores the runs for which a new run waits. All these runs are stored in one transaction, because otherwise a worker
 * could claim the new run before it waits.
 */
async function withDependencies(
  sql: Sql,
  run: NewRun,
  more: { readonly stored: Stored; readonly before: readonly { readonly newRun: NewRun; readonly values: Values }[] },
): Promise<EnqueuedRun> {
  const ids = new Map<string, string>();
  const dependencies: Stored[] = [];
  for (const { newRun, values } of more.before) {
    const saved = await insertOrJoin(sql, newRun.id, values);
    if (saved.run.id === run.id) throw waitsForItself(run.id);
    dependencies.push(saved.joined ? saved : { ...saved, run: await makeWait(sql, saved.run, { newRun, ids }) });
    ids.set(newRun.id, saved.run.id);
  }
  return { run: await makeWait(sql, more.stored.run, { newRun: run, ids }), joined: false, dependencies };
}

async function makeWait(
  sql: Sql,
  run: Run,
  { newRun, ids }: { readonly newRun: NewRun; readonly ids: ReadonlyMap<string, string> },
): Promise<Run> {
  const { after = [], awaits = [] } = newRun;
  if (after.length === 0) return run;
  const names = awaits.map(storableText);
  const present = after.map((id) => storable('after', ids.get(id) ?? id));
  const row = await sql.first<RunRow>(SET_WAITING, [run.id, present, JSON.stringify(names), waitingStep(names)]);
  return row === undefined ? run : toRun(row);
}

/** Throws `throttled` for too many open runs. The error rolls back the stored run and its key. */
async function refuseBeyond(
  sql: Sql,
  run: Pick<NewRun, 'ownerId' | 'params'>,
  { mostOpen, mostOfAddress }: { readonly mostOpen: number; readonly mostOfAddress: number | undefined },
): Promise<void> {
  const { ownerId } = run;
  const from = callOf(run)?.from ?? null;
  const values = [ownerId, IMPORT_PIPELINE, from === null ? null : callMark(from)];
  const found = await sql.first<{ open: number; alike: number }>(OPEN, values);
  if ((found?.open ?? 0) > mostOpen) throw tooManyOpen(mostOpen, ownerId);
  if (mostOfAddress !== undefined && (found?.alike ?? 0) > mostOfAddress) throw tooManyOfAddress(mostOfAddress);
}

function runValues(run: NewRun): Values {
  return [
    storable('id', run.id),
    storable('pipeline', run.pipeline),
    JSON.stringify(run.params),
    storable('fingerprint', run.fingerprint),
    textKey(run.fingerprint),
    run.ownerId === null ? null : int4('ownerId', run.ownerId),
    run.parentId === undefined ? null : storable('parentId', run.parentId),
    run.backend ?? 'local',
    storable('queue', run.queue ?? DEFAULT_QUEUE),
    run.requestId === undefined ? null : storable('requestId', run.requestId),
  ];
}

async function insertOrJoin(sql: Sql, id: string, values: Values): Promise<Stored> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const inserted = await sql.first<RunRow>(INSERT, values);
    if (inserted !== undefined) {
      const stored = toRun(inserted);
      await appendState(sql, stored);
      return { run: stored, joined: false };
    }
    const found = await sql.first<RunRow>(FIND, [values[FINGERPRINT_KEY] ?? '']);
    if (found !== undefined) return { run: toRun(found), joined: true };
  }
  throw new DomainError('unavailable', `Run ${id} could not be stored: identical runs keep starting and ending; retry`);
}
