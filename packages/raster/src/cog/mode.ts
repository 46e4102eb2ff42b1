import type { CogPixels } from './cog-image.ts';

/** Two neighbouring rows. For the last row of an odd number of rows, `bottom` is the same row as `top`. */
export interface RowPair<T> {
  readonly top: T;
  readonly bottom: T;
}

/**
 * Halves a pair of rows by mode into `out`, `ceil(cols / 2)` values. Without `nodata`, every value counts. Of equally
 * frequent values, takes the one that reaches this frequency first in row order, as GDAL does.
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

/** Halves four columns at a time as 32-bit words. Returns the number of groups of four; 0 for unaligned rows. */
function halveQuads({ top, bottom }: RowPair<Uint8Array>, out: Uint8Array, nodata: number): number {
  if ((top.byteOffset | bottom.byteOffset) % 4 !== 0) return 0;
  const quads = top.length >> 2;
  const upper = new Uint32Array(top.buffer, top.byteOffset, quads);
  const lower = new Uint32Array(bottom.buffer, bottom.byteOffset, quads);
  for (let q = 0; q < quads; q += 1) {
    const u = upper[q]!;
    const l = lower[q]!;
    // Most parts of a class map are uniform. There, a word is equal to the word below, and to itself rotated by one
    // byte.
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
 * Returns the first value with data that occurs a second time, or else the first value with data. `a` and `b` are the
 * upper row, `c` and `d` the lower row.
 */
function modeOfFour([a, b, c, d]: readonly [number, number, number, number], nodata: number | undefined): number {
  if (a !== nodata && (a === b || a === c)) return a;
  if (b !== nodata && b === c) return b;
  if (d !== nodata && (d === a || d === b || d === c)) return d;
  if (a !== nodata) return a;
  if (b !== nodata) return b;
  return c === nodata ? d : c;
}
