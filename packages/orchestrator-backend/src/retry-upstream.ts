import type { Timers } from '@headwater/core';
import { retry } from '@headwater/net/retry';
import { askedBy, isOrchestratorError } from '@headwater/orchestrator-client';
import { mayPass } from './failures.ts';

/** Time and pauses of `retryUpstream`. */
export interface Patience {
  readonly timers: Timers;
  readonly now: () => Date;
  /** Least pause, ms. */
  readonly retryMs: number;
  /** Time after which a failure is final, ms. */
  readonly patienceMs: number;
  readonly signal: AbortSignal;
}

/**
 * Repeats what fails in passing until the patience is over or the signal aborts; throws the last error. Pauses for `retryMs`, or longer if
 * the orchestrator asks for it.
 */
export function retryUpstream<T>(work: (attempt: number) => Promise<T>, patience: Patience): Promise<T> {
  const { timers, now, retryMs, patienceMs, signal } = patience;
  const ends = now().getTime() + patienceMs;
  const pauseAfter = (error: unknown): number | undefined => {
    if (signal.aborted || !mayPass(error) || now().getTime() >= ends) return undefined;
    return Math.max(retryMs, (isOrchestratorError(error) ? askedBy(error) : undefined) ?? 0);
  };
  return retry(work, { pauseAfter, sleep: (ms) => timers.sleep(ms, signal), signal });
}
