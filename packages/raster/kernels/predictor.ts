/** Reverses the horizontal differencing of uint16 rows; `src` may be `dst`. Strides are in bytes. */
export function undo16(src: usize, srcStride: usize, dst: usize, dstStride: usize, cols: i32, rows: i32): void {
  const half = i8x16(-1, -1, -1, -1, -1, -1, -1, -1, 6, 7, 6, 7, 6, 7, 6, 7);
  const end = i8x16(14, 15, 14, 15, 14, 15, 14, 15, 14, 15, 14, 15, 14, 15, 14, 15);
  for (let r = 0; r < rows; r++) {
    let carry = i16x8.splat(0);
    let i = 0;
    for (; i + 8 <= cols; i += 8) {
      let v = v128.load(src + (<usize>i << 1));
      v = i16x8.add(v, i64x2.shl(v, 16));
      v = i16x8.add(v, i64x2.shl(v, 32));
      v = i16x8.add(v, i8x16.swizzle(v, half));
      v128.store(dst + (<usize>i << 1), i16x8.add(v, carry));
      // The next vector waits only for this sum.
      carry = i16x8.add(carry, i8x16.swizzle(v, end));
    }
    let last = i16x8.extract_lane_u(carry, 0);
    for (; i < cols; i++) {
      last += load<u16>(src + (<usize>i << 1));
      store<u16>(dst + (<usize>i << 1), last);
    }
    src += srcStride;
    dst += dstStride;
  }
}

/** Reverses the horizontal differencing of uint8 rows; `src` may be `dst`. Strides are in bytes. */
export function undo8(src: usize, srcStride: usize, dst: usize, dstStride: usize, cols: i32, rows: i32): void {
  const half = i8x16(-1, -1, -1, -1, -1, -1, -1, -1, 7, 7, 7, 7, 7, 7, 7, 7);
  const end = i8x16.splat(15);
  for (let r = 0; r < rows; r++) {
    let carry = i8x16.splat(0);
    let i = 0;
    for (; i + 16 <= cols; i += 16) {
      let v = v128.load(src + <usize>i);
      v = i8x16.add(v, i64x2.shl(v, 8));
      v = i8x16.add(v, i64x2.shl(v, 16));
      v = i8x16.add(v, i64x2.shl(v, 32));
      v = i8x16.add(v, i8x16.swizzle(v, half));
      v128.store(dst + <usize>i, i8x16.add(v, carry));
      carry = i8x16.add(carry, i8x16.swizzle(v, end));
    }
    let last = i8x16.extract_lane_u(carry, 0);
    for (; i < cols; i++) {
      last += load<u8>(src + <usize>i);
      store<u8>(dst + <usize>i, last);
    }
    src += srcStride;
    dst += dstStride;
  }
}
