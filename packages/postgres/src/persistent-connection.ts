import { setTimeout } from 'node:timers/promises';
import type { RunChange } from '@headwater/core/ports';
import type { Session, SessionEvents } from './database.ts';

/** Session that is opened again after a broken connection. */
export interface PersistentConnection {
  listen(onChange: (change: RunChange) => void): () => void;
  /**
   * Takes a shared lock of `name` with `lock.value`. Returns false if another session has locked `name` with another
   * value. After a broken connection, the lock is taken again; `lock.onRival` is called if such a session then exists.
   */
  agree(name: number, lock: HeldLock): Promise<boolean>;
  /** Ends the session within about a second, also in a broken network. */
  close(): Promise<void>;
}

/** Shared lock of this process under a name. */
export interface HeldLock {
  readonly value: number;
  readonly onRival: () => void;
}

/** Interval at which the session is tested, ms. The tests are needed, because a network failure causes no event. */
const CHECK_MS = 10_000;
const CLOSE_MS = 1000;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5000;

const LOCK = 'select pg_advisory_lock_shared($1::int4, $2::int4)';
const UNLOCK = 'select pg_advisory_unlock_shared($1::int4, $2::int4)';
const RIVAL = `select exists (select from pg_locks
    where locktype = 'advisory' and objsubid = 2 and granted and pid <> pg_backend_pid()
      and database = (select oid from pg_database where datname = current_database())
      and classid = $1::int4::oid and objid <> $2::int4::oid) as rival`;

interface State {
  readonly connect: (events: SessionEvents) => Promise<Session>;
  readonly listeners: Set<(change: RunChange) => void>;
  readonly agreed: Map<number, HeldLock>;
  readonly closing: AbortController;
  current: Promise<Session> | undefined;
  upkeep: Promise<void> | undefined;
}

/** Creates a persistent connection, which connects when it is first used. */
export function createPersistentConnection(connect: State['connect']): PersistentConnection {
  const state: State = {
    connect,
    listeners: new Set(),
    agreed: new Map(),
    closing: new AbortController(),
    current: undefined,
    upkeep: undefined,
  };
  const begin = (): void => void (state.upkeep ??= keepUp(state));
  return {
    listen: (onChange) => {
      state.listeners.add(onChange);
      begin();
      return () => void state.listeners.delete(onChange);
    },
    agree: async (name, lock) => {
      begin();
      const session = await state.current;
      const before = state.agreed.get(name);
      state.agreed.set(name, lock);
      if (before !== undefined) await session?.run(UNLOCK, [name, before.value]);
      await session?.run(LOCK, [name, lock.value]);
      return session !== undefined && !(await hasRival(session, name, lock));
    },
    close: async () => {
      state.closing.abort();
      // The wait is limited, because an attempt to connect can last long.
      if (state.upkeep !== undefined) await succeeds(state.upkeep, CLOSE_MS);
    },
  };
}

async function keepUp(state: State): Promise<void> {
  const { signal } = state.closing;
  for (let failures = 0; !signal.aborted;) {
    const lost = new AbortController();
    signal.addEventListener('abort', () => lost.abort(), { once: true, signal: lost.signal });
    state.current = open(state, () => lost.abort());
    const session = await state.current.catch(() => undefined);
    failures = session === undefined ? failures + 1 : 0;
    if (session === undefined) await pause(Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** failures), signal);
    else await watch(session, lost.signal);
    await session?.close();
    // Removes the listener from `signal`, because otherwise listeners would accumulate.
    lost.abort();
  }
}

async function open({ connect, listeners, agreed }: State, onLost: () => void): Promise<Session> {
  const notify = (change: RunChange): void => {
    for (const listener of listeners) listener(change);
  };
  const session = await connect({ onLost, onNotification: (payload) => notify(changeOf(payload)) });
  try {
    await session.run('listen headwater_runs');
    for (const [name, { value }] of agreed) await session.run(LOCK, [name, value]);
    // Without connection, this process held no lock, so another process may have taken the lock.
    for (const [name, lock] of agreed) if (await hasRival(session, name, lock)) lock.onRival();
  } catch (error) {
    await session.close();
    throw error;
  }
  // Changes before this session were not received.
  notify({ kind: 'missed' });
  return session;
}

async function hasRival(session: Session, name: number, { value }: HeldLock): Promise<boolean> {
  const row = await session.first<{ rival: boolean }>(RIVAL, [name, value]);
  return row?.rival !== false;
}

async function watch(session: Session, lost: AbortSignal): Promise<void> {
  while (!lost.aborted) {
    await pause(CHECK_MS, lost);
    if (lost.aborted) return;
    if (!(await succeeds(session.run('select 1'), CHECK_MS))) return;
  }
}

async function succeeds(work: Promise<unknown>, ms: number): Promise<boolean> {
  const enough = new AbortController();
  const done = work.then(
    () => true,
    () => false,
  );
  const isDone = await Promise.race([done, pause(ms, enough.signal).then(() => false)]);
  enough.abort();
  return isDone;
}

const KINDS = { q: 'queued', e: 'changed', c: 'cancel' } as const;

/** Parses a payload: a letter and the id of a run, as the triggers of the migrations write it. */
function changeOf(payload: string): RunChange {
  const [letter, runId] = [payload.slice(0, 1), payload.slice(1)];
  const known = letter === 'q' || letter === 'e' || letter === 'c' ? KINDS[letter] : undefined;
  return known === undefined || runId === '' ? { kind: 'missed' } : { kind: known, runId };
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await setTimeout(ms, undefined, { signal }).catch(() => {});
}
