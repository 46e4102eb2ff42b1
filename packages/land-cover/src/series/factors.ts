/**
 * Factors L D L' of the pentadiagonal matrix W + stiffness * D'D between the first and the last observed step (D: second differences). Index k is
 * the row of step k. `one` and `two` hold, for column k, the elements of L in the rows k + 1 and k + 2. `oneUp` and `twoUp` hold the same elements
 * by row, so that loops need no bounds checks.
 */
export interface Factors {
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
  /** Observed steps (as bits) for which these factors were computed, 0 = none yet. `first` and `last` are the first and the last observed step. */
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

/** Factorises the matrix for these observed steps (Golub and Van Loan 2013, section 4.3, for two bands). */
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

/** First off-diagonal band of D'D: the element between k and k + 1. */
function offDiagonalOf(k: number, size: number): number {
  if (k + 1 >= size) return 0;
  let sum = 0;
  if (k + 2 < size) sum -= 2;
  if (k >= 1) sum -= 2;
  return sum;
}
