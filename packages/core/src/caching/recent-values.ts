/** Values of recently used keys. */
export interface RecentValues<V> {
  /** Returns the value of a key; undefined if it is unknown or was dropped. */
  get(key: string): V | undefined;
  /** Stores and returns a value. */
  set(key: string, value: V): V;
}

/**
 * Creates a store of at most twice `most` values. When the younger half is full, the older half is dropped. A value
 * that is read moves to the younger half.
 */
export function createRecentValues<V>(most: number): RecentValues<V> {
  let younger = new Map<string, V>();
  let older: ReadonlyMap<string, V> = new Map();
  const set = (key: string, value: V): V => {
    if (younger.size >= most) {
      older = younger;
      younger = new Map();
    }
    younger.set(key, value);
    return value;
  };
  return {
    get: (key) => {
      const known = younger.get(key);
      if (known !== undefined) return known;
      const old = older.get(key);
      return old === undefined ? undefined : set(key, old);
    },
    set,
  };
}
