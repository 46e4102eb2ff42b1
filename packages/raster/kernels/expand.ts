/**
 * Expands uint16 pixels to twice the resolution: pixel (x, y) of `cols` x `rows` gets source pixel ((col + x) >> 1,
 * (row + y) >> 1). `srcStride` is in bytes.
 */
export function expand16(src: usize, srcStride: usize, col: i32, row: i32, cols: i32, rows: i32, dst: usize): void {
  for (let y = 0; y < rows; y++) {
    let from = src + <usize>((row + y) >> 1) * srcStride + (<usize>(col >> 1) << 1);
    let x = 0;
    if (col & 1) {
      store<u16>(dst, load<u16>(from));
      from += 2;
      x = 1;
    }
    for (; x + 16 <= cols; x += 16) {
      const v = v128.load(from);
      v128.store(dst + (<usize>x << 1), i16x8.shuffle(v, v, 0, 0, 1, 1, 2, 2, 3, 3));
      v128.store(dst + (<usize>x << 1) + 16, i16x8.shuffle(v, v, 4, 4, 5, 5, 6, 6, 7, 7));
      from += 16;
    }
    for (let k = 0; x < cols; x++, k++) store<u16>(dst + (<usize>x << 1), load<u16>(from + (<usize>(k >> 1) << 1)));
    dst += <usize>cols << 1;
  }
}
