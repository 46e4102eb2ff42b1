import type { Clock } from '../ports/host.ts';
import type { Timers } from '../timing/timers.ts';

/** A clock and timers for tests, which advance only by `advance`. */
export interface ManualTime extends Clock, Timers {
  /** Advances the time by `ms`, ends the due sleeps and waits for their callbacks. */
  advance(ms: number): Promise<void>;
  readonly sleeping: number;
}

interface Sleeper {
  readonly atMs: number;
  readonly wake: () => void;
}

/** Creates a clock and timers that start at the instant `start`. */
export function createManualTime(start = new Date('2026-01-01T00:00:00Z')): ManualTime {
  let nowMs = start.getTime();
  const sleepers = new Set<Sleeper>();
  const due = (untilMs: number): Sleeper | undefined =>
    [...sleepers].filter(({ atMs }) => atMs <= untilMs).sort((a, b) => a.atMs - b.atMs)[0];
  return {
    now: () => new Date(nowMs),
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted === true) return resolve();
        const wake = (): void => {
          sleepers.delete(sleeper);
          signal?.removeEventListener('abort', wake);
          resolve();
        };
        const sleeper = { atMs: nowMs + ms, wake };
        sleepers.add(sleeper);
        signal?.addEventListener('abort', wake);
      }),
    advance: async (ms) => {
      const endMs = nowMs + ms;
      await settled();
      for (let next = due(endMs); next !== undefined; next = due(endMs)) {
        nowMs = Math.max(nowMs, next.atMs);
        next.wake();
        await settled();
      }
      nowMs = endMs;
    },
    get sleeping() {
      return sleepers.size;
    },
  };
}

async function settled(): Promise<void> {
  await new Promise((resolve) => {
    setImmediate(resolve);
  });
}
