// Flags of a mask pixel. Bit 0: its code is good. Bit 1: it has a spoiling code such as cloud; after `dilate` also if a
// neighbour has one.

/** Looks up the flags of each code in a table of 256; `dst` rows are `dstStride` bytes apart. */
export function flagCodes(src: usize, dst: usize, dstStride: usize, cols: i32, rows: i32, table: usize): void {
  const low = v128.load(table);
  let rest = i8x16.splat(0);
  for (let i: usize = 16; i < 256; i += 16) rest = v128.or(rest, v128.load(table + i));
  // Swizzle returns 0 for codes from 16 on, so the table must contain 0 there.
  const vector = !v128.any_true(rest);
  for (let r = 0; r < rows; r++) {
    let i = 0;
    if (vector) for (; i + 16 <= cols; i += 16) v128.store(dst + <usize>i, i8x16.swizzle(low, v128.load(src + <usize>i)));
    for (; i < cols; i++) store<u8>(dst + <usize>i, load<u8>(table + <usize>load<u8>(src + <usize>i)));
    src += <usize>cols;
    dst += dstStride;
  }
}

/**
 * Dilates bit 1 (the spoiling flag) by one pixel. Each row needs 16 zero bytes before and after it, and the image a row
 * of zeros above and below.
 */
export function dilate(src: usize, dst: usize, stride: usize, cols: i32, rows: i32): void {
  const spoil = i8x16.splat(2);
  const keep = i8x16.splat(1);
  for (let r = 0; r < rows; r++) {
    for (let i = 0; i < cols; i += 16) {
      const at = src + <usize>i;
      const up = at - stride;
      const down = at + stride;
      let near = v128.or(v128.load(up), v128.load(down));
      near = v128.or(near, v128.or(v128.load(up - 1), v128.load(up + 1)));
      near = v128.or(near, v128.or(v128.load(down - 1), v128.load(down + 1)));
      near = v128.or(near, v128.or(v128.load(at - 1), v128.load(at + 1)));
      const here = v128.load(at);
      v128.store(dst + <usize>i, v128.or(v128.and(v128.or(near, here), spoil), v128.and(here, keep)));
    }
    // The last vector may have written into the margin, which must be zero for the next pass.
    v128.store(dst + <usize>cols, i8x16.splat(0));
    src += stride;
    dst += stride;
  }
}

/**
 * Packs one bit per pixel, lowest bit first: 1 for a good and unspoilt pixel. `dstStride` >= 2 * ceil(cols / 16).
 * Returns the number of bits set.
 */
export function packClear(src: usize, stride: usize, dst: usize, dstStride: usize, cols: i32, rows: i32): i32 {
  const one = i8x16.splat(1);
  let total = 0;
  for (let r = 0; r < rows; r++) {
    for (let i = 0; i < cols; i += 16) {
      let bits = i8x16.bitmask(i8x16.eq(v128.load(src + <usize>i), one));
      if (cols - i < 16) bits &= (1 << (cols - i)) - 1;
      store<u16>(dst + <usize>(i >> 3), <u16>bits);
      total += popcnt(bits);
    }
    src += stride;
    dst += dstStride;
  }
  return total;
}

/**
 * Expands mask bits to bytes (0 or 255): pixel (x, y) of `cols` x `rows` gets bit ((col + x) >> shift, (row + y) >>
 * shift). `shift`: 0 or 1. `line`: scratch memory of cols + 48 bytes.
 */
export function expandBits(bits: usize, stride: usize, col: i32, row: i32, shift: i32, cols: i32, rows: i32, dst: usize, line: usize): void {
  const single = i8x16(1, 2, 4, 8, 16, 32, 64, -128, 1, 2, 4, 8, 16, 32, 64, -128);
  const double = i8x16(1, 1, 2, 2, 4, 4, 8, 8, 16, 16, 32, 32, 64, 64, -128, -128);
  const zero = i8x16.splat(0);
  const perByte = 8 << shift;
  const lead = col & (perByte - 1);
  for (let y = 0; y < rows; y++) {
    const src = bits + <usize>((row + y) >> shift) * stride + <usize>(col >> (3 + shift));
    if (shift == 0) {
      for (let i = 0; i < cols + lead; i += 16) {
        const pair = v128.and(
          i8x16.shuffle(i8x16.splat(load<u8>(src + <usize>(i >> 3))), i8x16.splat(load<u8>(src + <usize>(i >> 3) + 1)), 0, 0, 0, 0, 0, 0, 0, 0, 16, 16, 16, 16, 16, 16, 16, 16),
          single,
        );
        v128.store(line + <usize>i, i8x16.ne(pair, zero));
      }
    } else {
      for (let i = 0; i < cols + lead; i += 16) {
        v128.store(line + <usize>i, i8x16.ne(v128.and(i8x16.splat(load<u8>(src + <usize>(i >> 4))), double), zero));
      }
    }
    memory.copy(dst, line + <usize>lead, <usize>cols);
    dst += <usize>cols;
  }
}
