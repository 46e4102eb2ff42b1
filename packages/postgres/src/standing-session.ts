import { setTimeout } from 'node:timers/promises';
import type { RunChange } from '@headwater/core/ports';
import type { Session, SessionEvents } from './database.ts';

/** One session for as long as its stores are open, made anew when it breaks. */
export interface StandingSession {
  listen(onChange: (change: RunChange) => void): () => void;
  /**
   * Takes a shared lock for each pair and tells whether no other session holds one with the same first key and another second one;
   * told again by `onRival` where one does after the session was made anew.
   */
  agree(name: number, held: Held): Promise<boolean>;
  /** Ends it; resolves within about a second, whatever the network does. */
  close(): Promise<void>;
}

/** What this process holds under a name. */
export interface Held {
  readonly value: number;
  readonly onRival: () => void;
}

/** Pause between two looks whether the session still answers, ms: a network that went silent tells nobody. */
const LOOK_MS = 10_000;
/** Longest wait for the session to end in good order, ms. */
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
  readonly agreed: Map<number, Held>;
  readonly closing: AbortController;
  /** The session of now, or the attempt to make it. */
  current: Promise<Session> | undefined;
  upkeep: Promise<void> | undefined;
}

/** Builds a standing session; nothing is opened before somebody needs it. */
export function createStandingSession(connect: State['connect']): StandingSession {
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
    agree: async (name, held) => {
      begin();
      const session = await state.current;
      const before = state.agreed.get(name);
      state.agreed.set(name, held);
      if (before !== undefined) await session?.run(UNLOCK, [name, before.value]);
      await session?.run(LOCK, [name, held.value]);
      return session !== undefined && !(await hasRival(session, name, held));
    },
    close: async () => {
      state.closing.abort();
      // A connection that is being made to a network that went silent is left to its own time limit, and ended if it comes.
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
    // Removes the listener of this connection from the signal, which lasts as long as the stores.
    lost.abort();
  }
}

async function open({ connect, listeners, agreed }: State, onLost: () => void): Promise<Session> {
  const tell = (change: RunChange): void => {
    for (const listener of listeners) listener(change);
  };
  const session = await connect({ onLost, onNotification: (payload) => tell(changeOf(payload)) });
  try {
    await session.run('listen headwater_runs');
    for (const [name, { value }] of agreed) await session.run(LOCK, [name, value]);
    // Whoever joined while nothing was held here was not refused.
    for (const [name, held] of agreed) if (await hasRival(session, name, held)) held.onRival();
  } catch (error) {
    await session.close();
    throw error;
  }
  // Whatever was written between two sessions was told to nobody.
  tell({ kind: 'missed' });
  return session;
}

async function hasRival(session: Session, name: number, { value }: Held): Promise<boolean> {
  const row = await session.first<{ rival: boolean }>(RIVAL, [name, value]);
  return row?.rival !== false;
}

/** Resolves when the session is lost, or does not answer. */
async function watch(session: Session, lost: AbortSignal): Promise<void> {
  while (!lost.aborted) {
    await pause(LOOK_MS, lost);
    if (lost.aborted) return;
    if (!(await succeeds(session.run('select 1'), LOOK_MS))) return;
  }
}

/** True where `work` is done within `ms`; never rejects. */
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

/** What a payload says: a letter and an id, as the migration's triggers write it. */
function changeOf(payload: string): RunChange {
  const [letter, runId] = [payload.slice(0, 1), payload.slice(1)];
  const known = letter === 'q' || letter === 'e' || letter === 'c' ? KINDS[letter] : undefined;
  return known === undefined || runId === '' ? { kind: 'missed' } : { kind: known, runId };
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await setTimeout(ms, undefined, { signal }).catch(() => {});
}
