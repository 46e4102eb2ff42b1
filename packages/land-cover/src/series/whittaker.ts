/**
 * Columns to smooth, `[steps][width]`, int16. `seen[i]`: bit s is set if step s of column i has a value; only the first `count` columns are
 * smoothed.
 */
interface Columns {
  readonly values: Int16Array;
  readonly seen: Int32Array;
  readonly count: number;
}

/**
 * Smooths columns into `out`, `[width][steps]`; a column without any value is not changed. Time is linear in the number of values. Neighbouring
 * columns with the same gaps are solved together.
 */
type Whittaker = (columns: Columns, out: Float64Array) => void;

/**
 * `steps`: number of steps of a column, at most 31. `width`: number of columns of a tile. `stiffness`: the lambda of Eilers.
 */
interface WhittakerShape {
  readonly steps: number;
  readonly width: number;
  readonly stiffness: number;
}

/**
 * Creates a smoother of columns of equidistant steps with gaps: Whittaker's penalised least squares with second differences (Eilers 2003,
 * Analytical Chemistry 75:3631; for vegetation series Atzberger and Eilers 2011, doi:10.1080/17538947.2010.505664). Weights are 1 for an observed
 * step and 0 otherwise. So a gap is filled with a curve that continues the slopes of both sides, and not with a straight line. Before the first
 * and after the last observed step the nearest smoothed value is repeated. All results are in the range of the observed values. Runs use
 * `YearKernel` instead of this smoother. A test checks that the kernel and this smoother have equal results.
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
 * Forward elimination of the columns from `from` to before `to`. The inner loop is over columns. This order is faster, because the computations of
 * different columns do not depend on each other.
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

/** Back substitution of the columns from `from` to before `to`. */
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
 * Writes a solved column, clamped to the range of its observed values, and repeats its first and last value at the steps before and after the
 * observed steps.
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

/**
 * Writes a column whose observations are one step or two adjacent steps. Such a column is not smoothed: each step gets the nearest observed value.
 */
function copyNearest(
  { width, factors: { first, last, steps } }: Work,
  values: Int16Array,
  { out, column }: { readonly out: Float64Array; readonly column: number },
): void {
  for (let s = 0; s < steps; s++)
    out[column * steps + s] = values[Math.min(last, Math.max(first, s)) * width + column]!;
}

/**
 * Factors L D L' of the pentadiagonal matrix W + stiffness * D'D between the first and the last observed step (D: second differences). In the
 * arrays, index k belongs to the row of step `first` + k. `one` and `two` hold, for column k, the elements of L in the rows k + 1 and k + 2.
 * `oneUp` and `twoUp` hold the same elements by row, so that loops need no bounds checks.
 */
interface Factors {
  /** Number of steps of a column. */
  readonly steps: number;
  readonly stiffness: number;
  readonly inverse: Float64Array;
  readonly one: Float64Array;
  readonly two: Float64Array;
  readonly oneUp: Float64Array;
  readonly twoUp: Float64Array;
  /** 1 for an observed step, otherwise 0. */
  readonly weight: Float64Array;
  /**
   * Observed steps (as bits) for which these factors were computed, 0 = no factors were computed yet. `first` and `last` are the first and the
   * last observed step.
   */
  seen: number;
  first: number;
  last: number;
}

/** Allocates factors for columns of `steps` steps. */
function emptyFactors(steps: number, stiffness: number): Factors {
  const row = (): Float64Array => new Float64Array(steps);
  const rows = { inverse: row(), one: row(), two: row(), oneUp: row(), twoUp: row(), weight: row() };
  return { steps, stiffness, ...rows, seen: 0, first: 0, last: 0 };
}

/** Factorises the matrix for these observed steps (Golub and Van Loan 2013, section 4.3, for two bands). */
function factorise(f: Factors, seen: number): void {
  f.seen = seen;
  f.first = 31 - Math.clz32(seen & -seen);
  f.last = 31 - Math.clz32(seen);
  const size = f.last - f.first + 1;
  const { one, two, stiffness } = f;
  let pivotA = 0;
  let pivotB = 0;
  for (let k = 0; k < size; k++) {
    const w = (seen >>> (f.first + k)) & 1;
    const a = k > 0 ? one[k - 1]! : 0;
    const b = k > 1 ? two[k - 2]! : 0;
    const above = k > 0 ? two[k - 1]! : 0;
    const pivot = w + stiffness * diagonalOf(k, size) - a * a * pivotA - b * b * pivotB;
    f.weight[k] = w;
    f.oneUp[k] = a;
    f.twoUp[k] = b;
    one[k] = (stiffness * offDiagonalOf(k, size) - a * above * pivotA) / pivot;
    two[k] = k + 2 < size ? stiffness / pivot : 0;
    f.inverse[k] = 1 / pivot;
    pivotB = pivotA;
    pivotA = pivot;
  }
}

/** Diagonal of D'D for second differences of `size` values. */
function diagonalOf(k: number, size: number): number {
  let sum = 0;
  if (k + 2 < size) sum += 1;
  if (k >= 1 && k + 1 < size) sum += 4;
  if (k >= 2) sum += 1;
  return sum;
}

/** First off-diagonal band of D'D: the element in row k and column k + 1. */
function offDiagonalOf(k: number, size: number): number {
  if (k + 1 >= size) return 0;
  let sum = 0;
  if (k + 2 < size) sum -= 2;
  if (k >= 1) sum -= 2;
  return sum;
}
