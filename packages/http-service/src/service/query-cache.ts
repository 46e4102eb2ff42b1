/** Limits of an operation's query cache. */
export interface QueryCacheLimits {
  /** Number of texts in one half of the cache. */
  readonly most: number;
  /** Longest cached text, UTF-16 code units. */
  readonly longest: number;
}

/** Default limits: about 1 MB per operation. */
const LIMITS: QueryCacheLimits = { most: 1000, longest: 300 };

/**
 * Caches the parsed values of recent queries. When the younger half is full, the older half is dropped. Refused queries
 * are not cached.
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
