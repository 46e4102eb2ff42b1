import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib';
import { ownBytes } from '@headwater/core/caching';
import type { Encoding } from '../reading/accept-encoding.ts';

/** Content encodings that compress. */
export type Compressed = Exclude<Encoding, 'identity'>;

/** Brotli quality (0-11) for whole responses: almost as small as 11, in a tenth of the time. */
const BROTLI_QUALITY = 7;
/** Brotli quality for streams: smaller than gzip, in half of the time. */
const BROTLI_STREAM_QUALITY = 4;

const gzipAsync = promisify(gzip);
const brotliAsync = promisify(brotliCompress);

/**
 * Compresses bytes; undefined if the result is not smaller. The result is a copy, because a view would keep a larger
 * buffer in memory.
 */
export async function compress(bytes: Uint8Array, encoding: Compressed): Promise<Uint8Array | undefined> {
  const params = { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY };
  const compressed = await (encoding === 'gzip' ? gzipAsync(bytes) : brotliAsync(bytes, { params }));
  return compressed.byteLength < bytes.byteLength ? Buffer.from(ownBytes(compressed).buffer) : undefined;
}

/** Compresses a stream piece by piece. Speed is more important than size. */
export async function* compressedPieces(
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
    await piped.catch(() => {});
  }
}
