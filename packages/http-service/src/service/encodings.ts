import { createHash } from 'node:crypto';
import { compress, type Compressed } from '../caching/compressing.ts';
import { createByteLimitedCache } from '@headwater/core/caching';
import type { Prepared } from '../seam/reply.ts';

/** Minimum size for compression, bytes. Compressing less saves fewer bytes than `Content-Encoding` adds. */
const LEAST_BYTES = 256;

const MOST_BYTES = 16 * 1024 * 1024;
const ENTRY_BYTES = 256;

/** Compressed forms of prepared bytes. `of` returns undefined if compression is not worthwhile. */
export interface Encodings {
  of(prepared: Prepared, encoding: Compressed): Promise<Uint8Array | undefined>;
}

type Form = Uint8Array | undefined;
type Compress = (bytes: Uint8Array, encoding: Compressed) => Promise<Form>;
type Forms = Partial<Record<Compressed, Promise<Form>>>;

/**
 * Creates the cache of compressed forms, with one compression for concurrent callers. Forms are cached as long as their
 * `Prepared` value is in memory. The most recently used forms, up to `mostBytes`, are also cached by the hash of the
 * uncompressed bytes.
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

// Key of the cache. The ETag cannot be the key, because different responses may have the same ETag.
function digestOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('base64url');
}

function isText(type: string): boolean {
  return /^text\/|[/+](?:json|xml)\b|^application\/(?:javascript|schema)|^image\/svg/.test(type);
}
