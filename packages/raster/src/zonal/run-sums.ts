import type { Kernels } from '../pixels/kernels.ts';
import type { PixelWindow } from '../pixels/pixel-window.ts';
import type { Coverage } from './coverage-runs.ts';

/** Runs (pixels with equal covered fractions) of one zone in some rows of a window. */
export interface RunRows {
  /** Number of the first of these rows in the raster. */
  readonly row: number;
  readonly rows: number;
  /** Index of the first run of each row, and the end of the last row. */
  readonly starts: Int32Array;
  /** First column and end column of each run in the raster. */
  readonly from: Int32Array;
  readonly to: Int32Array;
  readonly fraction: Float64Array;
}

/** Selects the runs of a zone that are in the rows of a window. */
export function runsIn({ top, rows, start, from, to, fraction }: Coverage, window: PixelWindow): RunRows {
  const first = Math.max(top, window.row);
  const count = Math.max(0, Math.min(top + rows, window.row + window.rows) - first);
  const starts = start.slice(first - top, first - top + count + 1);
  const [begin, end] = count === 0 ? [0, 0] : [starts[0]!, starts[count]!];
  // This is a loop, because `Int32Array.from` with a function took a fifteenth of the whole time.
  for (let i = 0; i < starts.length; i++) starts[i] = starts[i]! - begin;
  return {
    row: first,
    rows: count,
    starts,
    from: from.subarray(begin, end),
    to: to.subarray(begin, end),
    fraction: fraction.subarray(begin, end),
  };
}

/** Number of pixels with data in a zone, and their smallest and largest value. */
export interface ValueRange {
  pixels: number;
  min: number;
  max: number;
}

/** Minimum covered fraction of a pixel that counts for a `ValueRange`. */
export interface LeastFraction {
  readonly least: number;
}

/** Values of a window, row-major, NaN for nodata. */
export interface ValueWindow extends PixelWindow {
  readonly data: Float32Array | Float64Array;
}

/**
 * Returns two sums for each row of a zone, `[fraction, fraction x value]` of the pixels with data, and updates `range`.
 * Adds in the same order as the kernel, so that both have exactly equal results.
 */
export function sumRunsReference(
  { data, cols, row: top, col: left }: ValueWindow,
  { row, rows, starts, from, to, fraction }: RunRows,
  range: ValueRange & LeastFraction,
): Float64Array {
  const sums = new Float64Array(2 * rows);
  const parts = new Float64Array(4);
  for (let r = 0; r < rows; r++) {
    const base = (row + r - top) * cols - left;
    for (let run = starts[r]!; run < starts[r + 1]!; run++) {
      const share = fraction[run]!;
      const counts = share >= range.least;
      let count = 0;
      parts.fill(0);
      for (let col = from[run]!; col < to[run]!; col++) {
        const value = data[base + col]!;
        if (Number.isNaN(value)) continue;
        count += 1;
        const part = (col - from[run]!) & 3;
        parts[part] = parts[part]! + value;
        if (!counts) continue;
        if (value < range.min) range.min = value;
        if (value > range.max) range.max = value;
      }
      if (counts) range.pixels += count;
      sums[2 * r] = sums[2 * r]! + share * count;
      sums[2 * r + 1] = sums[2 * r + 1]! + share * (parts[0]! + parts[2]! + (parts[1]! + parts[3]!));
    }
  }
  return sums;
}

/** Bytes of the kernel's result before the sums of rows. */
const HEAD = 24;

interface RunAddresses {
  readonly starts: number;
  readonly from: number;
  readonly to: number;
  readonly fractions: number;
}

/** Copies the runs of a zone to new memory of the kernels. */
export function loadRuns(kernels: Kernels, part: RunRows): RunAddresses {
  const runs = part.from.length;
  const starts = kernels.alloc(4 * part.starts.length);
  const [from, to, fractions] = [kernels.alloc(4 * runs), kernels.alloc(4 * runs), kernels.alloc(8 * runs)];
  kernels.i32(starts, part.starts.length).set(part.starts);
  kernels.i32(from, runs).set(part.from);
  kernels.i32(to, runs).set(part.to);
  kernels.f64(fractions, runs).set(part.fraction);
  return { starts, from, to, fractions };
}

/** Does the work of `sumRunsReference` in the kernels, for float32 values at `address`. */
export function sumRuns(
  kernels: Kernels,
  { address, cols, row: top, col: left }: PixelWindow & { readonly address: number },
  { part, range }: { readonly part: RunRows; readonly range: ValueRange & LeastFraction },
): Float64Array {
  const mark = kernels.mark();
  const out = kernels.alloc(HEAD + 16 * part.rows);
  const { starts, from, to, fractions } = loadRuns(kernels, part);
  kernels.i32(out, 1)[0] = range.pixels;
  kernels.f32(out + 8, 2).set([range.min, range.max]);
  const data = address + 4 * (part.row - top) * cols;
  kernels.run.sumRuns(data, cols, part.rows, left, starts, from, to, fractions, range.least, out);
  range.pixels = kernels.i32(out, 1)[0]!;
  [range.min, range.max] = [kernels.f32(out + 8, 2)[0]!, kernels.f32(out + 8, 2)[1]!];
  const sums = kernels.f64(out + HEAD, 2 * part.rows).slice();
  kernels.reset(mark);
  return sums;
}
