import type { prepared } from './prepared.ts';

/** A value, the version of what it tells, and how it is made. */
export interface Wanted<V> {
  /** Text that is another one whenever the value is. */
  readonly version: string;
  readonly make: () => V | Promise<V>;
}

/** Values that are made once for each version, several askers at a time included; those that were asked for last are kept. */
export interface KeptByBytes<K, V> {
  /** The value of this name. Rejects with what `make` throws. */
  of(name: K, wanted: Wanted<V>): Promise<V>;
}

interface Kept<V> {
  readonly version: string;
  readonly value: Promise<V>;
  bytes: number;
}

/** How much is kept. */
export interface KeptLimits<V> {
  /** All values together; none above half of it is kept. */
  readonly mostBytes: number;
  readonly sizeOf: (value: V) => number;
}

/** Keeps values up to so many bytes. */
export function createKeptByBytes<K, V>({ mostBytes, sizeOf }: KeptLimits<V>): KeptByBytes<K, V> {
  const kept = new Map<K, Kept<V>>();
  let total = 0;
  let newest: Kept<V> | undefined;
  const drop = (name: K, entry: Kept<V>): void => {
    // Another one may have taken its place.
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
      // One that is as large as many others would push them out, and be pushed out by the next such one before it is asked for again.
      if (bytes > mostBytes / 2) drop(name, entry);
    } catch {
      // Whoever asked is told; the next one asks anew.
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
      // Whoever is asked for again and again stands last already.
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

/** Answers that are made once for each version of what they tell; those that were asked for last are kept. */
export type KeptAnswers<K> = KeptByBytes<K, PreparedReply>;

/** Enough for the tables of a hundred tehsils the size of the sample's, or of half a dozen with a thousand micro-watersheds. */
const MOST_BYTES = 32 * 1024 * 1024;

/** Keeps answers up to this many bytes, not counting their compressed forms; none above half of it. */
export function createKeptAnswers<K>(mostBytes: number = MOST_BYTES): KeptAnswers<K> {
  return createKeptByBytes({ mostBytes, sizeOf: ({ prepared: { bytes } }) => bytes.byteLength });
}
