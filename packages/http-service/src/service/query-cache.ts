/** Limits of a row's query cache. */
export interface QueryCacheLimits {
  /** Minimum number of recent texts that are cached; the maximum is twice as high. */
  readonly most: number;
  /** Longest text that is cached, UTF-16 code units. */
  readonly longest: number;
}

/** Default limits: some thousand queries with names of places, about a megabyte per row. */
const LIMITS: QueryCacheLimits = { most: 1000, longest: 300 };

/**
 * Caches the parsed values of recent queries; a refused query is parsed each time. The cache has two halves: when the
 * younger half is full, the older one is dropped.
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
