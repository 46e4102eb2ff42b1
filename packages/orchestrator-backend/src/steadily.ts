import type { Timers } from '@headwater/core';
import { mayPass } from './failures.ts';

/** How long and how often something is tried. */
export interface Patience {
  readonly timers: Timers;
  readonly now: () => Date;
  readonly retryMs: number;
  readonly patienceMs: number;
  readonly signal: AbortSignal;
}

/** Repeats what fails in passing until the patience is over or the signal aborts; throws the last error. */
export async function steadily<T>(work: (attempt: number) => Promise<T>, patience: Patience): Promise<T> {
  const { timers, now, retryMs, patienceMs, signal } = patience;
  const ends = now().getTime() + patienceMs;
  for (let attempt = 1; ; attempt++) {
    try {
      return await work(attempt);
    } catch (error) {
      if (signal.aborted || !mayPass(error) || now().getTime() >= ends) throw error;
    }
    await timers.sleep(retryMs, signal);
    signal.throwIfAborted();
  }
}
