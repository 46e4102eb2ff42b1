import { INVERSE, ONE, ONE_UP, TWO, TWO_UP } from './factors';
import { COLUMNS, ROW } from './layout';

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
  substitute(start, size, low, high);
}

/** Back substitution from the last row to the row at `start`. Clips each stored value to the observed range. */
// @ts-ignore: decorator
@inline
function substitute(start: usize, size: i32, low: v128, high: v128): void {
  const leastA = f64x2.convert_low_i32x4_s(low);
  const leastB = f64x2.convert_low_i32x4_s(upper(low));
  const mostA = f64x2.convert_low_i32x4_s(high);
  const mostB = f64x2.convert_low_i32x4_s(upper(high));
  let a1 = f64x2.splat(0);
  let b1 = a1;
  let a2 = a1;
  let b2 = a1;
  for (let k = size - 1; k >= 0; k--) {
    const at = start + <usize>k * ROW;
    const d = v128.load64_splat(INVERSE + (<usize>k << 3));
    const l1 = v128.load64_splat(ONE + (<usize>k << 3));
    const l2 = v128.load64_splat(TWO + (<usize>k << 3));
    const a = f64x2.sub(f64x2.sub(f64x2.mul(d, v128.load(at)), f64x2.mul(l1, a1)), f64x2.mul(l2, a2));
    const b = f64x2.sub(f64x2.sub(f64x2.mul(d, v128.load(at, 16)), f64x2.mul(l1, b1)), f64x2.mul(l2, b2));
    v128.store(at, f64x2.pmax(f64x2.pmin(a, mostA), leastA));
    v128.store(at, f64x2.pmax(f64x2.pmin(b, mostB), leastB), 16);
    a2 = a1;
    b2 = b1;
    a1 = a;
    b1 = b;
  }
}

/** Moves the upper two of four int32 to the lower two. */
// @ts-ignore: decorator
@inline
function upper(v: v128): v128 {
  return v128.shuffle<i64>(v, v, 1, 1);
}
