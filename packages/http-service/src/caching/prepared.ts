import { createHash } from 'node:crypto';
import { ownBytes } from '@headwater/core/caching';
import type { Prepared, Reply } from '../seam/reply.ts';
import { JSON_TYPE } from '../wire/wordings/wording.ts';

/** Headers of a prepared response. */
export interface PreparedOptions {
  readonly type?: string;
  /** ETag with its quotation marks; default: the hash of the bytes. */
  readonly etag?: string;
  /** Default `no-cache`: clients store the response and revalidate it on each use. */
  readonly cacheControl?: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
}

const ETAG = /^(?:W\/)?"[!#-~\u0080-\u00ff]*"$/;

/**
 * Creates a 200 response of bytes. Reuse the response, because its compressed forms are cached with it. Throws for an
 * invalid ETag.
 */
export function prepared(
  content: string | Uint8Array,
  options: PreparedOptions = {},
): Reply & { readonly prepared: Prepared } {
  const { type = JSON_TYPE, cacheControl = 'no-cache', headers } = options;
  // A Buffer, because hosts convert other arrays again for each response.
  const bytes = Buffer.from(ownBytes(typeof content === 'string' ? new TextEncoder().encode(content) : content).buffer);
  const etag = options.etag ?? `"${createHash('sha256').update(bytes).digest('base64url')}"`;
  if (!ETAG.test(etag)) throw new Error(`etag: ${etag} is not an ETag; quote it, as "1" or W/"1"`);
  return { status: 200, prepared: { bytes, type, etag }, headers: { ...headers, 'cache-control': cacheControl } };
}

/** Creates a prepared JSON response. The value should be small, because its whole text is hashed for the ETag. */
export function preparedJson(value: unknown): ReturnType<typeof prepared> {
  return prepared(JSON.stringify(value));
}
