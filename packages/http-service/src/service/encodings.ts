import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Prepared } from '../reply.ts';
import type { Encoding } from './accept-encoding.ts';

type Compressed = Exclude<Encoding, 'identity'>;

/** Where compressing cannot be worth a header more. */
const LEAST_BYTES = 256;
/** Of 11: nearly its smallest size at a tenth of its time. */
const BROTLI_QUALITY = 7;

const gzipAsync = promisify(gzip);
const brotliAsync = promisify(brotliCompress);

/** Compressed forms of prepared bytes; undefined where compressing them gains nothing. */
export interface Encodings {
  of(prepared: Prepared, encoding: Compressed): Promise<Uint8Array | undefined>;
}

type Compress = (bytes: Uint8Array, encoding: Compressed) => Promise<Uint8Array | undefined>;
type Forms = Partial<Record<Compressed, Promise<Uint8Array | undefined>>>;

/**
 * Makes each form once, several askers at a time included, and keeps it for as long as somebody holds the prepared value: a
 * handler that keeps its value has its forms kept, of a value made for one answer nothing stays. A failure is not kept.
 */
export function createEncodings(compressWith: Compress = compress): Encodings {
  const kept = new WeakMap<Prepared, Forms>();
  return {
    async of(prepared, encoding) {
      if (prepared.bytes.byteLength < LEAST_BYTES || !isText(prepared.type)) return undefined;
      const forms = kept.get(prepared) ?? {};
      kept.set(prepared, forms);
      try {
        return await (forms[encoding] ??= compressWith(prepared.bytes, encoding));
      } catch (error) {
        delete forms[encoding];
        throw error;
      }
    },
  };
}

async function compress(bytes: Uint8Array, encoding: Compressed): Promise<Uint8Array | undefined> {
  const params = { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY };
  const made = await (encoding === 'gzip' ? gzipAsync(bytes) : brotliAsync(bytes, { params }));
  return made.byteLength < bytes.byteLength ? made : undefined;
}

// Images and archives are compressed already.
function isText(type: string): boolean {
  return /^text\/|[/+](?:json|xml)\b|^application\/(?:javascript|schema)|^image\/svg/.test(type);
}
