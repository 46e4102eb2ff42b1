import { messageOf, type Clock, type Logger, type Timers } from '@headwater/core';
import type { ApiKey, ApiKeyStore } from '../ports/api-keys.ts';
import { type CountedDay, createDayTotals } from './day-totals.ts';

/** Counts the uses of keys, and writes them together. */
export interface KeyUses {
  note(key: Pick<ApiKey, 'prefix' | 'userId'>): void;
  /** Uses of an account's keys today (UTC). Uses in other processes are counted after some seconds. */
  today(userId: number): Promise<number>;
  /** Writes the pending uses. */
  close(): Promise<void>;
}

/** Dependencies of `createKeyUses`. */
export interface KeyUsesDeps {
  readonly store: Pick<ApiKeyStore, 'noteUses' | 'usesOn' | 'removeOld'>;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly logger: Logger;
}

/** Time from the first pending use to the next write, ms. */
export const NOTE_AFTER_MS = 10_000;
/** Maximum number of keys with pending uses; uses of further keys are counted only for their accounts. */
export const MOST_NOTED = 10_000;

const DAY_MS = 86_400_000;
/** Days for which counts and ended keys are stored: a year, and a month to evaluate it. */
const STORED_DAYS = 400;

interface PendingUse {
  readonly prefix: string;
  atMs: number;
  count: number;
}

interface PendingUses {
  readonly keys: Map<string, PendingUse>;
  readonly accounts: Map<string, CountedDay>;
}

/** Collects uses and writes them at most every ten seconds. Removes old data once a day. */
export function createKeyUses({ store, clock, timers, logger }: KeyUsesDeps): KeyUses {
  let pending = noUses();
  let beingWritten = noUses();
  const totals = createDayTotals(store);
  const closing = new AbortController();
  let writing: Promise<void> | undefined;
  let removedBefore = '';
  const failed = (error: unknown, facts: Readonly<Record<string, unknown>>, text: string): void =>
    // The error is only logged, because counting uses must not fail a request.
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
    const uses = [...pending.keys.values()].map(({ atMs, ...use }) => ({
      ...use,
      usedAt: new Date(atMs).toISOString(),
    }));
    beingWritten = pending;
    pending = noUses();
    await totals.write({
      uses: [...beingWritten.accounts.values()],
      store: async () => {
        try {
          await store.noteUses(uses);
          return true;
        } catch (error) {
          failed(error, { keys: uses.length }, 'could not write uses of API keys; the statistics may lack these uses');
          return false;
        }
      },
      counted: () => {
        beingWritten = noUses();
      },
    });
    await removeOld();
  };
  // Uses that are counted during a write belong to the next write.
  const writeAll = async (): Promise<void> => {
    try {
      while (pending.keys.size > 0) {
        await timers.sleep(NOTE_AFTER_MS, closing.signal);
        await write();
      }
    } finally {
      writing = undefined;
    }
  };
  return {
    note: ({ prefix, userId }) => {
      const now = clock.now();
      const atMs = now.getTime();
      const at = nameOf(prefix, atMs);
      const known = pending.keys.get(at);
      if (known !== undefined) {
        known.atMs = atMs;
        known.count += 1;
      } else if (pending.keys.size < MOST_NOTED) pending.keys.set(at, { prefix, atMs, count: 1 });
      const count = countOf(pending, userId, atMs) + 1;
      pending.accounts.set(nameOf(userId, atMs), { userId, day: now.toISOString().slice(0, 10), count });
      writing ??= writeAll();
    },
    today: async (userId) => {
      const now = clock.now();
      const atMs = now.getTime();
      const written = await totals.of({ userId, day: now.toISOString().slice(0, 10) });
      return written + countOf(beingWritten, userId, atMs) + countOf(pending, userId, atMs);
    },
    close: async () => {
      closing.abort();
      await writing;
    },
  };
}

function noUses(): PendingUses {
  return { keys: new Map(), accounts: new Map() };
}

function countOf({ accounts }: PendingUses, userId: number, atMs: number): number {
  return accounts.get(nameOf(userId, atMs))?.count ?? 0;
}

function nameOf(one: string | number, atMs: number): string {
  return `${Math.floor(atMs / DAY_MS)} ${one}`;
}
