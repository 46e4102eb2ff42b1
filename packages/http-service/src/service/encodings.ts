import { createHash } from 'node:crypto';
import { compress, type Compressed } from '../caching/compressing.ts';
import { createByteLimitedCache } from '@headwater/core/caching';
import type { Prepared } from '../seam/reply.ts';

/** Size, bytes, below which a response is not compressed, because compression would save less than its header adds. */
const LEAST_BYTES = 256;

/** Maximum size of the compressed forms that are cached by the hash of their bytes: enough for some thousand reports. */
const MOST_BYTES = 16 * 1024 * 1024;
/** Cost of a cache entry in addition to its bytes. */
const ENTRY_BYTES = 256;

/** Compressed forms of prepared bytes. `of` returns undefined for few bytes, for other types than text, and if compression saves nothing. */
export interface Encodings {
  of(prepared: Prepared, encoding: Compressed): Promise<Uint8Array | undefined>;
}

type Form = Uint8Array | undefined;
type Compress = (bytes: Uint8Array, encoding: Compressed) => Promise<Form>;
type Forms = Partial<Record<Compressed, Promise<Form>>>;

/**
 * Creates the cache of compressed forms. Concurrent callers share one compression. A form is cached while its `Prepared` value
 * exists; handlers may cache this value. The most recently used forms are also cached by the hash of their bytes. So bytes are
 * compressed only once, even if a handler creates equal bytes for each request. A failure is not cached.
 */
export function createEncodings(compressWith: Compress = compress, mostBytes: number = MOST_BYTES): Encodings {
  const held = new WeakMap<Prepared, Forms>();
  const sizeOf = (form: Form): number => ENTRY_BYTES + (form?.byteLength ?? 0);
  const latest = createByteLimitedCache<string, Form>({ mostBytes, sizeOf });
  return {
    async of(prepared, encoding) {
      const { bytes } = prepared;
      if (bytes.byteLength < LEAST_BYTES || !isText(prepared.type)) return undefined;
      const forms = held.get(prepared) ?? {};
      held.set(prepared, forms);
      const make = (): Promise<Form> => compressWith(bytes, encoding);
      try {
        return await (forms[encoding] ??= latest.of(`${encoding} ${digestOf(bytes)}`, { version: '', make }));
      } catch (error) {
        delete forms[encoding];
        throw error;
      }
    },
  };
}

// Hash of the bytes. The ETag cannot be the key, because different responses may have the same ETag, such as the ETag of a version.
function digestOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('base64url');
}

// True for text types. Other types, such as images and archives, are not compressed, because their bytes are already compressed.
function isText(type: string): boolean {
  return /^text\/|[/+](?:json|xml)\b|^application\/(?:javascript|schema)|^image\/svg/.test(type);
}
