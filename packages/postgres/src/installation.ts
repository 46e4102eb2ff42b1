import { createHash } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { DomainError } from '@headwater/core';
import type { InstallationStore, RunChanges } from '@headwater/core/ports';
import { createSoleProcess } from '@headwater/core/runs';
import { type Database, SCHEMA, type Session } from './database.ts';
import { storable } from './guards.ts';
import { createPersistentConnection } from './persistent-connection.ts';

const SELECT = 'select value from headwater.installation where name = $1';
const INSERT = 'insert into headwater.installation (name, value) values ($1, $2) on conflict (name) do nothing';
const WRITE = `insert into headwater.installation (name, value) values ($1, $2)
  on conflict (name) do update set value = excluded.value`;
const TRY_LOCK = 'select pg_try_advisory_lock($1::int4, $2::int4) as mine';

/** First key of the exclusive locks (`withLock`). The second key is the hash of the name. */
const LOCK_SPACE = hash('headwater: one at a time');
const LONGEST_PAUSE_MS = 500;

/** State that the processes of an installation share, and notifications of changed runs. */
export interface Installation {
  readonly installation: InstallationStore;
  readonly changes: RunChanges;
  close(): Promise<void>;
}

/**
 * Creates the shared state. Locks and notifications use sessions of PostgreSQL. For the embedded database they are in
 * memory, because only one process uses it.
 */
export function createInstallation(database: Database): Installation {
  const read: InstallationStore['read'] = async (name) =>
    (await database.first<{ value: string }>(SELECT, [name]))?.value;
  const getOrCreate: InstallationStore['getOrCreate'] = async (name, proposed) => {
    await database.run(INSERT, [storable('name', name), storable('value', proposed)]);
    return (await read(name)) ?? proposed;
  };
  const write: InstallationStore['write'] = async (name, value) => {
    await database.run(WRITE, [storable('name', name), storable('value', value)]);
  };
  const texts = { getOrCreate, read, write };
  const { connect, schema } = database;
  // Advisory locks apply to the whole database. So keys contain the name of the schema, if it is not the default.
  const keyOf = (name: string): number => hash(schema === SCHEMA ? name : `${schema}: ${name}`);
  if (connect === undefined) {
    const { changes, ...sole } = createSoleProcess();
    return { installation: { ...texts, ...sole }, changes, close: async () => {} };
  }
  const session = createPersistentConnection(connect);
  const agree: InstallationStore['agree'] = (name, value, onRival = () => {}) =>
    session.agree(keyOf(name), { value: hash(value), onRival });
  const withLock: InstallationStore['withLock'] = async (name, work, signal) => {
    const lost = new AbortController();
    const reason = new DomainError('unavailable', `The lock "${name}" was lost with its database connection: retry`);
    const own = await connect({ onLost: () => lost.abort(reason), onNotification: () => {} });
    const ends = signal === undefined ? lost.signal : AbortSignal.any([signal, lost.signal]);
    try {
      await acquire(own, keyOf(name), ends);
      const result = await work(ends);
      // Throws if the lock was lost, because another process may have done the same work.
      lost.signal.throwIfAborted();
      return result;
    } finally {
      await own.close();
    }
  };
  return { installation: { ...texts, withLock, agree }, changes: { listen: session.listen }, close: session.close };
}

/** Polls for the lock, because a statement that waits for the lock would exceed `queryTimeoutMs`. */
async function acquire(session: Session, name: number, signal: AbortSignal | undefined): Promise<void> {
  for (let pause = 50; ; pause = Math.min(LONGEST_PAUSE_MS, pause * 2)) {
    signal?.throwIfAborted();
    const row = await session.first<{ mine: boolean }>(TRY_LOCK, [LOCK_SPACE, name]);
    if (row?.mine === true) return;
    await setTimeout(pause, undefined, signal === undefined ? {} : { signal }).catch(() => {});
  }
}

function hash(text: string): number {
  return createHash('sha256').update(text).digest().readInt32BE();
}
