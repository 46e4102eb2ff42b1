import { LEAST } from './constants';

// Merges the scenes of a day: each pixel comes from the first scene that observed it. Masks consist of the bytes 0 and
// 255.
const NODATA: i16 = -32768;

/**
 * Removes the pixels that an earlier scene has claimed (see `claimObserved`) from a mask of `cols` x `rows` pixels.
 * Sets the byte in `profile` of each column with a remaining pixel. Returns 1 if a pixel remains.
 */
export function takeUnclaimed(mask: usize, claimed: usize, profile: usize, cols: i32, rows: i32): i32 {
  let any = i8x16.splat(0);
  let rest: u32 = 0;
  for (let y = 0; y < rows; y++) {
    let x = 0;
    for (; x + 16 <= cols; x += 16) {
      const left = v128.andnot(v128.load(mask + <usize>x), v128.load(claimed + <usize>x));
      v128.store(mask + <usize>x, left);
      v128.store(profile + <usize>x, v128.or(v128.load(profile + <usize>x), left));
      any = v128.or(any, left);
    }
    for (; x < cols; x++) {
      const left: u32 = load<u8>(mask + <usize>x) & ~(<u32>load<u8>(claimed + <usize>x));
      store<u8>(mask + <usize>x, <u8>left);
      store<u8>(profile + <usize>x, <u8>(load<u8>(profile + <usize>x) | left));
      rest |= left;
    }
    mask += <usize>cols;
    claimed += <usize>cols;
  }
  return v128.any_true(any) || rest != 0 ? 1 : 0;
}

/**
 * Claims the observed pixels of the current scene, except pixels of `mask` without a value. Returns the number of
 * pixels of `mask` that have a value.
 */
export function claimObserved(observed: usize, mask: usize, values: usize, claimed: usize, pixels: i32): i32 {
  const none = v128.load(LEAST);
  let given = 0;
  let i = 0;
  for (; i + 16 <= pixels; i += 16) {
    const at = values + (<usize>i << 1);
    const lacks = i8x16.narrow_i16x8_s(i16x8.eq(v128.load(at), none), i16x8.eq(v128.load(at, 16), none));
    const wanted = v128.load(mask + <usize>i);
    const here = v128.andnot(v128.load(observed + <usize>i), v128.and(wanted, lacks));
    v128.store(claimed + <usize>i, v128.or(v128.load(claimed + <usize>i), here));
    given += popcnt(i8x16.bitmask(v128.andnot(wanted, lacks)));
  }
  for (; i < pixels; i++) {
    const lacks: u32 = load<i16>(values + (<usize>i << 1)) == NODATA ? 255 : 0;
    const wanted: u32 = load<u8>(mask + <usize>i);
    const here: u32 = load<u8>(observed + <usize>i) & ~(wanted & lacks);
    store<u8>(claimed + <usize>i, <u8>(load<u8>(claimed + <usize>i) | here));
    given += wanted != 0 && lacks == 0 ? 1 : 0;
  }
  return given;
}

/** Copies the values that are not nodata to `dst`. */
export function merge16(src: usize, dst: usize, pixels: i32): void {
  const none = v128.load(LEAST);
  let i = 0;
  for (; i + 8 <= pixels; i += 8) {
    const v = v128.load(src + (<usize>i << 1));
    const to = dst + (<usize>i << 1);
    v128.store(to, v128.bitselect(v128.load(to), v, i16x8.eq(v, none)));
  }
  for (; i < pixels; i++) {
    const v = load<i16>(src + (<usize>i << 1));
    if (v != NODATA) store<i16>(dst + (<usize>i << 1), v);
  }
}
