/** Values of recently used keys. */
export interface RecentValues<V> {
  /** Returns the value of a key; undefined if it is unknown or was dropped. */
  get(key: string): V | undefined;
  /** Stores and returns a value. A key that is a part of a longer text should be an `ownText`. */
  set(key: string, value: V): V;
}

/** Copies a text. A part of a text would keep the whole text in memory. */
export const ownText = (text: string): string => new TextDecoder().decode(new TextEncoder().encode(text));

/**
 * Creates a store of at most twice `most` values. When a value is added to a full younger half, this half replaces the
 * older half, whose values are dropped. A value that is read moves to the younger half, with the key that was stored.
 */
export function createRecentValues<V>(most: number): RecentValues<V> {
  let younger = new Map<string, Entry<V>>();
  let older: ReadonlyMap<string, Entry<V>> = new Map();
  const add = (entry: Entry<V>): V => {
    if (younger.size >= most) {
      older = younger;
      younger = new Map();
    }
    younger.set(entry.key, entry);
    return entry.value;
  };
  return {
    get: (key) => {
      const known = younger.get(key);
      if (known !== undefined) return known.value;
      const old = older.get(key);
      return old === undefined ? undefined : add(old);
    },
    set: (key, value) => add({ key, value }),
  };
}

interface Entry<V> {
  readonly key: string;
  readonly value: V;
}
