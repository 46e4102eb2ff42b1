import { isDomainError } from '../errors.ts';
import type { Timers } from './timers.ts';

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5000;
/** Tries of work that the store ended for its length, or that fails for an unknown reason: either may pass, or never. */
const FEW_TRIES = 5;

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
 * What took too long, and unknown errors, are final after five tries, other domain errors at once. Throws the last error.
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
  if (!isDomainError(error) || error.code === 'took_too_long') return tries < FEW_TRIES;
  return error.code === 'unavailable';
}
