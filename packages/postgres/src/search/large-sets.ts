import type { SearchRequest } from '@headwater/core/ports';

/** Cache of large sets: Collections that have more Items than a count may read, or all Collections together. */
export interface LargeSets {
  readonly has: (request: SearchRequest) => boolean;
  readonly note: (request: SearchRequest) => void;
}

/** Time for which a large set is cached, ms. It may be long, because Items are rarely removed. */
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
 * Key of a set; undefined if the set is never cached. Sets of several Collections are never cached, because clients may
 * send any number of such lists.
 */
function keyOf({ collections = [], ids, maxScannedItems }: SearchRequest): string | undefined {
  const [collection = null, ...others] = collections;
  const isCacheable = maxScannedItems !== undefined && ids === undefined && others.length === 0;
  return isCacheable ? JSON.stringify([maxScannedItems, collection]) : undefined;
}
