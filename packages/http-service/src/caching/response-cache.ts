import { type ByteLimitedCache, createByteLimitedCache } from '@headwater/core/caching';
import type { prepared } from './prepared.ts';

/** Prepared bytes with their headers. */
export type PreparedReply = ReturnType<typeof prepared>;

/** LRU cache of responses. A new version of a response replaces the cached one. */
export type ResponseCache<K> = ByteLimitedCache<K, PreparedReply>;

const MOST_BYTES = 32 * 1024 * 1024;

/** Creates a cache of responses with a limit in bytes. Compressed forms do not count. */
export function createResponseCache<K>(mostBytes: number = MOST_BYTES): ResponseCache<K> {
  return createByteLimitedCache({ mostBytes, sizeOf: ({ prepared: { bytes } }) => bytes.byteLength });
}
