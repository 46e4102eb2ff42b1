import { createHash } from 'node:crypto';
import { compress, type Compressed } from '../caching/compressing.ts';
import { createByteLimitedCache } from '../caching/byte-limited-cache.ts';
import type { Prepared } from '../seam/reply.ts';

/** Size in bytes below which compression saves less than its header costs. */
const LEAST_BYTES = 256;

/** Maximum size of the compressed forms that are cached by their bytes: some thousand reports. */
const MOST_BYTES = 16 * 1024 * 1024;
/** Cost of a cache entry in addition to its bytes. */
const ENTRY_BYTES = 256;

/** Compressed forms of prepared bytes; undefined if compression does not make them smaller. */
export interface Encodings {
  of(prepared: Prepared, encoding: Compressed): Promise<Uint8Array | undefined>;
}

type Form = Uint8Array | undefined;
type Compress = (bytes: Uint8Array, encoding: Compressed) => Promise<Form>;
type Forms = Partial<Record<Compressed, Promise<Form>>>;

/**
 * Creates the cache of compressed forms. Concurrent callers share one compression. A form is cached as long as its prepared value, which
 * handlers may cache. The most recently used forms are also cached by the hash of their bytes: if a handler creates equal bytes for each
 * request, they are compressed only once. A failure is not cached.
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

// A hash of the bytes themselves, because several responses share an ETag if it is that of a version.
function digestOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('base64url');
}

// Images and archives are compressed already.
function isText(type: string): boolean {
  return /^text\/|[/+](?:json|xml)\b|^application\/(?:javascript|schema)|^image\/svg/.test(type);
}
