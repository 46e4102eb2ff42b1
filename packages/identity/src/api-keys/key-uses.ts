import { messageOf, type Clock, type Logger, type Timers } from '@headwater/core';
import type { ApiKeyStore } from '../ports/api-keys.ts';
import { createDayTotals } from './day-totals.ts';

/** Records uses of keys, without a write for each request. */
export interface KeyUses {
  note(prefix: string): void;
  /** Number of uses of a key today (UTC), over all processes; uses of other processes are some seconds late. */
  today(prefix: string): Promise<number>;
  /** Writes the pending uses. */
  close(): Promise<void>;
}

/** Dependencies of recording uses. */
export interface KeyUsesDeps {
  readonly store: Pick<ApiKeyStore, 'noteUses' | 'usesOn' | 'removeOld'>;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly logger: Logger;
}

/** Delay from the first use to the write of all uses until then, ms. */
export const NOTE_AFTER_MS = 10_000;
/** Maximum keys of one write; uses of further keys are dropped until it is done. */
export const MOST_NOTED = 10_000;

const DAY_MS = 86_400_000;
/** Days for which counts, and keys after their end, are stored: a year, plus a month to draw up its accounts. */
const STORED_DAYS = 400;

interface PendingUse {
  readonly prefix: string;
  /** The latest use. */
  atMs: number;
  count: number;
}

/** Collects the uses of each key and writes them together, at most every ten seconds; once a day it removes old data. */
export function createKeyUses({ store, clock, timers, logger }: KeyUsesDeps): KeyUses {
  // By key and day; usually of one day.
  const pending = new Map<string, PendingUse>();
  /** Uses that are being written. */
  let beingWritten: ReadonlyMap<string, PendingUse> = new Map();
  const totals = createDayTotals(store);
  const closing = new AbortController();
  let writing: Promise<void> | undefined;
  let removedBefore = '';
  const failed = (error: unknown, facts: Readonly<Record<string, unknown>>, text: string): void =>
    // Counts of uses are not important enough to fail a request.
    logger.error({ ...facts, error: messageOf(error) }, text);
  const removeOld = async (): Promise<void> => {
    const before = new Date(clock.now().getTime() - STORED_DAYS * DAY_MS).toISOString().slice(0, 10);
    if (before === removedBefore) return;
    removedBefore = before;
    try {
      await store.removeOld(before);
    } catch (error) {
      failed(error, { before }, 'could not remove API keys that ended long ago; retrying tomorrow');
    }
  };
  const write = async (): Promise<void> => {
    const uses = [...pending.values()].map(({ atMs, ...use }) => ({ ...use, usedAt: new Date(atMs).toISOString() }));
    beingWritten = new Map(pending);
    pending.clear();
    await totals.write({
      uses: uses.map(({ prefix, usedAt, count }) => ({ prefix, day: usedAt.slice(0, 10), count })),
      store: async () => {
        try {
          await store.noteUses(uses);
          return true;
        } catch (error) {
          failed(error, { keys: uses.length }, 'could not write uses of API keys; they are not counted');
          return false;
        }
      },
      counted: () => {
        beingWritten = new Map();
      },
    });
    await removeOld();
  };
  // Uses during a write belong to the next one.
  const writeAll = async (): Promise<void> => {
    try {
      while (pending.size > 0) {
        await timers.sleep(NOTE_AFTER_MS, closing.signal);
        await write();
      }
    } finally {
      writing = undefined;
    }
  };
  return {
    note: (prefix) => {
      const atMs = clock.now().getTime();
      const at = nameOf(prefix, atMs);
      const known = pending.get(at);
      if (known !== undefined) {
        known.atMs = atMs;
        known.count += 1;
      } else if (pending.size < MOST_NOTED) pending.set(at, { prefix, atMs, count: 1 });
      writing ??= writeAll();
    },
    today: async (prefix) => {
      const now = clock.now();
      const at = nameOf(prefix, now.getTime());
      const written = await totals.of({ prefix, day: now.toISOString().slice(0, 10) });
      return written + (beingWritten.get(at)?.count ?? 0) + (pending.get(at)?.count ?? 0);
    },
    close: async () => {
      closing.abort();
      await writing;
    },
  };
}

/** Name of a key on a day. */
function nameOf(prefix: string, atMs: number): string {
  return `${Math.floor(atMs / DAY_MS)} ${prefix}`;
}
