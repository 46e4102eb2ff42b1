import { DomainError, type NewRun, type Run } from '@headwater/core';
import type { Database } from '../database.ts';
import { int4, storable, textKey } from '../guards.ts';
import { appendState } from './events.ts';
import type { RunRow } from './rows.ts';
import { RUN_COLUMNS, toRun } from './rows.ts';

const IN_FLIGHT = `state in ('queued', 'running') and not cancel_requested`;

const INSERT = `insert into headwater.runs (id, pipeline, params, fingerprint, fingerprint_key, owner_id)
  values ($1, $2, $3, $4, $5, $6)
  on conflict (fingerprint_key) where ${IN_FLIGHT} do nothing returning ${RUN_COLUMNS}`;

const FIND = `select ${RUN_COLUMNS} from headwater.runs where fingerprint_key = $1 and ${IN_FLIGHT}`;

/** A run in flight may end between the failed insert and the look at it; then the insert is due again. */
const MAX_TRIES = 20;

/** Stores a queued run, or returns the one in flight with the same fingerprint. @throws DomainError `conflict` when the id is taken. */
export async function enqueue(
  database: Database,
  run: NewRun,
): Promise<{ readonly run: Run; readonly joined: boolean }> {
  const key = textKey(run.fingerprint);
  const values = [
    storable('id', run.id),
    storable('pipeline', run.pipeline),
    JSON.stringify(run.params),
    storable('fingerprint', run.fingerprint),
    key,
    int4('ownerId', run.ownerId),
  ];
  return await database.tx(async (sql) => {
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const inserted = await sql.first<RunRow>(INSERT, values);
      if (inserted !== undefined) {
        const stored = toRun(inserted);
        await appendState(sql, stored);
        return { run: stored, joined: false };
      }
      const found = await sql.first<RunRow>(FIND, [key]);
      if (found !== undefined) return { run: toRun(found), joined: true };
    }
    throw new DomainError(
      'unavailable',
      `Run ${run.id} could not be stored: identical runs begin and end faster than it; try again`,
    );
  });
}
