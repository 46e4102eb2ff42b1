import type { SearchRequest } from '@headwater/core/ports';

/** Cache of large sets. A large set is a Collection that has more Items than a count may read, or all Collections together. */
export interface LargeSets {
  readonly has: (request: SearchRequest) => boolean;
  readonly note: (request: SearchRequest) => void;
}

/**
 * Time for which a large set is cached, ms. The time can be long, because Items are rarely removed and a large set
 * usually stays large.
 */
const CACHED_MS = 60_000;
const MOST_CACHED = 1000;

/** Creates an empty cache of large sets. */
export function largeSets(now = (): number => performance.now()): LargeSets {
  const until = new Map<string, number>();
  return {
    has: (request) => (until.get(keyOf(request) ?? '') ?? 0) > now(),
    note: (request) => {
      const key = keyOf(request);
      if (key === undefined) return;
      if (until.size >= MOST_CACHED) until.clear();
      until.set(key, now() + CACHED_MS);
    },
  };
}

/**
 * Cache key of a single Collection, or of all Collections. Undefined for a list of several Collections, which is not cached because
 * clients may send any number of such lists.
 */
function keyOf({ collections = [], ids, maxScannedItems }: SearchRequest): string | undefined {
  const [collection = null, ...others] = collections;
  const isCacheable = maxScannedItems !== undefined && ids === undefined && others.length === 0;
  return isCacheable ? JSON.stringify([maxScannedItems, collection]) : undefined;
}
