import { isDomainError } from '../errors.ts';
import type { Timers } from './timers.ts';

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5000;
/** Tries of work that fails for a reason nobody foresaw: it may be a connection that broke, or a defect. */
const UNKNOWN_TRIES = 5;

/** How and until when to try again. */
export interface RetryPolicy {
  readonly timers: Timers;
  /** Once aborted, the next failure is final. */
  readonly signal: AbortSignal;
  /** Told of each failure that will be tried again. */
  readonly onRetry?: (error: unknown) => void;
}

/**
 * Repeats work that fails because a store is away (`unavailable`) until it goes through; pauses double from 100 ms to 5 s.
 * Other domain errors are final at once, unknown errors after five tries. Throws the last error.
 */
export async function retrying<T>(work: () => Promise<T>, policy: RetryPolicy): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (policy.signal.aborted || !mayPass(error, tries)) throw error;
      policy.onRetry?.(error);
    }
    await policy.timers.sleep(Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (tries - 1)), policy.signal);
  }
}

function mayPass(error: unknown, tries: number): boolean {
  return isDomainError(error) ? error.code === 'unavailable' : tries < UNKNOWN_TRIES;
}
