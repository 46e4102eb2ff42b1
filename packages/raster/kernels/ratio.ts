import { LEAST, ROUNDER, SCALE, TWO_TO_24, UPPER } from './constants';
import { storeTail } from './tail';

// Size of an operand in bytes. It contains four values: address (u32), offset (f32), nodata (u32), and a mask
// (u32), which is 0xffffffff if the band has a nodata value, otherwise 0.
const OPERAND: usize = 16;

// @ts-ignore: decorator
@inline
function without(v: v128, nodata: v128, some: v128, ok: v128): v128 {
  return v128.andnot(ok, v128.and(i16x8.eq(v, nodata), some));
}

// @ts-ignore: decorator
@inline
function low(v: v128, offset: v128): v128 {
  return f32x4.pmax(f32x4.add(f32x4.convert_i32x4_s(i32x4.extend_low_i16x8_u(v)), offset), f32x4.splat(0));
}

// @ts-ignore: decorator
@inline
function high(v: v128, offset: v128): v128 {
  return f32x4.pmax(f32x4.add(f32x4.convert_i32x4_s(i32x4.extend_high_i16x8_u(v)), offset), f32x4.splat(0));
}

// @ts-ignore: decorator
@inline
function scaled(a: v128, sum: v128, b: v128, scale: v128, rounder: v128): v128 {
  const q = f32x4.mul(f32x4.div(f32x4.sub(a, b), sum), scale);
  return i32x4.sub(f32x4.add(q, rounder), rounder);
}

// @ts-ignore: decorator
@inline
function finish(a0: v128, a1: v128, b0: v128, b1: v128, ok: v128, none: v128, scale: v128, rounder: v128): v128 {
  const zero = f32x4.splat(0);
  const s0 = f32x4.add(a0, b0);
  const s1 = f32x4.add(a1, b1);
  const some = i16x8.narrow_i32x4_s(f32x4.gt(s0, zero), f32x4.gt(s1, zero));
  const q = i16x8.narrow_i32x4_s(scaled(a0, s0, b0, scale, rounder), scaled(a1, s1, b1, scale, rounder));
  return v128.bitselect(q, none, v128.and(ok, some));
}

/** Computes (a - b) / (a + b) x 10000 of two bands. `mask`: 255 for a pixel to compute; 0 for a pixel without value. */
export function ratio2(operands: usize, mask: usize, dst: usize, count: i32): void {
  const a = <usize>load<u32>(operands);
  const b = <usize>load<u32>(operands + OPERAND);
  const offsetA = f32x4.splat(load<f32>(operands, 4));
  const offsetB = f32x4.splat(load<f32>(operands + OPERAND, 4));
  const noneA = i16x8.splat(<i16>load<u32>(operands, 8));
  const noneB = i16x8.splat(<i16>load<u32>(operands + OPERAND, 8));
  const someA = i32x4.splat(load<i32>(operands, 12));
  const someB = i32x4.splat(load<i32>(operands + OPERAND, 12));
  const none = v128.load(LEAST);
  const scale = v128.load(SCALE);
  const rounder = v128.load(ROUNDER);
  for (let i = 0; i < count; i += 8) {
    const p = v128.load(a + (<usize>i << 1));
    const m = v128.load(b + (<usize>i << 1));
    const ok = without(m, noneB, someB, without(p, noneA, someA, v128.load8x8_s(mask + <usize>i)));
    const v = finish(low(p, offsetA), high(p, offsetA), low(m, offsetB), high(m, offsetB), ok, none, scale, rounder);
    if (count - i >= 8) v128.store(dst + (<usize>i << 1), v);
    else storeTail(dst + (<usize>i << 1), v, count - i);
  }
}

/**
 * Index of eight pixels. The bands are used as 2^23 + value, so no conversion is needed: the difference of two such
 * numbers is the difference of the values, and the sum is 2^23 + p - (2^24 - (2^23 + m)). All are exact in float32.
 */
// @ts-ignore: decorator
@inline
function plain(p: v128, m: v128, mask: v128, none: v128, scale: v128, rounder: v128, upper: v128, top: v128): v128 {
  const ok = v128.andnot(mask, i16x8.eq(i16x8.min_u(p, m), i16x8.splat(0)));
  const p0 = v128.shuffle<i16>(p, upper, 0, 8, 1, 9, 2, 10, 3, 11);
  const p1 = v128.shuffle<i16>(p, upper, 4, 12, 5, 13, 6, 14, 7, 15);
  const m0 = v128.shuffle<i16>(m, upper, 0, 8, 1, 9, 2, 10, 3, 11);
  const m1 = v128.shuffle<i16>(m, upper, 4, 12, 5, 13, 6, 14, 7, 15);
  const q = i16x8.narrow_i32x4_s(
    scaled(p0, f32x4.sub(p0, f32x4.sub(top, m0)), m0, scale, rounder),
    scaled(p1, f32x4.sub(p1, f32x4.sub(top, m1)), m1, scale, rounder),
  );
  return v128.bitselect(q, none, ok);
}

/** `ratio2` for bands without offsets whose nodata value is 0, with fewer operations. */
export function ratio2Plain(operands: usize, mask: usize, dst: usize, count: i32): void {
  let a = <usize>load<u32>(operands);
  let b = <usize>load<u32>(operands + OPERAND);
  const none = v128.load(LEAST);
  const scale = v128.load(SCALE);
  const rounder = v128.load(ROUNDER);
  const upper = v128.load(UPPER);
  const top = v128.load(TWO_TO_24);
  const end = a + (<usize>(count & ~15) << 1);
  while (a < end) {
    const bytes = v128.load(mask);
    v128.store(dst, plain(v128.load(a), v128.load(b), i16x8.extend_low_i8x16_s(bytes), none, scale, rounder, upper, top));
    v128.store(dst, plain(v128.load(a, 16), v128.load(b, 16), i16x8.extend_high_i8x16_s(bytes), none, scale, rounder, upper, top), 16);
    a += 32;
    b += 32;
    dst += 32;
    mask += 16;
  }
  for (let left = count & 15; left > 0; left -= 8) {
    const v = plain(v128.load(a), v128.load(b), v128.load8x8_s(mask), none, scale, rounder, upper, top);
    if (left >= 8) v128.store(dst, v);
    else storeTail(dst, v, left);
    a += 16;
    b += 16;
    dst += 16;
    mask += 8;
  }
}

/**
 * Computes (sum(plus) - sum(minus)) / (sum(plus) + sum(minus)) x 10000. `operands`: the `plus` bands, then the `minus`
 * bands.
 */
export function ratioN(operands: usize, plus: i32, minus: i32, mask: usize, dst: usize, count: i32): void {
  const none = v128.load(LEAST);
  const scale = v128.load(SCALE);
  const rounder = v128.load(ROUNDER);
  for (let i = 0; i < count; i += 8) {
    let ok = v128.load8x8_s(mask + <usize>i);
    let a0 = f32x4.splat(0);
    let a1 = a0;
    let b0 = a0;
    let b1 = a0;
    let operand = operands;
    for (let k = 0; k < plus; k++) {
      const v = v128.load(<usize>load<u32>(operand) + (<usize>i << 1));
      ok = without(v, i16x8.splat(<i16>load<u32>(operand, 8)), i32x4.splat(load<i32>(operand, 12)), ok);
      const offset = f32x4.splat(load<f32>(operand, 4));
      a0 = f32x4.add(a0, low(v, offset));
      a1 = f32x4.add(a1, high(v, offset));
      operand += OPERAND;
    }
    for (let k = 0; k < minus; k++) {
      const v = v128.load(<usize>load<u32>(operand) + (<usize>i << 1));
      ok = without(v, i16x8.splat(<i16>load<u32>(operand, 8)), i32x4.splat(load<i32>(operand, 12)), ok);
      const offset = f32x4.splat(load<f32>(operand, 4));
      b0 = f32x4.add(b0, low(v, offset));
      b1 = f32x4.add(b1, high(v, offset));
      operand += OPERAND;
    }
    const v = finish(a0, a1, b0, b1, ok, none, scale, rounder);
    if (count - i >= 8) v128.store(dst + (<usize>i << 1), v);
    else storeTail(dst + (<usize>i << 1), v, count - i);
  }
}

/** Copies int16 values. Pixels that are masked out or nodata become -32768. */
export function pass16(operand: usize, mask: usize, dst: usize, count: i32): void {
  const src = <usize>load<u32>(operand);
  const none = i16x8.splat(<i16>load<u32>(operand, 8));
  const some = i32x4.splat(load<i32>(operand, 12));
  const empty = v128.load(LEAST);
  for (let i = 0; i < count; i += 8) {
    const p = v128.load(src + (<usize>i << 1));
    const v = v128.bitselect(p, empty, without(p, none, some, v128.load8x8_s(mask + <usize>i)));
    if (count - i >= 8) v128.store(dst + (<usize>i << 1), v);
    else storeTail(dst + (<usize>i << 1), v, count - i);
  }
}

/** Mark of bright pixels. It must be equal to `BRIGHT_MARK` of the pixel plans. */
const MARK: i16 = 20001;

/**
 * Marks bright pixels: subtracts `MARK` from their values at `dst`. A pixel is bright if its value is greater
 * than `above`, and its raw sample (uint16) is at least `limit` and not nodata.
 */
export function markBright(operand: usize, limit: i32, above: i32, dst: usize, count: i32): void {
  const src = <usize>load<u32>(operand);
  const none = i16x8.splat(<i16>load<u32>(operand, 8));
  const some = i32x4.splat(load<i32>(operand, 12));
  const least = i16x8.splat(<i16>limit);
  const most = i16x8.splat(<i16>above);
  for (let i = 0; i < count; i += 8) {
    const at = dst + (<usize>i << 1);
    const p = v128.load(src + (<usize>i << 1));
    const v = v128.load(at);
    const known = v128.and(i16x8.gt_s(v, most), i16x8.ge_u(p, least));
    const marked = i16x8.sub(v, v128.and(without(p, none, some, known), i16x8.splat(MARK)));
    if (count - i >= 8) v128.store(at, marked);
    else storeTail(at, marked, count - i);
  }
}

/**
 * Adds 1 to `counts` for each pixel with data in `values` that is not marked in `seen`. Then marks these pixels.
 * Returns the number of pixels with data.
 */
export function countClear(values: usize, seen: usize, counts: usize, pixels: i32): i32 {
  const none = v128.load(LEAST);
  let some = i32x4.splat(0);
  let i = 0;
  for (; i + 8 <= pixels; i += 8) {
    const ok = i16x8.ne(v128.load(values + (<usize>i << 1)), none);
    const before = v128.load8x8_s(seen + <usize>i);
    const at = counts + (<usize>i << 1);
    // A true lane is -1, so subtracting it adds 1.
    v128.store(at, i16x8.sub(v128.load(at), v128.andnot(ok, before)));
    const after = v128.or(before, ok);
    v128.store64_lane(seen + <usize>i, i8x16.narrow_i16x8_s(after, after), 0);
    some = i32x4.sub(some, i32x4.extadd_pairwise_i16x8_s(ok));
  }
  let total = i32x4.extract_lane(some, 0) + i32x4.extract_lane(some, 1) + i32x4.extract_lane(some, 2) + i32x4.extract_lane(some, 3);
  for (; i < pixels; i++) {
    const ok: u32 = load<i16>(values + (<usize>i << 1)) != -32768 ? 1 : 0;
    const before: u32 = load<u8>(seen + <usize>i);
    const at = counts + (<usize>i << 1);
    store<u16>(at, <u16>(load<u16>(at) + (ok & ~before & 1)));
    store<u8>(seen + <usize>i, <u8>(before | (0 - ok)));
    total += ok;
  }
  return total;
}
