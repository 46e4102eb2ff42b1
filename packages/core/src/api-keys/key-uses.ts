import type { ApiKeyStore } from '../ports/api-keys.ts';
import type { Clock, Logger } from '../ports/system.ts';
import type { Timers } from '../runs/timers.ts';

/** Notes when keys were used, without a write for each request. */
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

/** Collects the latest use of each key and writes them together, every ten seconds at most. */
export function createKeyUses({ store, clock, timers, logger }: KeyUsesDeps): KeyUses {
  const latest = new Map<string, number>();
  const closing = new AbortController();
  let writing: Promise<void> | undefined;
  const write = async (): Promise<void> => {
    const uses = [...latest].map(([prefix, ms]) => ({ prefix, usedAt: new Date(ms).toISOString() }));
    latest.clear();
    try {
      await store.noteUses(uses);
    } catch (error) {
      // When a key was last used is good to know, and nothing that a request should fail for.
      const text = error instanceof Error ? error.message : String(error);
      logger.error({ keys: uses.length, error: text }, 'when API keys were last used could not be written');
    }
  };
  // Uses that come during a write are those of the next one.
  const writeAll = async (): Promise<void> => {
    while (latest.size > 0) {
      await timers.sleep(NOTE_AFTER_MS, closing.signal);
      await write();
    }
    writing = undefined;
  };
  return {
    note: (prefix) => {
      if (latest.size >= MOST_NOTED && !latest.has(prefix)) return;
      latest.set(prefix, clock.now().getTime());
      writing ??= writeAll();
    },
    close: async () => {
      closing.abort();
      await writing;
    },
  };
}
