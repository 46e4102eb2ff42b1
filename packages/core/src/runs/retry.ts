import { isDomainError } from '../errors.ts';
import type { PlaceStore } from '../ports/places.ts';
import type { Timers } from '../timing/timers.ts';

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

/**
 * The same store, whose reads wait out a database that is away, so that a run does not fail for a restart of it. Methods of `writes` are
 * never repeated. Every other method must be a read that returns a promise.
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
      const call = async (given: unknown[]): Promise<unknown> => await Reflect.apply(member, target, given);
      return (...given: unknown[]) => (names.has(name) ? call(given) : retrying(() => call(given), policy));
    },
  });
}

/** The same places, whose reads are repeated by `retryingReads`. */
export const retryingPlaces = (places: PlaceStore, policy: RetryPolicy): PlaceStore =>
  retryingReads(places, ['saveBundle', 'saveChanges', 'setActive', 'removeTehsil', 'seedDatasets'], policy);

function mayPass(error: unknown, tries: number): boolean {
  if (!isDomainError(error) || error.code === 'took_too_long') return tries < FEW_TRIES;
  return error.code === 'unavailable';
}
