import type { ApiKeyStore } from '../ports/api-keys.ts';
import type { Clock, Logger } from '../ports/system.ts';
import type { Timers } from '../runs/timers.ts';

/** Notes when and how often keys were used, without a write for each request. */
export interface KeyUses {
  note(prefix: string): void;
  /** Writes what is still to be written. */
  close(): Promise<void>;
}

/** What noting uses stands on. */
export interface KeyUsesDeps {
  readonly store: Pick<ApiKeyStore, 'noteUses'>;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly logger: Logger;
}

/** From the first use to the write of all that came by then, ms. */
export const NOTE_AFTER_MS = 10_000;
/** Keys of one write; uses of further ones are forgotten until it is through. */
export const MOST_NOTED = 10_000;

const DAY_MS = 86_400_000;

interface Noted {
  readonly prefix: string;
  /** The latest use. */
  atMs: number;
  count: number;
}

/** Collects the uses of each key and writes them together, every ten seconds at most. */
export function createKeyUses({ store, clock, timers, logger }: KeyUsesDeps): KeyUses {
  // Of each key on each day; usually one of them.
  const noted = new Map<string, Noted>();
  const closing = new AbortController();
  let writing: Promise<void> | undefined;
  const write = async (): Promise<void> => {
    const uses = [...noted.values()].map(({ atMs, ...use }) => ({ ...use, usedAt: new Date(atMs).toISOString() }));
    noted.clear();
    try {
      await store.noteUses(uses);
    } catch (error) {
      // How often a key was used is good to know, and nothing that a request should fail for.
      const text = error instanceof Error ? error.message : String(error);
      logger.error({ keys: uses.length, error: text }, 'uses of API keys could not be written, and are not counted');
    }
  };
  // Uses that come during a write are those of the next one.
  const writeAll = async (): Promise<void> => {
    while (noted.size > 0) {
      await timers.sleep(NOTE_AFTER_MS, closing.signal);
      await write();
    }
    writing = undefined;
  };
  return {
    note: (prefix) => {
      const atMs = clock.now().getTime();
      const at = `${Math.floor(atMs / DAY_MS)} ${prefix}`;
      const known = noted.get(at);
      if (known !== undefined) {
        known.atMs = atMs;
        known.count += 1;
      } else if (noted.size < MOST_NOTED) noted.set(at, { prefix, atMs, count: 1 });
      writing ??= writeAll();
    },
    close: async () => {
      closing.abort();
      await writing;
    },
  };
}
