import { messageOf, type Clock, type Logger, type Timers } from '@headwater/core';
import type { ApiKeyStore } from '../ports/api-keys.ts';
import { createDayTotals } from './day-totals.ts';

/** Notes when and how often keys were used, without a write for each request. */
export interface KeyUses {
  note(prefix: string): void;
  /** How often a key was used today (UTC), by all processes: what others did some seconds ago is not in it yet. */
  today(prefix: string): Promise<number>;
  /** Writes what is still to be written. */
  close(): Promise<void>;
}

/** What noting uses stands on. */
export interface KeyUsesDeps {
  readonly store: Pick<ApiKeyStore, 'noteUses' | 'usesOn' | 'removeOld'>;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly logger: Logger;
}

/** From the first use to the write of all that came by then, ms. */
export const NOTE_AFTER_MS = 10_000;
/** Keys of one write; uses of further ones are forgotten until it is through. */
export const MOST_NOTED = 10_000;

const DAY_MS = 86_400_000;
/** Days that counts are kept, and keys after their end: what a year's accounts are made of, and a month to make them. */
const KEPT_DAYS = 400;

interface Noted {
  readonly prefix: string;
  /** The latest use. */
  atMs: number;
  count: number;
}

/** Collects the uses of each key and writes them together, every ten seconds at most; once a day it has removed what is too old. */
export function createKeyUses({ store, clock, timers, logger }: KeyUsesDeps): KeyUses {
  // Of each key on each day; usually one of them.
  const noted = new Map<string, Noted>();
  /** Those that are being written. */
  let leaving: ReadonlyMap<string, Noted> = new Map();
  const totals = createDayTotals(store);
  const closing = new AbortController();
  let writing: Promise<void> | undefined;
  let tidiedFor = '';
  const failed = (error: unknown, facts: Readonly<Record<string, unknown>>, text: string): void =>
    // How often a key was used is good to know, and nothing that a request should fail for.
    logger.error({ ...facts, error: messageOf(error) }, text);
  const removeOld = async (): Promise<void> => {
    const before = new Date(clock.now().getTime() - KEPT_DAYS * DAY_MS).toISOString().slice(0, 10);
    if (before === tidiedFor) return;
    tidiedFor = before;
    try {
      await store.removeOld(before);
    } catch (error) {
      failed(error, { before }, 'API keys that ended long ago could not be removed; tomorrow is the next try');
    }
  };
  const write = async (): Promise<void> => {
    const uses = [...noted.values()].map(({ atMs, ...use }) => ({ ...use, usedAt: new Date(atMs).toISOString() }));
    leaving = new Map(noted);
    noted.clear();
    await totals.write({
      uses: uses.map(({ prefix, usedAt, count }) => ({ prefix, day: usedAt.slice(0, 10), count })),
      store: async () => {
        try {
          await store.noteUses(uses);
          return true;
        } catch (error) {
          failed(error, { keys: uses.length }, 'uses of API keys could not be written, and are not counted');
          return false;
        }
      },
      counted: () => {
        leaving = new Map();
      },
    });
    await removeOld();
  };
  // Uses that come during a write are those of the next one.
  const writeAll = async (): Promise<void> => {
    try {
      while (noted.size > 0) {
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
      const known = noted.get(at);
      if (known !== undefined) {
        known.atMs = atMs;
        known.count += 1;
      } else if (noted.size < MOST_NOTED) noted.set(at, { prefix, atMs, count: 1 });
      writing ??= writeAll();
    },
    today: async (prefix) => {
      const now = clock.now();
      const at = nameOf(prefix, now.getTime());
      const written = await totals.of({ prefix, day: now.toISOString().slice(0, 10) });
      return written + (leaving.get(at)?.count ?? 0) + (noted.get(at)?.count ?? 0);
    },
    close: async () => {
      closing.abort();
      await writing;
    },
  };
}

/** A key on a day. */
function nameOf(prefix: string, atMs: number): string {
  return `${Math.floor(atMs / DAY_MS)} ${prefix}`;
}
