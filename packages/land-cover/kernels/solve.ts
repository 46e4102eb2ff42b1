import { INVERSE, ONE, ONE_UP, TWO, TWO_UP } from './factors';
import { COLUMNS, FALLS, RISES, ROW } from './layout';

/**
 * Solves four columns as `whittaker.ts` in `src/series`, and clips them to the observed range. Writes the rows of
 * `COLUMNS` from the first to the last step of `seen`. `src`: address of step 0 of the first of the four pixels.
 */
export function solve4(src: usize, stride: usize, seen: i32, column: i32): void {
  const first = ctz(seen);
  const size = 32 - clz(seen) - first;
  const start = COLUMNS + <usize>first * ROW + (<usize>column << 3);
  let at = start;
  let value = src + <usize>first * stride;
  let a1 = f64x2.splat(0);
  let b1 = a1;
  let a2 = a1;
  let b2 = a1;
  let low = i32x4.splat(32767);
  let high = i32x4.splat(-32768);
  for (let k = 0; k < size; k++) {
    const l1 = v128.load64_splat(ONE_UP + (<usize>k << 3));
    const l2 = v128.load64_splat(TWO_UP + (<usize>k << 3));
    let a = f64x2.mul(l1, a1);
    let b = f64x2.mul(l1, b1);
    if ((seen >>> (first + k)) & 1) {
      const v = v128.load16x4_s(value);
      low = i32x4.min_s(low, v);
      high = i32x4.max_s(high, v);
      a = f64x2.sub(f64x2.convert_low_i32x4_s(v), a);
      b = f64x2.sub(f64x2.convert_low_i32x4_s(upper(v)), b);
    } else {
      a = f64x2.neg(a);
      b = f64x2.neg(b);
    }
    a = f64x2.sub(a, f64x2.mul(l2, a2));
    b = f64x2.sub(b, f64x2.mul(l2, b2));
    v128.store(at, a);
    v128.store(at, b, 16);
    a2 = a1;
    b2 = b1;
    a1 = a;
    b1 = b;
    at += ROW;
    value += stride;
  }
  substitute(start, size, low, high, first, <usize>column << 2);
}

/**
 * Back substitution from the last row to the row at `start`. Clips each stored value to the observed range. Writes
 * `RISES` and `FALLS` of the four pixels at the offset `pixels`.
 */
// @ts-ignore: decorator
@inline
function substitute(start: usize, size: i32, low: v128, high: v128, first: i32, pixels: usize): void {
  const leastA = f64x2.convert_low_i32x4_s(low);
  const leastB = f64x2.convert_low_i32x4_s(upper(low));
  const mostA = f64x2.convert_low_i32x4_s(high);
  const mostB = f64x2.convert_low_i32x4_s(upper(high));
  let a1 = f64x2.splat(0);
  let b1 = a1;
  let a2 = a1;
  let b2 = a1;
  // Clipped values of the next step, and the bits of the steps so far, int64.
  let nextA = leastA;
  let nextB = leastB;
  let risesA = i64x2.splat(0);
  let risesB = risesA;
  let fallsA = risesA;
  let fallsB = risesA;
  for (let k = size - 1; k >= 0; k--) {
    const at = start + <usize>k * ROW;
    const d = v128.load64_splat(INVERSE + (<usize>k << 3));
    const l1 = v128.load64_splat(ONE + (<usize>k << 3));
    const l2 = v128.load64_splat(TWO + (<usize>k << 3));
    const a = f64x2.sub(f64x2.sub(f64x2.mul(d, v128.load(at)), f64x2.mul(l1, a1)), f64x2.mul(l2, a2));
    const b = f64x2.sub(f64x2.sub(f64x2.mul(d, v128.load(at, 16)), f64x2.mul(l1, b1)), f64x2.mul(l2, b2));
    const clippedA = f64x2.pmax(f64x2.pmin(a, mostA), leastA);
    const clippedB = f64x2.pmax(f64x2.pmin(b, mostB), leastB);
    v128.store(at, clippedA);
    v128.store(at, clippedB, 16);
    // A true comparison is -1.
    risesA = i64x2.sub(i64x2.shl(risesA, 1), f64x2.gt(nextA, clippedA));
    risesB = i64x2.sub(i64x2.shl(risesB, 1), f64x2.gt(nextB, clippedB));
    fallsA = i64x2.sub(i64x2.shl(fallsA, 1), f64x2.lt(nextA, clippedA));
    fallsB = i64x2.sub(i64x2.shl(fallsB, 1), f64x2.lt(nextB, clippedB));
    nextA = clippedA;
    nextB = clippedB;
    a2 = a1;
    b2 = b1;
    a1 = a;
    b1 = b;
  }
  // The bit of the last step has no meaning, because no step follows.
  const known = i32x4.splat((1 << (size - 1)) - 1);
  const rises = v128.and(v128.shuffle<i32>(risesA, risesB, 0, 2, 4, 6), known);
  const falls = v128.and(v128.shuffle<i32>(fallsA, fallsB, 0, 2, 4, 6), known);
  v128.store(RISES + pixels, i32x4.shl(rises, first));
  v128.store(FALLS + pixels, i32x4.shl(falls, first));
}

/** Moves the upper two of four int32 to the lower two. */
// @ts-ignore: decorator
@inline
function upper(v: v128): v128 {
  return v128.shuffle<i64>(v, v, 1, 1);
}
