import type { OverviewRule, CogPixels } from './cog-image.ts';
import { halveByMode } from './mode.ts';
import type { RowPair } from './mode.ts';

/** Computes one overview row, `ceil(cols / 2)` values, from two rows of the next finer level. */
export type Halve = (pair: RowPair<CogPixels>, out: CogPixels, nodata: number | undefined) => void;

/** Function of each overview rule. */
export const HALVES: Readonly<Record<Exclude<OverviewRule, 'none'>, Halve>> = {
  mode: halveByMode,
  average: halveByAverage,
  nearest: halveByNearest,
  greatest: halveByGreatest,
};

/**
 * Computes the mean of the values with data, rounded half up for integers. A mean equal to nodata becomes the next
 * value, as in GDAL.
 */
function halveByAverage({ top, bottom }: RowPair<CogPixels>, out: CogPixels, nodata: number | undefined): void {
  const whole = !isFloat(out);
  const empty = nodata ?? (whole ? 0 : Number.NaN);
  const other = nodata === undefined || Number.isNaN(nodata) ? empty : nextValue(nodata, out);
  for (let x = 0; x < top.length; x += 2) {
    const right = Math.min(x + 1, top.length - 1);
    let sum = 0;
    let count = 0;
    for (let corner = 0; corner < 4; corner += 1) {
      const value = (corner < 2 ? top : bottom)[(corner & 1) === 0 ? x : right]!;
      if (value === nodata || Number.isNaN(value)) continue;
      sum += value;
      count += 1;
    }
    const mean = count === 0 ? empty : sum / count;
    out[x >> 1] = whole && count > 0 ? Math.floor(mean + 0.5) : mean;
    if (count > 0 && out[x >> 1] === nodata) out[x >> 1] = other;
  }
}

/**
 * Returns the next greater value of the array's type. For the greatest integer, returns the next smaller integer. For
 * the greatest float, returns this float.
 */
function nextValue(value: number, like: CogPixels): number {
  const one = like.slice(0, 1);
  if (isFloat(like)) {
    one[0] = value;
    const words = one.BYTES_PER_ELEMENT === 4 ? new Int32Array(one.buffer) : new BigInt64Array(one.buffer);
    // Bits of floats, read as an integer, grow with the distance from 0. So 1 is added for positive floats and
    // subtracted for negative ones.
    if (words instanceof BigInt64Array) words[0] = value === 0 ? 1n : words[0]! + (value > 0 ? 1n : -1n);
    else words[0] = value === 0 ? 1 : words[0]! + (value > 0 ? 1 : -1);
    return Number.isFinite(one[0]) ? one[0] : value;
  }
  one[0] = value + 1;
  return one[0] === value + 1 ? value + 1 : value - 1;
}

/** Takes the upper left pixel of each 2 x 2 pixels. */
function halveByNearest({ top }: RowPair<CogPixels>, out: CogPixels): void {
  for (let x = 0; x < top.length; x += 2) out[x >> 1] = top[x]!;
}

/** Takes the greatest value with data (never NaN) of each 2 x 2 pixels. */
function halveByGreatest({ top, bottom }: RowPair<CogPixels>, out: CogPixels, nodata: number | undefined): void {
  const empty = nodata ?? (isFloat(out) ? Number.NaN : 0);
  for (let x = 0; x < top.length; x += 2) {
    const right = Math.min(x + 1, top.length - 1);
    let greatest = -Infinity;
    for (let corner = 0; corner < 4; corner += 1) {
      const value = (corner < 2 ? top : bottom)[(corner & 1) === 0 ? x : right]!;
      if (value !== nodata && value > greatest) greatest = value;
    }
    out[x >> 1] = greatest === -Infinity ? empty : greatest;
  }
}

const isFloat = (pixels: CogPixels): boolean => pixels instanceof Float32Array || pixels instanceof Float64Array;
