/**
 * Adds fraction x area of each pixel of one zone to the sum of its class code (byte) in `sums` (`[256]` f64).
 * - `data`: rows of `cols` bytes from column `left` of the raster
 * - `starts`: first run of each row, and the end of the last row
 * - `from`, `to`: first and end column of each run
 * - `fractions` (f64): covered fraction of the pixels of each run
 * - `areas` (f64): pixel area of each row
 * - `counts`: scratch memory of 256 u32, all 0
 */
export function sumClasses(
  data: usize,
  cols: i32,
  rows: i32,
  left: i32,
  starts: usize,
  from: usize,
  to: usize,
  fractions: usize,
  areas: usize,
  counts: usize,
  sums: usize,
): void {
  for (let row = 0; row < rows; row++) {
    const line = data + <usize>row * <usize>cols - <usize>left;
    const area = load<f64>(areas + (<usize>row << 3));
    const end = load<i32>(starts + (<usize>row << 2), 4);
    let counted = false;
    for (let run = load<i32>(starts + (<usize>row << 2)); run < end; run++) {
      let at = line + <usize>load<i32>(from + (<usize>run << 2));
      const last = line + <usize>load<i32>(to + (<usize>run << 2));
      const fraction = load<f64>(fractions + (<usize>run << 3));
      if (fraction == 1) {
        counted = true;
        while (at < last) at = countEqual(at, last, counts);
        continue;
      }
      const weight = fraction * area;
      for (; at < last; at++) {
        const sum = sums + (<usize>load<u8>(at) << 3);
        store<f64>(sum, load<f64>(sum) + weight);
      }
    }
    if (counted) addCounts(counts, sums, area);
  }
}

/**
 * Returns the address of the first different byte. Compares 16 bytes at once, because neighbouring pixels mostly have
 * one class.
 */
// @ts-ignore: decorator
@inline
function countEqual(at: usize, end: usize, counts: usize): usize {
  const first = load<u8>(at);
  const all = i8x16.splat(first);
  let next = at + 1;
  while (next + 16 <= end) {
    const other = ~i8x16.bitmask(i8x16.eq(v128.load(next), all)) & 0xffff;
    if (other == 0) {
      next += 16;
      continue;
    }
    next += ctz(other);
    break;
  }
  while (next < end && load<u8>(next) == first) next++;
  const count = counts + (<usize>first << 2);
  store<u32>(count, load<u32>(count) + <u32>(next - at));
  return next;
}

/** Wholly covered pixels are counted first, so only one multiplication for each class is needed. */
function addCounts(counts: usize, sums: usize, area: f64): void {
  for (let four: usize = 0; four < 1024; four += 16) {
    if (!v128.any_true(v128.load(counts + four))) continue;
    for (let one = four; one < four + 16; one += 4) {
      const count = load<u32>(counts + one);
      if (count == 0) continue;
      const sum = sums + (one << 1);
      store<f64>(sum, load<f64>(sum) + <f64>count * area);
    }
    v128.store(counts + four, i32x4.splat(0));
  }
}
