import type { prepared } from './prepared.ts';

/** The version of a value and the function that computes it. */
export interface Computation<V> {
  /** Changes whenever the value changes. */
  readonly version: string;
  readonly make: () => V | Promise<V>;
}

/** LRU cache with one version per key. Concurrent callers share one computation. */
export interface ByteLimitedCache<K, V> {
  /** Returns the value of the key, cached or computed. Rejects with the error of `make`. */
  of(key: K, computation: Computation<V>): Promise<V>;
}

interface Entry<V> {
  readonly version: string;
  readonly value: Promise<V>;
  bytes: number;
}

/** Size limits of a cache. */
export interface CacheLimits<V> {
  /** Limit of all values together; a value above half of it is not cached. */
  readonly mostBytes: number;
  readonly sizeOf: (value: V) => number;
}

/** Creates a cache with a limit in bytes. */
export function createByteLimitedCache<K, V>({ mostBytes, sizeOf }: CacheLimits<V>): ByteLimitedCache<K, V> {
  const entries = new Map<K, Entry<V>>();
  let total = 0;
  let newest: Entry<V> | undefined;
  const drop = (key: K, entry: Entry<V>): void => {
    // A newer entry may have replaced this one.
    if (entries.get(key) !== entry) return;
    entries.delete(key);
    total -= entry.bytes;
    if (newest === entry) newest = undefined;
  };
  const store = (key: K, entry: Entry<V>): void => {
    const previous = entries.get(key);
    if (previous !== undefined) drop(key, previous);
    entries.set(key, entry);
    total += entry.bytes;
  };
  const settle = async (key: K, entry: Entry<V>): Promise<void> => {
    try {
      const bytes = sizeOf(await entry.value);
      if (entries.get(key) !== entry) return;
      entry.bytes = bytes;
      total += bytes;
      // A large value would evict many others, and the next large value would evict it before it is used again.
      if (bytes > mostBytes / 2) drop(key, entry);
    } catch {
      // The caller gets the error; the next call computes the value again.
      drop(key, entry);
    }
    for (const [oldest, old] of entries) {
      if (total <= mostBytes) return;
      drop(oldest, old);
    }
  };
  return {
    of: (key, { version, make }) => {
      const previous = entries.get(key);
      const entry = previous?.version === version ? previous : { version, value: compute(make), bytes: 0 };
      // The newest entry is last in the map already.
      if (entry !== newest) store(key, entry);
      newest = entry;
      if (entry !== previous) void settle(key, entry);
      return entry.value;
    },
  };
}

const compute = async <V>(make: Computation<V>['make']): Promise<V> => await make();

/** Prepared bytes with their headers. */
export type PreparedReply = ReturnType<typeof prepared>;

/** LRU cache of responses, invalidated by version. */
export type ResponseCache<K> = ByteLimitedCache<K, PreparedReply>;

/** Default limit, bytes: the tables of a hundred tehsils like the sample, or of six tehsils with a thousand micro-watersheds each. */
const MOST_BYTES = 32 * 1024 * 1024;

/** Creates a cache of responses with a limit in bytes; compressed forms are not counted. */
export function createResponseCache<K>(mostBytes: number = MOST_BYTES): ResponseCache<K> {
  return createByteLimitedCache({ mostBytes, sizeOf: ({ prepared: { bytes } }) => bytes.byteLength });
}
