import type { SearchRequest } from '@headwater/core/ports';

/** Collections, and all of them together, of which it is known that they hold more Items than may be looked at for a count. */
export interface LargeSets {
  readonly has: (request: SearchRequest) => boolean;
  readonly note: (request: SearchRequest) => void;
}

/** Items hardly ever leave a Collection: what is large is asked again after this time, ms, and not before each page. */
const KEPT_MS = 60_000;
const MOST_KEPT = 1000;

/** Nothing known yet. */
export function largeSets(now = (): number => performance.now()): LargeSets {
  const until = new Map<string, number>();
  return {
    has: (request) => (until.get(keyOf(request) ?? '') ?? 0) > now(),
    note: (request) => {
      const key = keyOf(request);
      if (key === undefined) return;
      if (until.size >= MOST_KEPT) until.clear();
      until.set(key, now() + KEPT_MS);
    },
  };
}

/** Lists that a client makes up have no end: only single Collections are remembered, and all. */
function keyOf({ collections = [], ids, maxScannedItems }: SearchRequest): string | undefined {
  const [collection = null, ...others] = collections;
  const isAsked = maxScannedItems !== undefined && ids === undefined && others.length === 0;
  return isAsked ? JSON.stringify([maxScannedItems, collection]) : undefined;
}
