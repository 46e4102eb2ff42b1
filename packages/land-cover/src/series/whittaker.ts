import { emptyFactors, type Factors, factorise } from './factors.ts';

/**
 * Columns to smooth, `[steps][width]`, int16. `seen[i]`: bit s is set if step s of column i has a value; the first `count` columns are
 * smoothed.
 */
export interface Columns {
  readonly values: Int16Array;
  readonly seen: Int32Array;
  readonly count: number;
}

/**
 * Smooths columns into `out`, `[width][steps]`; a column without any value is not changed. Time is linear in the number of values. Neighbouring
 * columns with the same gaps are solved together.
 */
export type Whittaker = (columns: Columns, out: Float64Array) => void;

/** Steps of a column (at most 31), columns of a tile, and `stiffness`, the lambda of Eilers. */
export interface WhittakerShape {
  readonly steps: number;
  readonly width: number;
  readonly stiffness: number;
}

/**
 * Creates a smoother of columns of equidistant steps with gaps: Whittaker's penalised least squares with second differences (Eilers 2003,
 * Analytical Chemistry 75:3631; for vegetation series Atzberger and Eilers 2011, doi:10.1080/17538947.2010.505664). Weights are 1 for an observed
 * step and 0 otherwise, so that a gap is filled with the slopes of both sides instead of a straight line. Before the first and after the last
 * observed step the nearest smoothed value is repeated. All results are in the range of the observed values. Runs smooth blocks by `YearKernel`
 * instead; a test checks that both give equal results.
 */
export function createWhittaker({ steps, width, stiffness }: WhittakerShape): Whittaker {
  const work: Work = {
    width,
    factors: emptyFactors(steps, stiffness),
    z: new Float64Array(steps * width),
    low: new Float64Array(width),
    high: new Float64Array(width),
  };
  const { factors } = work;
  return ({ values, seen, count }, out) => {
    for (let start = 0, end = 0; start < count; start = end) {
      const pattern = seen[start]!;
      end = start + 1;
      while (end < count && seen[end] === pattern) end++;
      if (pattern === 0) continue;
      if (pattern !== factors.seen) factorise(factors, pattern);
      if (factors.last - factors.first < 2) {
        for (let i = start; i < end; i++) copyNearest(work, values, { out, column: i });
        continue;
      }
      eliminate(work, values, [start, end]);
      substitute(work, [start, end]);
      for (let i = start; i < end; i++) writeClamped(work, out, i);
    }
  };
}

/** Buffers for a tile: rows `[steps][width]`, and the range of the observed values of each column. */
interface Work {
  readonly width: number;
  readonly factors: Factors;
  readonly z: Float64Array;
  readonly low: Float64Array;
  readonly high: Float64Array;
}

type Range = readonly [from: number, to: number];

/**
 * Forward elimination of the columns from `from` to before `to`. The inner loop is over columns, so that no computation waits for the
 * result of the previous one.
 */
function eliminate({ width, factors: f, z, low, high }: Work, values: Int16Array, [from, to]: Range): void {
  low.fill(32_767, from, to);
  high.fill(-32_768, from, to);
  const size = f.last - f.first + 1;
  for (let k = 0; k < size; k++) {
    const row = (f.first + k) * width;
    const l1 = f.oneUp[k]!;
    const l2 = f.twoUp[k]!;
    const back1 = k > 0 ? width : 0;
    const back2 = k > 1 ? 2 * width : 0;
    if (f.weight[k] === 0) {
      for (let i = from; i < to; i++) z[row + i] = -l1 * z[row - back1 + i]! - l2 * z[row - back2 + i]!;
      continue;
    }
    for (let i = from; i < to; i++) {
      const v = values[row + i]!;
      if (v < low[i]!) low[i] = v;
      if (v > high[i]!) high[i] = v;
      z[row + i] = v - l1 * z[row - back1 + i]! - l2 * z[row - back2 + i]!;
    }
  }
}

/** Back substitution of the same columns. */
function substitute({ width, factors: f, z }: Work, [from, to]: Range): void {
  const size = f.last - f.first + 1;
  for (let k = size - 1; k >= 0; k--) {
    const row = (f.first + k) * width;
    const d = f.inverse[k]!;
    const l1 = f.one[k]!;
    const l2 = f.two[k]!;
    const ahead1 = k + 1 < size ? width : 0;
    const ahead2 = k + 2 < size ? 2 * width : 0;
    for (let i = from; i < to; i++)
      z[row + i] = d * z[row + i]! - l1 * z[row + ahead1 + i]! - l2 * z[row + ahead2 + i]!;
  }
}

/**
 * Writes a solved column, clamped to the range of its observed values, and repeats the first and last value at the
 * ends.
 */
function writeClamped(
  { width, factors: { first, last, steps }, z, low, high }: Work,
  out: Float64Array,
  i: number,
): void {
  const at = i * steps;
  const least = low[i]!;
  const most = high[i]!;
  for (let s = first, from = first * width + i; s <= last; s++, from += width) {
    const v = z[from]!;
    out[at + s] = v < least ? least : v > most ? most : v;
  }
  for (let s = at; s < at + first; s++) out[s] = out[at + first]!;
  for (let s = at + last + 1; s < at + steps; s++) out[s] = out[at + last]!;
}

/** Copies one or two adjacent observed steps, which need no smoothing. */
function copyNearest(
  { width, factors: { first, last, steps } }: Work,
  values: Int16Array,
  { out, column }: { readonly out: Float64Array; readonly column: number },
): void {
  for (let s = 0; s < steps; s++)
    out[column * steps + s] = values[Math.min(last, Math.max(first, s)) * width + column]!;
}
