import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib';
import type { Encoding } from '../reading/accept-encoding.ts';

/** Encodings that make bytes fewer. */
export type Compressed = Exclude<Encoding, 'identity'>;

/** Of 11: nearly its smallest size at a tenth of its time. */
const BROTLI_QUALITY = 7;
/** Smaller than gzip's, in half of its time. */
const BROTLI_STREAM_QUALITY = 4;

const gzipAsync = promisify(gzip);
const brotliAsync = promisify(brotliCompress);

/** Bytes in a compressed form; undefined where that gains nothing. */
export async function compress(bytes: Uint8Array, encoding: Compressed): Promise<Uint8Array | undefined> {
  const params = { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY };
  const made = await (encoding === 'gzip' ? gzipAsync(bytes) : brotliAsync(bytes, { params }));
  return made.byteLength < bytes.byteLength ? made : undefined;
}

/** Compressed pieces of a stream: quickly, because somebody waits, and it may have hundreds of megabytes. */
export async function* packedPieces(
  stream: ReadableStream<Uint8Array>,
  encoding: Compressed,
): AsyncGenerator<Uint8Array> {
  const params = { [constants.BROTLI_PARAM_QUALITY]: BROTLI_STREAM_QUALITY };
  const packer = encoding === 'gzip' ? createGzip() : createBrotliCompress({ params });
  const piped = pipeline(stream, packer);
  try {
    for await (const piece of packer) {
      const bytes: Uint8Array = piece;
      yield bytes;
    }
  } finally {
    // What broke it off is told by the loop above.
    await piped.catch(() => {});
  }
}
