import { type ByteLimitedCache, createByteLimitedCache } from '@headwater/core/caching';
import type { prepared } from './prepared.ts';

/** Prepared bytes with their headers. */
export type PreparedReply = ReturnType<typeof prepared>;

/** LRU cache of responses. A response is created again after its version has changed. */
export type ResponseCache<K> = ByteLimitedCache<K, PreparedReply>;

/**
 * Default limit, bytes. It is enough for the tables of a hundred tehsils like the tehsil of the sample, or of six tehsils with a
 * thousand micro-watersheds each.
 */
const MOST_BYTES = 32 * 1024 * 1024;

/** Creates a cache of responses with a limit in bytes; compressed forms are not counted. */
export function createResponseCache<K>(mostBytes: number = MOST_BYTES): ResponseCache<K> {
  return createByteLimitedCache({ mostBytes, sizeOf: ({ prepared: { bytes } }) => bytes.byteLength });
}
