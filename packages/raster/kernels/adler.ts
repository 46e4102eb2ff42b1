const MODULUS: u32 = 65521;
/** Largest number of vectors before the sums must be reduced, so that they fit in 32 bits. */
const MOST: i32 = 320;

/** Weights of the bytes of a vector, int16. They are loaded from memory for the reason given in `constants.ts`. */
const WEIGHTS: usize = memory.data<i16>([16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1], 16);

/** Adds `length` bytes to a zlib checksum (RFC 1950, section 9). `sum`: checksum of the preceding bytes. */
export function adler32(sum: u32, src: usize, length: usize): u32 {
  const first = v128.load(WEIGHTS);
  const last = v128.load(WEIGHTS, 16);
  let a = sum & 0xffff;
  let b = sum >> 16;
  let vectors = <i32>(length >> 4);
  while (vectors > 0) {
    const count = min(vectors, MOST);
    vectors -= count;
    let sums = i32x4.splat(0);
    let before = sums;
    let weighted = sums;
    for (let i = 0; i < count; i++, src += 16) {
      const v = v128.load(src);
      before = i32x4.add(before, sums);
      sums = i32x4.add(sums, i32x4.extadd_pairwise_i16x8_u(i16x8.extadd_pairwise_i8x16_u(v)));
      weighted = i32x4.add(weighted, i32x4.dot_i16x8_s(i16x8.extend_low_i8x16_u(v), first));
      weighted = i32x4.add(weighted, i32x4.dot_i16x8_s(i16x8.extend_high_i8x16_u(v), last));
    }
    b = (b + 16 * <u32>count * a + 16 * total(before) + total(weighted)) % MODULUS;
    a = (a + total(sums)) % MODULUS;
  }
  for (let i = length & 15; i > 0; i--) {
    a += load<u8>(src++);
    b += a;
  }
  return ((b % MODULUS) << 16) | a % MODULUS;
}

// @ts-ignore: decorator
@inline
function total(v: v128): u32 {
  return i32x4.extract_lane(v, 0) + i32x4.extract_lane(v, 1) + i32x4.extract_lane(v, 2) + i32x4.extract_lane(v, 3);
}
