import type { Timers } from '@headwater/core';
import { askedBy, isOrchestratorError } from '@headwater/orchestrator-client';
import { mayPass } from './failures.ts';

/** How long and how often something is tried. */
export interface Patience {
  readonly timers: Timers;
  readonly now: () => Date;
  readonly retryMs: number;
  readonly patienceMs: number;
  readonly signal: AbortSignal;
}

/**
 * Repeats what fails in passing until the patience is over or the signal aborts; throws the last error. Pauses for `retryMs`, or longer where
 * the orchestrator asks for it.
 */
export async function steadily<T>(work: (attempt: number) => Promise<T>, patience: Patience): Promise<T> {
  const { timers, now, retryMs, patienceMs, signal } = patience;
  const ends = now().getTime() + patienceMs;
  let pauseMs = retryMs;
  for (let attempt = 1; ; attempt++) {
    try {
      return await work(attempt);
    } catch (error) {
      if (signal.aborted || !mayPass(error) || now().getTime() >= ends) throw error;
      pauseMs = Math.max(retryMs, (isOrchestratorError(error) ? askedBy(error) : undefined) ?? 0);
    }
    await timers.sleep(pauseMs, signal);
    signal.throwIfAborted();
  }
}
