/**
 * Smooths columns of equidistant steps with gaps: Whittaker's penalised least squares with second differences (Eilers 2003, Analytical
 * Chemistry 75:3631; for vegetation series Atzberger and Eilers 2011, doi:10.1080/17538947.2010.505664). Weights are 1 where a step was seen and 0
 * where not, so that a gap is bridged with the slopes of both its sides instead of by a line. Beyond the first and the last step seen the
 * nearest smoothed value is held, and no bridge leaves the range of what was seen: nothing is made up.
 */
export interface Whittaker {
  /**
   * Smooths the first `count` columns of `columns`, `[column][steps]`, into `out` of the same shape. `seen[i]`: bit s is set where step s of column i has a
   * value; a column without any is left alone. Linear in the number of values; neighbours with the same gaps are solved together.
   */
  (columns: Columns, out: Float64Array): void;
}

/** Columns to be smoothed. */
export interface Columns {
  readonly values: Int16Array;
  readonly seen: Int32Array;
  readonly count: number;
}

/** Makes a smoother of columns of `steps` (at most 31) steps; `stiffness` is Eilers' lambda. */
export function createWhittaker(steps: number, stiffness: number): Whittaker {
  // Factors L D L' of the pentadiagonal matrix W + stiffness * D'D between the first and the last step seen. Index k is that step's row: `one` and
  // `two` hold L's entries of the rows one and two below, `oneUp` and `twoUp` the same by their own row, so that no loop has to look where it is.
  const inverse = new Float64Array(steps + 2);
  const one = new Float64Array(steps + 2);
  const two = new Float64Array(steps + 2);
  const oneUp = new Float64Array(steps + 2);
  const twoUp = new Float64Array(steps + 2);
  const weight = new Float64Array(steps + 2);
  let known = 0;
  let first = 0;
  let last = 0;

  function factor(seen: number): void {
    known = seen;
    first = 31 - Math.clz32(seen & -seen);
    last = 31 - Math.clz32(seen);
    const size = last - first + 1;
    let [pivotA, pivotB] = [0, 0];
    for (let k = 0; k < size; k++) {
      const w = (seen >>> (first + k)) & 1;
      const a = k > 0 ? one[k - 1]! : 0;
      const b = k > 1 ? two[k - 2]! : 0;
      const pivot = w + stiffness * diagonalOf(k, size) - a * a * pivotA - b * b * pivotB;
      weight[k] = w;
      oneUp[k] = a;
      twoUp[k] = b;
      one[k] = (stiffness * besideOf(k, size) - a * (k > 0 ? two[k - 1]! : 0) * pivotA) / pivot;
      two[k] = k + 2 < size ? stiffness / pivot : 0;
      inverse[k] = 1 / pivot;
      pivotB = pivotA;
      pivotA = pivot;
    }
  }

  /** Solves columns `start .. end` of one pattern of gaps: steps outside, columns inside, so that no value waits for the one before it. */
  function solve(values: Int16Array, out: Float64Array, start: number, end: number): void {
    const size = last - first + 1;
    for (let k = 0; k < size; k++) {
      const w = weight[k]!;
      const l1 = oneUp[k]!;
      const l2 = twoUp[k]!;
      const back1 = k > 0 ? 1 : 0;
      const back2 = k > 1 ? 2 : 0;
      for (let i = start * steps + first + k; i < end * steps; i += steps)
        out[i] = w * values[i]! - l1 * out[i - back1]! - l2 * out[i - back2]!;
    }
    for (let k = size - 1; k >= 0; k--) {
      const d = inverse[k]!;
      const l1 = one[k]!;
      const l2 = two[k]!;
      const ahead1 = k + 1 < size ? 1 : 0;
      const ahead2 = k + 2 < size ? 2 : 0;
      for (let i = start * steps + first + k; i < end * steps; i += steps)
        out[i] = d * out[i]! - l1 * out[i + ahead1]! - l2 * out[i + ahead2]!;
    }
  }

  /** Cuts off what leaves the range of the values seen, and holds the ends. */
  function keepWithin(values: Int16Array, out: Float64Array, at: number): void {
    let low = 32_767;
    let high = -32_768;
    for (let left = known; left !== 0; left &= left - 1) {
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
  function hold(values: Int16Array, out: Float64Array, at: number): void {
    for (let s = 0; s < steps; s++) out[at + s] = values[at + Math.min(last, Math.max(first, s))]!;
  }

  return ({ values, seen, count }, out) => {
    for (let start = 0, end = 0; start < count; start = end) {
      const pattern = seen[start]!;
      end = start + 1;
      while (end < count && seen[end] === pattern) end++;
      if (pattern === 0) continue;
      if (pattern !== known) factor(pattern);
      const isShort = last - first < 2;
      if (!isShort) solve(values, out, start, end);
      for (let i = start; i < end; i++) {
        if (isShort) hold(values, out, i * steps);
        else keepWithin(values, out, i * steps);
      }
    }
  };
}

/** Diagonal of D'D for second differences of `size` values. */
function diagonalOf(k: number, size: number): number {
  let sum = 0;
  if (k + 2 < size) sum += 1;
  if (k >= 1 && k + 1 < size) sum += 4;
  if (k >= 2) sum += 1;
  return sum;
}

/** First band beside the diagonal of D'D: between k and k + 1. */
function besideOf(k: number, size: number): number {
  if (k + 1 >= size) return 0;
  let sum = 0;
  if (k + 2 < size) sum -= 2;
  if (k >= 1) sum -= 2;
  return sum;
}
