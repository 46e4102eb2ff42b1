import type { prepared } from './prepared.ts';

/** The version of a value and the function that computes it. */
export interface Wanted<V> {
  /** Changes whenever the value changes. */
  readonly version: string;
  readonly make: () => V | Promise<V>;
}

/** LRU cache with one version per key. Concurrent callers share one computation. */
export interface KeptByBytes<K, V> {
  /** Returns the value of the key, cached or computed. Rejects with the error of `make`. */
  of(name: K, wanted: Wanted<V>): Promise<V>;
}

interface Kept<V> {
  readonly version: string;
  readonly value: Promise<V>;
  bytes: number;
}

/** Size limits of a cache. */
export interface KeptLimits<V> {
  /** Limit of all values together; a value above half of it is not cached. */
  readonly mostBytes: number;
  readonly sizeOf: (value: V) => number;
}

/** Creates a cache with a limit in bytes. */
export function createKeptByBytes<K, V>({ mostBytes, sizeOf }: KeptLimits<V>): KeptByBytes<K, V> {
  const kept = new Map<K, Kept<V>>();
  let total = 0;
  let newest: Kept<V> | undefined;
  const drop = (name: K, entry: Kept<V>): void => {
    // A newer entry may have replaced this one.
    if (kept.get(name) !== entry) return;
    kept.delete(name);
    total -= entry.bytes;
    if (newest === entry) newest = undefined;
  };
  const keep = (name: K, entry: Kept<V>): void => {
    const there = kept.get(name);
    if (there !== undefined) drop(name, there);
    kept.set(name, entry);
    total += entry.bytes;
  };
  const settle = async (name: K, entry: Kept<V>): Promise<void> => {
    try {
      const bytes = sizeOf(await entry.value);
      if (kept.get(name) !== entry) return;
      entry.bytes = bytes;
      total += bytes;
      // A value this large would evict many others, and then be evicted by the next large one before it is used again.
      if (bytes > mostBytes / 2) drop(name, entry);
    } catch {
      // The caller gets the error; the next call computes the value again.
      drop(name, entry);
    }
    for (const [oldest, old] of kept) {
      if (total <= mostBytes) return;
      drop(oldest, old);
    }
  };
  return {
    of: (name, { version, make }) => {
      const there = kept.get(name);
      const entry = there?.version === version ? there : { version, value: made(make), bytes: 0 };
      // The newest entry is last in the map already.
      if (entry !== newest) keep(name, entry);
      newest = entry;
      if (entry !== there) void settle(name, entry);
      return entry.value;
    },
  };
}

const made = async <V>(make: Wanted<V>['make']): Promise<V> => await make();

/** Prepared bytes with their headers. */
export type PreparedReply = ReturnType<typeof prepared>;

/** LRU cache of responses, invalidated by version. */
export type KeptAnswers<K> = KeptByBytes<K, PreparedReply>;

/** Room for the tables of a hundred tehsils of the sample's size, or of six tehsils with a thousand micro-watersheds each. */
const MOST_BYTES = 32 * 1024 * 1024;

/** Creates a cache of responses with a limit in bytes; compressed forms are not counted. */
export function createKeptAnswers<K>(mostBytes: number = MOST_BYTES): KeptAnswers<K> {
  return createKeptByBytes({ mostBytes, sizeOf: ({ prepared: { bytes } }) => bytes.byteLength });
}
