/** Addresses of the factors, float64 `[row]`, named as in `Factors` of `src/series/whittaker.ts`. */
export const INVERSE: usize = memory.data(256, 16);
export const ONE: usize = memory.data(256, 16);
export const TWO: usize = memory.data(256, 16);
export const ONE_UP: usize = memory.data(256, 16);
export const TWO_UP: usize = memory.data(256, 16);

/** Observed steps (as bits) for which the stored factors were computed; 0 = no factors yet. */
let known: i32 = 0;
let stiffness: f64 = 0;

/** Sets the smoothing parameter lambda (Eilers 2003). */
export function setStiffness(lambda: f64): void {
  stiffness = lambda;
  known = 0;
}

/**
 * Computes the same factors as `factorise` in `src/series/whittaker.ts`. The factors stay in memory, because
 * neighbouring pixels mostly need the same factors.
 */
export function factorise(seen: i32): void {
  if (seen === known) return;
  known = seen;
  const first = ctz(seen);
  const size = 32 - clz(seen) - first;
  let pivotA: f64 = 0;
  let pivotB: f64 = 0;
  for (let k = 0; k < size; k++) {
    const at = <usize>k << 3;
    const w = <f64>((seen >>> (first + k)) & 1);
    const a = k > 0 ? load<f64>(ONE + at - 8) : 0;
    const b = k > 1 ? load<f64>(TWO + at - 16) : 0;
    const above = k > 0 ? load<f64>(TWO + at - 8) : 0;
    const pivot = w + stiffness * diagonalOf(k, size) - a * a * pivotA - b * b * pivotB;
    store<f64>(ONE_UP + at, a);
    store<f64>(TWO_UP + at, b);
    store<f64>(ONE + at, (stiffness * besideOf(k, size) - a * above * pivotA) / pivot);
    store<f64>(TWO + at, k + 2 < size ? stiffness / pivot : 0);
    store<f64>(INVERSE + at, 1 / pivot);
    pivotB = pivotA;
    pivotA = pivot;
  }
}

/** Diagonal of D'D for second differences of `size` values. */
function diagonalOf(k: i32, size: i32): f64 {
  let sum: f64 = 0;
  if (k + 2 < size) sum += 1;
  if (k >= 1 && k + 1 < size) sum += 4;
  if (k >= 2) sum += 1;
  return sum;
}

/** First band next to the diagonal of D'D: row k, column k + 1. */
function besideOf(k: i32, size: i32): f64 {
  if (k + 1 >= size) return 0;
  let sum: f64 = 0;
  if (k + 2 < size) sum -= 2;
  if (k >= 1) sum -= 2;
  return sum;
}
