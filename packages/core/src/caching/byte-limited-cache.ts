/** The version of a value and the function that computes it. */
export interface Computation<V> {
  /** Text that must change whenever the value changes. */
  readonly version: string;
  readonly make: () => V | Promise<V>;
}

/** LRU cache with one version per key. Concurrent calls for an equal key and version share one computation. */
export interface ByteLimitedCache<K, V> {
  /** Returns the cached or computed value. Rejects with the error of `make`. */
  of(key: K, computation: Computation<V>): Promise<V>;
  /** Returns the cached value; undefined if there is none, also during its computation. */
  cached(key: K): V | undefined;
}

/**
 * Copies bytes into a buffer of their size, unless their buffer already has this size. A view would keep Node's shared
 * buffer of 64 KiB in memory.
 */
export const ownBytes = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => {
  const { buffer, byteLength } = bytes;
  return buffer instanceof ArrayBuffer && buffer.byteLength === byteLength
    ? new Uint8Array(buffer)
    : Uint8Array.from(bytes);
};

interface Entry<V> {
  readonly version: string;
  readonly value: Promise<V>;
  /** Size of the value; undefined until the value is computed. */
  bytes: number | undefined;
  result: V | undefined;
}

/** Size limits of a cache. */
export interface CacheLimits<V> {
  /** Maximum size of all values together, bytes. */
  readonly mostBytes: number;
  /** Maximum size of one value, bytes; default: half of `mostBytes`. A larger value is not cached. */
  readonly mostOfOne?: number;
  readonly sizeOf: (value: V) => number;
}

/** Creates a cache with a limit in bytes. */
export function createByteLimitedCache<K, V>({
  mostBytes,
  mostOfOne = mostBytes / 2,
  sizeOf,
}: CacheLimits<V>): ByteLimitedCache<K, V> {
  const entries = new Map<K, Entry<V>>();
  let total = 0;
  let newest: Entry<V> | undefined;
  const drop = (key: K, entry: Entry<V>): void => {
    if (entries.get(key) !== entry) return;
    entries.delete(key);
    total -= entry.bytes ?? 0;
    if (newest === entry) newest = undefined;
  };
  const store = (key: K, entry: Entry<V>): void => {
    const previous = entries.get(key);
    if (previous !== undefined) drop(key, previous);
    entries.set(key, entry);
    total += entry.bytes ?? 0;
  };
  const use = (key: K, entry: Entry<V>): void => {
    if (entry !== newest) store(key, entry);
    newest = entry;
  };
  const settle = async (key: K, entry: Entry<V>): Promise<void> => {
    try {
      const result = await entry.value;
      const bytes = sizeOf(result);
      if (entries.get(key) !== entry) return;
      // A large value is not cached, because it would evict many small values.
      if (bytes > mostOfOne) drop(key, entry);
      else {
        // Only sizes of cached values are added to `total`, because an infinite size could not be subtracted again.
        entry.bytes = bytes;
        entry.result = result;
        total += bytes;
      }
    } catch {
      drop(key, entry);
    }
    for (const [oldest, old] of entries) {
      if (total <= mostBytes) return;
      // An entry without a size stays, because it is still being computed.
      if (old.bytes !== undefined) drop(oldest, old);
    }
  };
  return {
    of: (key, { version, make }) => {
      const previous = entries.get(key);
      const entry =
        previous?.version === version
          ? previous
          : { version, value: compute(make), bytes: undefined, result: undefined };
      use(key, entry);
      if (entry !== previous) void settle(key, entry);
      return entry.value;
    },
    cached: (key) => {
      const entry = entries.get(key);
      if (entry?.bytes === undefined) return undefined;
      use(key, entry);
      return entry.result;
    },
  };
}

const compute = async <V>(make: Computation<V>['make']): Promise<V> => await make();
