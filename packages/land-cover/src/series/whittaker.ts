/**
 * Smooths columns of equidistant steps with gaps: Whittaker's penalised least squares with second differences (Eilers 2003, Analytical
 * Chemistry 75:3631; for vegetation series Atzberger and Eilers 2011, doi:10.1080/17538947.2010.505664). Weights are 1 where a step was seen and 0
 * where not, so that a gap is bridged with the slopes of both its sides instead of by a line. Beyond the first and the last step seen the
 * nearest smoothed value is held, and no bridge leaves the range of what was seen: nothing is made up.
 */
export interface Whittaker {
  /**
   * Smooths `[at .. at + steps)` of `column`; the array that it returns is overwritten by the next call. `seen`: bit s is set where step s has a
   * value; at least one is. Linear in `steps`; the factors are kept for the next column with the same gaps.
   */
  (column: Int16Array, at: number, seen: number): Float64Array;
}

/** Makes a smoother of columns of `steps` (at most 32) steps; `stiffness` is Eilers' lambda. */
export function createWhittaker(steps: number, stiffness: number): Whittaker {
  // Factors of the pentadiagonal matrix W + stiffness * D'D between the first and the last step seen: L D L' with two bands below the diagonal.
  const inverse = new Float64Array(steps);
  const one = new Float64Array(steps);
  const two = new Float64Array(steps);
  const weight = new Float64Array(steps);
  const out = new Float64Array(steps);
  let [known, first, last] = [0, 0, 0];

  function factor(seen: number): void {
    known = seen;
    first = 31 - Math.clz32(seen & -seen);
    last = 31 - Math.clz32(seen);
    const size = last - first + 1;
    for (let k = 0; k < size; k++) {
      const w = (seen >>> (first + k)) & 1;
      weight[k] = w;
      let diagonal = w + stiffness * diagonalOf(k, size);
      let off = stiffness * besideOf(k, size);
      const far = k + 2 < size ? stiffness : 0;
      if (k > 0) {
        diagonal -= one[k - 1]! ** 2 / inverse[k - 1]!;
        off -= (one[k - 1]! * two[k - 1]!) / inverse[k - 1]!;
      }
      if (k > 1) diagonal -= two[k - 2]! ** 2 / inverse[k - 2]!;
      // `one` and `two` hold the unscaled sub-diagonals of the column, `inverse` its pivot for now.
      inverse[k] = diagonal;
      one[k] = off;
      two[k] = far;
    }
    for (let k = 0; k < size; k++) {
      const pivot = 1 / inverse[k]!;
      inverse[k] = pivot;
      one[k] = one[k]! * pivot;
      two[k] = two[k]! * pivot;
    }
  }

  return (column, at, seen) => {
    if (seen !== known) factor(seen);
    const size = last - first + 1;
    const base = at + first;
    if (size < 3) {
      hold(column, at);
      return out;
    }
    let [a, b, low, high] = [0, 0, 32_767, -32_768];
    for (let k = 0; k < size; k++) {
      const w = weight[k]!;
      const v = w === 0 ? 0 : column[base + k]!;
      if (w !== 0) {
        if (v < low) low = v;
        if (v > high) high = v;
      }
      const z = v - (k > 0 ? one[k - 1]! * a : 0) - (k > 1 ? two[k - 2]! * b : 0);
      out[first + k] = z;
      b = a;
      a = z;
    }
    [a, b] = [0, 0];
    for (let k = size - 1; k >= 0; k--) {
      const z = out[first + k]! * inverse[k]! - one[k]! * a - two[k]! * b;
      b = a;
      a = z;
      out[first + k] = z < low ? low : z > high ? high : z;
    }
    for (let s = 0; s < first; s++) out[s] = out[first]!;
    for (let s = last + 1; s < steps; s++) out[s] = out[last]!;
    return out;
  };

  /** One or two steps seen side by side: there is nothing to smooth. */
  function hold(column: Int16Array, at: number): void {
    for (let s = 0; s < steps; s++) out[s] = column[at + Math.min(last, Math.max(first, s))]!;
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

/** First band beside the diagonal of D'D: between k and k + 1. */
function besideOf(k: number, size: number): number {
  if (k + 1 >= size) return 0;
  let sum = 0;
  if (k + 2 < size) sum -= 2;
  if (k >= 1) sum -= 2;
  return sum;
}
