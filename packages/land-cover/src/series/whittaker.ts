/**
 * Columns to smooth, `[steps][width]`, int16. `seen[i]`: bit s is set if step s of column i has a value. Only the first
 * `count` columns are smoothed.
 */
interface Columns {
  readonly values: Int16Array;
  readonly seen: Int32Array;
  readonly count: number;
}

/** Smooths columns into `out`, `[width][steps]`. For a column without values, `out` is not changed. */
type Whittaker = (columns: Columns, out: Float64Array) => void;

/** `steps`: steps of a column, at most 31. `width`: columns of a tile. `stiffness`: lambda of Eilers. */
interface WhittakerShape {
  readonly steps: number;
  readonly width: number;
  readonly stiffness: number;
}

/**
 * Creates a Whittaker smoother (penalised least squares, second differences; Eilers 2003, Analytical Chemistry
 * 75:3631). Gaps get a smooth curve; the ends repeat the nearest value. Results stay in the range of the observed
 * values. Pipelines use `YearKernel`, which is faster and has equal results; tests compare both.
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

/** Rows `[steps][width]`, and the range of the observed values of each column. */
interface Work {
  readonly width: number;
  readonly factors: Factors;
  readonly z: Float64Array;
  readonly low: Float64Array;
  readonly high: Float64Array;
}

type Range = readonly [from: number, to: number];

/**
 * Eliminates downwards, and finds the range of each column. The inner loop is over columns, because their computations
 * do not depend on each other.
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
 * Writes a solved column, clamped to its observed range, and repeats its first and last value outside the observed
 * steps.
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
 * Writes a column with one or two adjacent observed steps: each step gets the nearest observed value, without
 * smoothing.
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
 * Factors L D L' of W + stiffness * D'D (pentadiagonal). Index k is step `first` + k. `one` and `two`: elements of L in
 * the rows k + 1 and k + 2 of column k. `oneUp[k]` and `twoUp[k]` are `one[k - 1]` and `two[k - 2]`, so that loops need
 * no bounds checks.
 */
interface Factors {
  readonly steps: number;
  readonly stiffness: number;
  readonly inverse: Float64Array;
  readonly one: Float64Array;
  readonly two: Float64Array;
  readonly oneUp: Float64Array;
  readonly twoUp: Float64Array;
  /** 1 for an observed step, otherwise 0. */
  readonly weight: Float64Array;
  /** Observed steps (bits) of these factors; 0 if not yet computed. */
  seen: number;
  first: number;
  last: number;
}

function emptyFactors(steps: number, stiffness: number): Factors {
  const row = (): Float64Array => new Float64Array(steps);
  const rows = { inverse: row(), one: row(), two: row(), oneUp: row(), twoUp: row(), weight: row() };
  return { steps, stiffness, ...rows, seen: 0, first: 0, last: 0 };
}

/** Computes the factors (Golub and Van Loan 2013, section 4.3, for two bands). */
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

/** Diagonal of D'D for `size` values. */
function diagonalOf(k: number, size: number): number {
  let sum = 0;
  if (k + 2 < size) sum += 1;
  if (k >= 1 && k + 1 < size) sum += 4;
  if (k >= 2) sum += 1;
  return sum;
}

/** First off-diagonal of D'D: row k, column k + 1. */
function offDiagonalOf(k: number, size: number): number {
  if (k + 1 >= size) return 0;
  let sum = 0;
  if (k + 2 < size) sum -= 2;
  if (k >= 1) sum -= 2;
  return sum;
}
