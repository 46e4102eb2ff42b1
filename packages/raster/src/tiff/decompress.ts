import * as zlib from 'node:zlib';
import type { CompressionName } from './layout.ts';

const CLEAR = 256;
const END = 257;
const MAX_CODE = 4096;

/**
 * Decodes TIFF LZW (most significant bit first; the width of the codes grows one code early), at most `out.length` bytes. Returns the
 * number of bytes written. Throws a RangeError for an impossible code. Source: TIFF 6.0, section 13.
 */
function undoLzw(bytes: Uint8Array, out: Uint8Array): number {
  const start = new Int32Array(MAX_CODE);
  const length = new Int32Array(MAX_CODE);
  let [bits, bitCount, width, next, at] = [0, 0, 9, END + 1, 0];
  let previous = -1;
  for (const byte of bytes) {
    bits = ((bits << 8) | byte) & 0xff_ffff;
    bitCount += 8;
    if (bitCount < width) continue;
    bitCount -= width;
    const code = (bits >> bitCount) & ((1 << width) - 1);
    if (code === END || at >= out.length) break;
    if (code === CLEAR) {
      [width, next, previous] = [9, END + 1, -1];
      continue;
    }
    const wrote = emit({ code, previous, next }, { start, length }, { out, at });
    if (previous >= 0 && next < MAX_CODE) {
      start[next] = at - sizeOf(previous, length);
      length[next] = sizeOf(previous, length) + 1;
      next += 1;
    }
    at += wrote;
    previous = code;
    if (next + 1 >= 1 << width && width < 12) width += 1;
  }
  return Math.min(at, out.length);
}

function sizeOf(code: number, length: Int32Array): number {
  return code < CLEAR ? 1 : length[code]!;
}

/**
 * Writes the string of one code; a code that is not in the table yet stands for the previous string and the first byte
 * of that string. Returns the length of the string.
 */
function emit(
  { code, previous, next }: { code: number; previous: number; next: number },
  { start, length }: { start: Int32Array; length: Int32Array },
  { out, at }: { out: Uint8Array; at: number },
): number {
  if (code < CLEAR) {
    out[at] = code;
    return 1;
  }
  if (code > next || (code === next && previous < 0)) throw new RangeError(`LZW code ${code} before it was defined`);
  const size = code === next ? sizeOf(previous, length) + 1 : sizeOf(code, length);
  const from = code === next ? at - (size - 1) : start[code]!;
  for (let i = 0; i < size && at + i < out.length; i++) out[at + i] = out[from + i]!;
  return size;
}

/**
 * Decompresses the bytes of one tile; `expected` is the number of bytes that the caller needs. Throws zlib's error or
 * a RangeError (LZW) for damaged bytes, or an Error for a scheme that this Node version does not support.
 */
export function decompress(compression: CompressionName, bytes: Uint8Array, expected: number): Uint8Array {
  if (compression === 'none') return bytes;
  if (compression === 'deflate') return zlib.inflateSync(bytes, limits(expected));
  if (compression === 'zstd') return undoZstd(bytes, expected);
  const out = new Uint8Array(expected);
  return out.subarray(0, compression === 'lzw' ? undoLzw(bytes, out) : undoPackBits(bytes, out));
}

/**
 * Frees the result of `decompress`, which must not be used after this call. The garbage collector would free the
 * results only after many tiles. Until then, each tile would use new memory, which the operating system clears page by
 * page; this took a tenth of the time.
 */
export function discard(compression: CompressionName, decompressed: Uint8Array): void {
  // Uncompressed bytes are those of the reader, and short results may be in the buffer pool of Node. So uncompressed
  // bytes and short results are not freed here.
  if (compression === 'none' || decompressed.byteLength <= Buffer.poolSize) return;
  if (decompressed.buffer instanceof ArrayBuffer) decompressed.buffer.transfer(0);
}

/**
 * Options of zlib. The output chunk has space for the tile and some more bytes, so zlib never needs a second chunk. The
 * output is limited to twice the size of a tile, so a decompression bomb is refused early.
 */
function limits(expected: number): { chunkSize: number; maxOutputLength: number } {
  return { chunkSize: Math.max(expected + 64, 1024), maxOutputLength: Math.max(2 * expected, 4096) };
}

/** Decodes PackBits, at most `out.length` bytes; returns the number of bytes written. Source: TIFF 6.0, section 9. */
function undoPackBits(bytes: Uint8Array, out: Uint8Array): number {
  let at = 0;
  for (let i = 0; i < bytes.length && at < out.length;) {
    const head = bytes[i++]!;
    // The byte 128 has no meaning and is skipped.
    if (head === 128) continue;
    const length = Math.min(head < 128 ? head + 1 : 257 - head, out.length - at);
    if (head < 128) out.set(bytes.subarray(i, i + length), at);
    else out.fill(bytes[i] ?? 0, at, at + length);
    i += head < 128 ? head + 1 : 1;
    at += length;
  }
  return at;
}

function undoZstd(bytes: Uint8Array, expected: number): Uint8Array {
  if (typeof zlib.zstdDecompressSync !== 'function') {
    throw new Error(
      'it is zstd compressed, which this Node cannot read; use Node >= 22.15 or rewrite the file with deflate',
    );
  }
  return zlib.zstdDecompressSync(bytes, limits(expected));
}
