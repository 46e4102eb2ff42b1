import * as zlib from 'node:zlib';
import type { CompressionName } from './layout.ts';

const CLEAR = 256;
const END = 257;
const MAX_CODE = 4096;

/**
 * Decodes TIFF LZW (TIFF 6.0, section 13), at most `out.length` bytes. Returns the number of bytes. Throws a RangeError
 * for an impossible code.
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
 * Writes the string of a code, and returns the length of the string. A code that is not in the table yet means the
 * previous string, followed by the first byte of the previous string.
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
 * Decompresses a tile, of which the caller needs `expected` bytes. For damaged bytes, throws or returns a shorter or
 * wrong result. Throws for a scheme that this Node version does not support.
 */
export function decompress(compression: CompressionName, bytes: Uint8Array, expected: number): Uint8Array {
  if (compression === 'none') return bytes;
  if (compression === 'deflate') return zlib.inflateSync(bytes, limits(expected));
  if (compression === 'zstd') return undoZstd(bytes, expected);
  const out = new Uint8Array(expected);
  return out.subarray(0, compression === 'lzw' ? undoLzw(bytes, out) : undoPackBits(bytes, out));
}

/**
 * Frees the result of `decompress`. Otherwise the garbage collector frees many results together, which took a tenth
 * of the CPU time of decompression.
 */
export function discard(compression: CompressionName, decompressed: Uint8Array): void {
  // The reader owns uncompressed bytes, and short results may be in Node's buffer pool.
  if (compression === 'none' || decompressed.byteLength <= Buffer.poolSize) return;
  if (decompressed.buffer instanceof ArrayBuffer) decompressed.buffer.transfer(0);
}

/** Limits of the output: twice the size of a tile (at least 4096 bytes), to refuse decompression bombs. */
function limits(expected: number): { chunkSize: number; maxOutputLength: number } {
  return { chunkSize: Math.max(expected + 64, 1024), maxOutputLength: Math.max(2 * expected, 4096) };
}

/** Decodes PackBits (TIFF 6.0, section 9), at most `out.length` bytes; returns the number of bytes. */
function undoPackBits(bytes: Uint8Array, out: Uint8Array): number {
  let at = 0;
  for (let i = 0; i < bytes.length && at < out.length;) {
    const head = bytes[i++]!;
    // The byte 128 has no meaning.
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
