/**
 * Writes two masks of bytes (0 or 1). `wetTo`: pixels above `wet` in any step. `whiteTo`: pixels with a marked value
 * above `white` in any step. Marked values (see `BRIGHT_MARK`) are below `marked`. Writes up to 7 bytes beyond a mask.
 * `src`: MNDWI x 10,000, int16 `[step][pixels]`; the limits have the same scale.
 */
export function findBright(src: usize, pixels: i32, steps: i32, wet: i32, white: i32, marked: i32, wetTo: usize, whiteTo: usize): void {
  const stride = <usize>pixels << 1;
  const overWet = i16x8.splat(<i16>wet);
  const overWhite = i16x8.splat(<i16>white);
  const underMarked = i16x8.splat(<i16>marked);
  const one = i8x16.splat(1);
  for (let i = 0; i < pixels; i += 8) {
    let at = src + (<usize>i << 1);
    let isWet = i16x8.splat(0);
    let isWhite = isWet;
    for (let s = 0; s < steps; s++) {
      const m = v128.load(at);
      isWet = v128.or(isWet, i16x8.gt_s(m, overWet));
      isWhite = v128.or(isWhite, v128.and(i16x8.gt_s(m, overWhite), i16x8.lt_s(m, underMarked)));
      at += stride;
    }
    v128.store64_lane(wetTo + <usize>i, v128.and(i8x16.narrow_i16x8_s(isWet, isWet), one), 0);
    v128.store64_lane(whiteTo + <usize>i, v128.and(i8x16.narrow_i16x8_s(isWhite, isWhite), one), 0);
  }
}
