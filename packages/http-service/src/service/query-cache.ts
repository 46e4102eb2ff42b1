/** Limits of a row's query cache. */
export interface QueryCacheLimits {
  /** Number of recent texts that are cached at least; at most twice as many. */
  readonly most: number;
  /** Longest text that is cached, UTF-16 code units. */
  readonly longest: number;
}

/** Some thousand places by their names: a megabyte per row. */
const LIMITS: QueryCacheLimits = { most: 1000, longest: 300 };

/**
 * Caches the parsed values of recent queries; a refused query is parsed each time. The cache has two halves, so that a lookup changes
 * nothing: the older half is dropped when the younger one is full.
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
