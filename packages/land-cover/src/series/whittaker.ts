import { emptyFactors, type Factors, factorise } from './factors.ts';

/** Columns to be smoothed, `[column][steps]`, int16. `seen[i]`: bit s is set where step s of column i has a value; the first `count` are smoothed. */
export interface Columns {
  readonly values: Int16Array;
  readonly seen: Int32Array;
  readonly count: number;
}

/**
 * Smooths columns into `out` of the same shape; a column without any value is left alone. Linear in the number of values; neighbours with the same
 * gaps are solved together.
 */
export type Whittaker = (columns: Columns, out: Float64Array) => void;

/**
 * Makes a smoother of columns of `steps` (at most 31) equidistant steps with gaps: Whittaker's penalised least squares with second differences (Eilers
 * 2003, Analytical Chemistry 75:3631; for vegetation series Atzberger and Eilers 2011, doi:10.1080/17538947.2010.505664). Weights are 1 where a step
 * was seen and 0 where not, so that a gap is bridged with the slopes of both its sides instead of by a line. Beyond the first and the last step seen
 * the nearest smoothed value is held, and no bridge leaves the range of what was seen: nothing is made up. `stiffness` is Eilers' lambda.
 */
export function createWhittaker(steps: number, stiffness: number): Whittaker {
  const factors = emptyFactors(steps, stiffness);
  return ({ values, seen, count }, out) => {
    for (let start = 0, end = 0; start < count; start = end) {
      const pattern = seen[start]!;
      end = start + 1;
      while (end < count && seen[end] === pattern) end++;
      if (pattern === 0) continue;
      if (pattern !== factors.seen) factorise(factors, pattern);
      const isShort = factors.last - factors.first < 2;
      const pair = { values, out };
      if (!isShort) solve(factors, pair, [start * steps, end * steps]);
      for (let at = start * steps; at < end * steps; at += steps) {
        if (isShort) hold(factors, pair, at);
        else keepWithin(factors, pair, at);
      }
    }
  };
}

interface Pair {
  readonly values: Int16Array;
  readonly out: Float64Array;
}

/** Solves the columns from place `from` to before `to`: steps outside, columns inside, so that no value waits for the one before it. */
function solve(f: Factors, { values, out }: Pair, [from, to]: readonly [number, number]): void {
  const { steps, first } = f;
  const size = f.last - first + 1;
  for (let k = 0; k < size; k++) {
    const w = f.weight[k]!;
    const l1 = f.oneUp[k]!;
    const l2 = f.twoUp[k]!;
    const back1 = k > 0 ? 1 : 0;
    const back2 = k > 1 ? 2 : 0;
    for (let i = from + first + k; i < to; i += steps)
      out[i] = w * values[i]! - l1 * out[i - back1]! - l2 * out[i - back2]!;
  }
  for (let k = size - 1; k >= 0; k--) {
    const d = f.inverse[k]!;
    const l1 = f.one[k]!;
    const l2 = f.two[k]!;
    const ahead1 = k + 1 < size ? 1 : 0;
    const ahead2 = k + 2 < size ? 2 : 0;
    for (let i = from + first + k; i < to; i += steps)
      out[i] = d * out[i]! - l1 * out[i + ahead1]! - l2 * out[i + ahead2]!;
  }
}

/** Cuts off what leaves the range of the values seen in the column at a place, and holds the ends. */
function keepWithin({ seen, first, last, steps }: Factors, { values, out }: Pair, at: number): void {
  let low = 32_767;
  let high = -32_768;
  for (let left = seen; left !== 0; left &= left - 1) {
    const v = values[at + 31 - Math.clz32(left & -left)]!;
    if (v < low) low = v;
    if (v > high) high = v;
  }
  for (let s = at + first; s <= at + last; s++) {
    const z = out[s]!;
    if (z < low) out[s] = low;
    else if (z > high) out[s] = high;
  }
  for (let s = at; s < at + first; s++) out[s] = out[at + first]!;
  for (let s = at + last + 1; s < at + steps; s++) out[s] = out[at + last]!;
}

/** One or two steps seen side by side: there is nothing to smooth. */
function hold({ first, last, steps }: Factors, { values, out }: Pair, at: number): void {
  for (let s = 0; s < steps; s++) out[at + s] = values[at + Math.min(last, Math.max(first, s))]!;
}
