import { createHash } from 'node:crypto';
import type { Prepared, Reply } from '../seam/reply.ts';
import { JSON_TYPE } from '../wire/wordings/wording.ts';

/** What is known of prepared bytes. */
export interface PreparedOptions {
  /** Default: JSON. */
  readonly type?: string;
  /** Quoted, `W/` in front where it is weak; default: a strong one made of the bytes. */
  readonly etag?: string;
  /** Default `no-cache`: kept by clients, and asked about each time. */
  readonly cacheControl?: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
}

const ETAG = /^(?:W\/)?"[!#-~\u0080-\u00ff]*"$/;

/**
 * A 200 of text or bytes that are ready. Keep it and answer with the same value again: compressed forms live as long as it does,
 * and one made anew for each answer is compressed anew.
 * Throws where the tag is not one.
 */
export function prepared(
  content: string | Uint8Array,
  options: PreparedOptions = {},
): Reply & { readonly prepared: Prepared } {
  const { type = JSON_TYPE, cacheControl = 'no-cache', headers } = options;
  const bytes = bufferOf(typeof content === 'string' ? new TextEncoder().encode(content) : content);
  const etag = options.etag ?? `"${createHash('sha256').update(bytes).digest('base64url')}"`;
  if (!ETAG.test(etag)) throw new Error(`etag: ${etag} is none; quote it, as "1" or W/"1"`);
  return { status: 200, prepared: { bytes, type, etag }, headers: { ...headers, 'cache-control': cacheControl } };
}

/** The same memory as Node writes it: hosts make this of other bytes for each answer. */
function bufferOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

/** A value as prepared JSON, for answers of at most some hundred kilobytes: hashing them for their tag is cheap. */
export function preparedJson(value: unknown): ReturnType<typeof prepared> {
  return prepared(JSON.stringify(value));
}
