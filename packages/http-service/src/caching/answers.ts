import { createKeptByBytes, type KeptByBytes } from './by-bytes.ts';
import type { prepared } from './prepared.ts';

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
