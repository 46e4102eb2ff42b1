/** How many queries are kept of a row, and how long they may be. */
export interface KeptQueryLimits {
  /** Texts that were asked for lately: at least so many, twice as many at most. */
  readonly most: number;
  /** UTF-16 code units of a text that is worth keeping. */
  readonly longest: number;
}

/** Some thousand places by their names: a megabyte a row. */
const LIMITS: KeptQueryLimits = { most: 1000, longest: 300 };

/**
 * Reads queries, and remembers what came of those that were asked for last; one that is refused is read anew each time.
 * Two halves take turns, so that finding a text that is kept changes nothing: the older half is dropped once the younger one is full.
 */
export function keepQueries<T>(
  read: (text: string) => T,
  { most, longest }: KeptQueryLimits = LIMITS,
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
