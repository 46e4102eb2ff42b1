import type { prepared } from './prepared.ts';

/** Prepared bytes with their headers. */
export type PreparedReply = ReturnType<typeof prepared>;

/** An answer, the version of what it tells, and how it is made. */
export interface Wanted {
  /** Text that is another one whenever the answer is. */
  readonly version: string;
  readonly make: () => PreparedReply | Promise<PreparedReply>;
}

/** Answers that are made once for each version of what they tell; those that were asked for last are kept. */
export interface KeptAnswers<K> {
  /** The answer of this name. Rejects with what `make` throws. */
  of(name: K, wanted: Wanted): Promise<PreparedReply>;
}

interface Kept {
  readonly version: string;
  readonly answer: Promise<PreparedReply>;
  bytes: number;
}

/** Enough for the tables of a hundred tehsils the size of the sample's, or of half a dozen with a thousand micro-watersheds. */
const MOST_BYTES = 32 * 1024 * 1024;

/** Keeps answers up to this many bytes, not counting their compressed forms; none above half of it. */
export function createKeptAnswers<K>(mostBytes: number = MOST_BYTES): KeptAnswers<K> {
  const kept = new Map<K, Kept>();
  const keep = (name: K, entry: Kept): void => {
    kept.delete(name);
    kept.set(name, entry);
  };
  const dropOldest = (): void => {
    let bytes = [...kept.values()].reduce((sum, entry) => sum + entry.bytes, 0);
    for (const [name, entry] of kept) {
      if (bytes <= mostBytes) return;
      kept.delete(name);
      bytes -= entry.bytes;
    }
  };
  const settle = async (name: K, entry: Kept): Promise<void> => {
    try {
      entry.bytes = (await entry.answer).prepared.bytes.byteLength;
      // One that is as large as many others would push them out, and be pushed out by the next such one before it is asked for again.
      if (entry.bytes > mostBytes / 2 && kept.get(name) === entry) kept.delete(name);
      dropOldest();
    } catch {
      // Whoever asked is told; the next one asks anew.
      if (kept.get(name) === entry) kept.delete(name);
    }
  };
  return {
    of: (name, { version, make }) => {
      const there = kept.get(name);
      const entry = there?.version === version ? there : { version, answer: made(make), bytes: 0 };
      keep(name, entry);
      if (entry !== there) void settle(name, entry);
      return entry.answer;
    },
  };
}

const made = async (make: Wanted['make']): Promise<PreparedReply> => await make();
