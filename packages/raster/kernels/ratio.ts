import { storeTail } from './tail';

// A band operand is 16 bytes: address u32, offset f32, nodata u32, 0xffffffff where nodata counts (else 0).
const OPERAND: usize = 16;
const NODATA: i16 = -32768;

// @ts-ignore: decorator
@inline
function valid(v: v128, operand: usize, ok: v128): v128 {
  const missing = v128.and(i16x8.eq(v, i16x8.splat(<i16>load<u32>(operand, 8))), i32x4.splat(load<i32>(operand, 12)));
  return v128.andnot(ok, missing);
}

// @ts-ignore: decorator
@inline
function low(v: v128, operand: usize): v128 {
  const f = f32x4.convert_i32x4_s(i32x4.extend_low_i16x8_u(v));
  return f32x4.max(f32x4.add(f, f32x4.splat(load<f32>(operand, 4))), f32x4.splat(0));
}

// @ts-ignore: decorator
@inline
function high(v: v128, operand: usize): v128 {
  const f = f32x4.convert_i32x4_s(i32x4.extend_high_i16x8_u(v));
  return f32x4.max(f32x4.add(f, f32x4.splat(load<f32>(operand, 4))), f32x4.splat(0));
}

// @ts-ignore: decorator
@inline
function scaled(a: v128, b: v128): v128 {
  return i32x4.trunc_sat_f32x4_s(f32x4.nearest(f32x4.mul(f32x4.div(f32x4.sub(a, b), f32x4.add(a, b)), f32x4.splat(10000))));
}

// @ts-ignore: decorator
@inline
function finish(a0: v128, a1: v128, b0: v128, b1: v128, ok: v128): v128 {
  const zero = f32x4.splat(0);
  const some = i16x8.narrow_i32x4_s(f32x4.gt(f32x4.add(a0, b0), zero), f32x4.gt(f32x4.add(a1, b1), zero));
  return v128.bitselect(i16x8.narrow_i32x4_s(scaled(a0, b0), scaled(a1, b1)), i16x8.splat(NODATA), v128.and(ok, some));
}

/** (a - b) / (a + b) x 10000 of one band each; `mask`: bytes 0 / 255. */
export function ratio2(operands: usize, mask: usize, dst: usize, count: i32): void {
  const a = load<u32>(operands);
  const b = load<u32>(operands + OPERAND);
  for (let i = 0; i < count; i += 8) {
    const p = v128.load(a + (<usize>i << 1));
    const m = v128.load(b + (<usize>i << 1));
    const ok = valid(m, operands + OPERAND, valid(p, operands, v128.load8x8_s(mask + <usize>i)));
    const v = finish(low(p, operands), high(p, operands), low(m, operands + OPERAND), high(m, operands + OPERAND), ok);
    if (count - i >= 8) v128.store(dst + (<usize>i << 1), v);
    else storeTail(dst + (<usize>i << 1), v, count - i);
  }
}

/** (sum(plus) - sum(minus)) / (sum(plus) + sum(minus)) x 10000: operands of the `plus` bands first. */
export function ratioN(operands: usize, plus: i32, minus: i32, mask: usize, dst: usize, count: i32): void {
  for (let i = 0; i < count; i += 8) {
    let ok = v128.load8x8_s(mask + <usize>i);
    let a0 = f32x4.splat(0);
    let a1 = a0;
    let b0 = a0;
    let b1 = a0;
    let operand = operands;
    for (let k = 0; k < plus; k++) {
      const v = v128.load(<usize>load<u32>(operand) + (<usize>i << 1));
      ok = valid(v, operand, ok);
      a0 = f32x4.add(a0, low(v, operand));
      a1 = f32x4.add(a1, high(v, operand));
      operand += OPERAND;
    }
    for (let k = 0; k < minus; k++) {
      const v = v128.load(<usize>load<u32>(operand) + (<usize>i << 1));
      ok = valid(v, operand, ok);
      b0 = f32x4.add(b0, low(v, operand));
      b1 = f32x4.add(b1, high(v, operand));
      operand += OPERAND;
    }
    const v = finish(a0, a1, b0, b1, ok);
    if (count - i >= 8) v128.store(dst + (<usize>i << 1), v);
    else storeTail(dst + (<usize>i << 1), v, count - i);
  }
}

/** int16 values as they are, -32768 where masked or nodata. */
export function pass16(operand: usize, mask: usize, dst: usize, count: i32): void {
  const src = <usize>load<u32>(operand);
  for (let i = 0; i < count; i += 8) {
    const p = v128.load(src + (<usize>i << 1));
    const v = v128.bitselect(p, i16x8.splat(NODATA), valid(p, operand, v128.load8x8_s(mask + <usize>i)));
    if (count - i >= 8) v128.store(dst + (<usize>i << 1), v);
    else storeTail(dst + (<usize>i << 1), v, count - i);
  }
}

/** Adds 1 to `counts` where `values` has data and `seen` is 0, and marks `seen` (0 / 255 bytes). Returns the pixels with data. */
export function countClear(values: usize, seen: usize, counts: usize, pixels: i32): i32 {
  let total = 0;
  for (let i = 0; i < pixels; i++) {
    const ok: u32 = load<i16>(values + (<usize>i << 1)) != NODATA ? 1 : 0;
    const before: u32 = load<u8>(seen + <usize>i);
    const at = counts + (<usize>i << 1);
    store<u16>(at, <u16>(load<u16>(at) + (ok & ~before & 1)));
    store<u8>(seen + <usize>i, <u8>(before | (0 - ok)));
    total += ok;
  }
  return total;
}
