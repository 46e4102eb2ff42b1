/** Copies `rows` rows of `bytes` bytes; strides are in bytes. */
export function copyRows(src: usize, srcStride: usize, dst: usize, dstStride: usize, bytes: usize, rows: i32): void {
  for (let r = 0; r < rows; r++) {
    memory.copy(dst, src, bytes);
    src += srcStride;
    dst += dstStride;
  }
}

/** Fills `n` int16 with one value. */
export function fill16(dst: usize, n: i32, value: i32): void {
  const v = i16x8.splat(<i16>value);
  let i = 0;
  for (; i + 8 <= n; i += 8) v128.store(dst + (<usize>i << 1), v);
  for (; i < n; i++) store<i16>(dst + (<usize>i << 1), <i16>value);
}
