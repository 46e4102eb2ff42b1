import { createRecentValues, ownText } from '@headwater/core/caching';

/** Limits of an operation's query cache. */
export interface QueryCacheLimits {
  /** Number of texts in one half of the cache (newer or older texts). */
  readonly most: number;
  /** Longest cached text, UTF-16 code units. */
  readonly longest: number;
}

/** Default limits: about 1 MB per operation. */
const LIMITS: QueryCacheLimits = { most: 1000, longest: 300 };

/** Caches the parsed values of recent queries. Refused queries are not cached. */
export function cacheQueries<T>(
  read: (text: string) => T,
  { most, longest }: QueryCacheLimits = LIMITS,
): (text: string) => T {
  const recent = createRecentValues<T>(most);
  return (text) => {
    const known = recent.get(text);
    if (known !== undefined) return known;
    if (text.length > longest) return read(text);
    // Copied, because the text and the values from it may be parts of the whole address, and would keep it in memory.
    const own = ownText(text);
    return recent.set(own, read(own));
  };
}
