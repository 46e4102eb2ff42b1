import { isDomainError } from '../errors.ts';
import type { PlaceStore } from '../ports/places.ts';
import type { Timers } from '../timing/timers.ts';

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5000;
const FEW_TRIES = 5;

/** Timers, abort signal and log of retries. */
export interface RetryPolicy {
  readonly timers: Timers;
  /** Ends the retries: after an abort, the next failure is thrown. */
  readonly signal: AbortSignal;
  readonly onRetry?: (error: unknown) => void;
}

/**
 * Retries `work` while a store is `unavailable`, with pauses of 100 ms to 5 s. Tries `took_too_long` and unknown errors
 * at most five times.
 */
export async function retrying<T>(work: () => Promise<T>, policy: RetryPolicy): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (policy.signal.aborted || !isRetryable(error, tries)) throw error;
      policy.onRetry?.(error);
    }
    await policy.timers.sleep(Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (tries - 1)), policy.signal);
  }
}

/**
 * Wraps a store and retries its reads, so that runs survive a restart of the database. `writes` names the methods that
 * are never retried.
 */
export function retryingReads<Store extends object>(
  store: Store,
  writes: readonly (keyof Store)[],
  policy: RetryPolicy,
): Store {
  const names = new Set<PropertyKey>(writes);
  return new Proxy(store, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function') return member;
      const call = async (args: unknown[]): Promise<unknown> => await Reflect.apply(member, target, args);
      return (...args: unknown[]) => (names.has(name) ? call(args) : retrying(() => call(args), policy));
    },
  });
}

/** Wraps a place store by `retryingReads`. */
export const retryingPlaces = (places: PlaceStore, policy: RetryPolicy): PlaceStore =>
  retryingReads(places, ['saveBundle', 'saveChanges', 'setActive', 'removeTehsil', 'seedDatasets'], policy);

function isRetryable(error: unknown, tries: number): boolean {
  if (!isDomainError(error) || error.code === 'took_too_long') return tries < FEW_TRIES;
  return error.code === 'unavailable';
}
