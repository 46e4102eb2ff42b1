/**
 * Factors L D L' of the pentadiagonal matrix W + stiffness * D'D between the first and the last step seen (D: second
 * differences). Index k is the row of that step. `one` and `two` hold L's entries in the rows one and two below,
 * `oneUp` and `twoUp` the same entries by their own row, so that loops need no bounds checks.
 */
export interface Factors {
  /** Steps of a column. */
  readonly steps: number;
  readonly stiffness: number;
  readonly inverse: Float64Array;
  readonly one: Float64Array;
  readonly two: Float64Array;
  readonly oneUp: Float64Array;
  readonly twoUp: Float64Array;
  /** 1 where a step was seen, 0 where not. */
  readonly weight: Float64Array;
  /** Bits of the steps seen that these factors are for, 0 = none yet; the first and the last of them. */
  seen: number;
  first: number;
  last: number;
}

/** Allocates factors for columns of `steps` steps. */
export function emptyFactors(steps: number, stiffness: number): Factors {
  const row = (): Float64Array => new Float64Array(steps);
  const rows = { inverse: row(), one: row(), two: row(), oneUp: row(), twoUp: row(), weight: row() };
  return { steps, stiffness, ...rows, seen: 0, first: 0, last: 0 };
}

/** Factors the matrix of these gaps (Golub and Van Loan 2013, section 4.3, for two bands). */
export function factorise(f: Factors, seen: number): void {
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

/** First off-diagonal band of D'D: between k and k + 1. */
function offDiagonalOf(k: number, size: number): number {
  if (k + 1 >= size) return 0;
  let sum = 0;
  if (k + 2 < size) sum -= 2;
  if (k >= 1) sum -= 2;
  return sum;
}
