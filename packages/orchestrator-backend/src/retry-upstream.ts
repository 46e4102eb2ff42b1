import type { Timers } from '@headwater/core';
import { retry } from '@headwater/net/retry';
import { retryAfterOf, isOrchestratorError } from '@headwater/orchestrator-client';
import { isRetryable } from './failures.ts';

/** Clock, minimum pause and time limit. */
export interface RetryLimits {
  readonly timers: Timers;
  readonly now: () => Date;
  readonly retryMs: number;
  /** Time after which a failure is final, ms. */
  readonly patienceMs: number;
  readonly signal: AbortSignal;
}

/**
 * Retries work after transient errors until `patienceMs` or an abort; then throws the last error. The orchestrator may
 * request longer pauses than `retryMs`.
 */
export function retryUpstream<T>(work: (attempt: number) => Promise<T>, limits: RetryLimits): Promise<T> {
  const { timers, now, retryMs, patienceMs, signal } = limits;
  const ends = now().getTime() + patienceMs;
  const pauseAfter = (error: unknown): number | undefined => {
    if (signal.aborted || !isRetryable(error) || now().getTime() >= ends) return undefined;
    return Math.max(retryMs, (isOrchestratorError(error) ? retryAfterOf(error) : undefined) ?? 0);
  };
  return retry(work, { pauseAfter, sleep: (ms) => timers.sleep(ms, signal), signal });
}
