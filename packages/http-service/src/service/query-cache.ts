/** Limits of an operation's query cache. */
export interface QueryCacheLimits {
  /** Number of texts in one half of the cache. So at least this number of recent texts are cached, and at most twice as many. */
  readonly most: number;
  /** Maximum length of a cached text, UTF-16 code units. */
  readonly longest: number;
}

/** Default limits: up to two thousand queries with names of places, about one megabyte per operation. */
const LIMITS: QueryCacheLimits = { most: 1000, longest: 300 };

/**
 * Caches the parsed values of recent queries. A refused query is parsed each time. The cache has two halves: when the younger half
 * is full, the older half is dropped, and the younger half becomes the older half.
 */
export function cacheQueries<T>(
  read: (text: string) => T,
  { most, longest }: QueryCacheLimits = LIMITS,
): (text: string) => T {
  let younger = new Map<string, T>();
  let older: ReadonlyMap<string, T> = new Map();
  const keep = (text: string, value: T): T => {
    if (younger.size >= most) {
      older = younger;
      younger = new Map();
    }
    younger.set(text, value);
    return value;
  };
  return (text) => {
    const known = younger.get(text);
    if (known !== undefined) return known;
    if (text.length > longest) return read(text);
    return keep(text, older.get(text) ?? read(text));
  };
}
