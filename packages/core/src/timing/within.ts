import type { Timers } from './timers.ts';

/** Waits for `work`, at most `ms`; rejects as `work` does in that time. */
export async function within(timers: Timers, ms: number, work: Promise<unknown> | undefined): Promise<void> {
  const enough = new AbortController();
  try {
    await Promise.race([work, timers.sleep(ms, enough.signal)]);
  } finally {
    enough.abort();
  }
}
