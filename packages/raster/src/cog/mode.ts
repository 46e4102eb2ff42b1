import type { CogPixels } from './cog-image.ts';

/**
 * Two neighbouring rows of values. After the last row of a raster with an odd number of rows, `bottom` is the same row
 * as `top`.
 */
export interface RowPair<T> {
  readonly top: T;
  readonly bottom: T;
}

/**
 * Halves a pair of rows by mode into `out`, `ceil(cols / 2)` values. If `nodata` is undefined, every value counts. Each output value is the
 * most frequent value with data of 2 x 2 pixels. Of equally frequent values, the value that reaches the count first in row order is taken,
 * as in GDAL. A last odd column (or row) counts twice, which has no effect on the result.
 */
export function halveByMode(pair: RowPair<CogPixels>, out: CogPixels, nodata: number | undefined): void {
  const { top, bottom } = pair;
  const quads =
    top instanceof Uint8Array && bottom instanceof Uint8Array && out instanceof Uint8Array
      ? halveQuads({ top, bottom }, out, nodata ?? -1)
      : 0;
  for (let x = quads * 4; x < top.length; x += 2) {
    const right = Math.min(x + 1, top.length - 1);
    const four = [top[x]!, top[right]!, bottom[x]!, bottom[right]!] as const;
    out[x >> 1] = modeOfFour(four, nodata);
  }
}

/**
 * Halves four columns at a time, as 32-bit words. Returns the number of groups of four columns that were halved; 0 if the rows do not
 * begin at a multiple of four bytes.
 */
function halveQuads({ top, bottom }: RowPair<Uint8Array>, out: Uint8Array, nodata: number): number {
  if ((top.byteOffset | bottom.byteOffset) % 4 !== 0) return 0;
  const quads = top.length >> 2;
  const upper = new Uint32Array(top.buffer, top.byteOffset, quads);
  const lower = new Uint32Array(bottom.buffer, bottom.byteOffset, quads);
  for (let q = 0; q < quads; q += 1) {
    const u = upper[q]!;
    const l = lower[q]!;
    // Most parts of a class map are uniform. In a uniform part, a word equals itself rotated by one byte, and equals
    // the word in the row below.
    if (u === l && ((u << 8) | (u >>> 24)) >>> 0 === u) {
      out[2 * q] = u;
      out[2 * q + 1] = u;
    } else {
      out[2 * q] = modeOfBytes((u & 0xffff) | (l << 16), nodata);
      out[2 * q + 1] = modeOfBytes((u >>> 16) | (l & 0xffff0000), nodata);
    }
  }
  return quads;
}

/** `modeOfFour` for the four bytes of a word, beginning with the lowest byte. */
function modeOfBytes(word: number, nodata: number): number {
  const a = word & 0xff;
  const b = (word >>> 8) & 0xff;
  if (a === b && a !== nodata) return a;
  const c = (word >>> 16) & 0xff;
  if (a === c && a !== nodata) return a;
  if (b === c && b !== nodata) return b;
  const d = word >>> 24;
  if (d !== nodata && (d === a || d === b || d === c)) return d;
  if (a !== nodata) return a;
  if (b !== nodata) return b;
  return c === nodata ? d : c;
}

/**
 * The mode of 2 x 2 pixels, `a` and `b` above `c` and `d`: the first value with data that occurs a second time. If no value
 * occurs twice, the first value with data.
 */
function modeOfFour([a, b, c, d]: readonly [number, number, number, number], nodata: number | undefined): number {
  if (a !== nodata && (a === b || a === c)) return a;
  if (b !== nodata && b === c) return b;
  if (d !== nodata && (d === a || d === b || d === c)) return d;
  if (a !== nodata) return a;
  if (b !== nodata) return b;
  return c === nodata ? d : c;
}
