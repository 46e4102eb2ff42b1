/**
 * Adds fraction x area of each pixel of one zone to the sum of its class code (byte) in `sums` (`[256]` f64). The zone
 * consists of runs: neighbouring pixels of a row with the same covered fraction.
 * - `data`: rows of `cols` bytes from column `left` of the raster
 * - `starts`: index of the first run of each row, then the index after the last run
 * - `from`, `to`: first and end column of each run
 * - `fractions` (f64): covered fraction of the pixels of each run
 * - `areas` (f64): pixel area of each row
 * - `counts`: scratch memory of four tables of 256 u32, all 0
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
    let seen: u32 = 0;
    for (let run = load<i32>(starts + (<usize>row << 2)); run < end; run++) {
      let at = line + <usize>load<i32>(from + (<usize>run << 2));
      const last = line + <usize>load<i32>(to + (<usize>run << 2));
      const fraction = load<f64>(fractions + (<usize>run << 3));
      if (fraction == 1) {
        counted = true;
        seen |= countBytes(at, last, counts);
        continue;
      }
      const weight = fraction * area;
      for (; at < last; at++) {
        const sum = sums + (<usize>load<u8>(at) << 3);
        store<f64>(sum, load<f64>(sum) + weight);
      }
    }
    if (counted) addCounts(counts, sums, seen, area);
  }
}

/**
 * Counts the bytes of [at, end) and returns their bitwise OR. 16 equal bytes are counted at once. Other bytes are
 * counted in four tables in turn, because the processor waits between two additions to one address.
 */
// @ts-ignore: decorator
@inline
function countBytes(at: usize, end: usize, counts: usize): u32 {
  let seen = i8x16.splat(0);
  for (; at + 16 <= end; at += 16) {
    const bytes = v128.load(at);
    seen = v128.or(seen, bytes);
    if (i8x16.all_true(i8x16.eq(bytes, i8x16.splat(load<i8>(at))))) {
      addCount(counts, load<u8>(at), 16);
      continue;
    }
    countFour(counts, i32x4.extract_lane(bytes, 0));
    countFour(counts, i32x4.extract_lane(bytes, 1));
    countFour(counts, i32x4.extract_lane(bytes, 2));
    countFour(counts, i32x4.extract_lane(bytes, 3));
  }
  let bits: u32 = 0;
  for (; at < end; at++) {
    bits |= load<u8>(at);
    addCount(counts, load<u8>(at), 1);
  }
  const half = i64x2.extract_lane(seen, 0) | i64x2.extract_lane(seen, 1);
  const quarter = <u32>half | <u32>(half >> 32);
  const two = quarter | (quarter >> 16);
  return bits | ((two | (two >> 8)) & 0xff);
}

/** Counts four bytes, each in its own table. */
// @ts-ignore: decorator
@inline
function countFour(counts: usize, bytes: u32): void {
  addCount(counts, bytes & 0xff, 1);
  addCount(counts + 1024, (bytes >> 8) & 0xff, 1);
  addCount(counts + 2048, (bytes >> 16) & 0xff, 1);
  addCount(counts + 3072, bytes >> 24, 1);
}

// @ts-ignore: decorator
@inline
function addCount(table: usize, value: u32, count: u32): void {
  const at = table + (<usize>value << 2);
  store<u32>(at, load<u32>(at) + count);
}

/** Adds the areas of the counted pixels of a row, and clears the counts of values up to `largest`. */
function addCounts(counts: usize, sums: usize, largest: u32, area: f64): void {
  const end = counts + ((<usize>largest + 1) << 2);
  for (let four = counts; four < end; four += 16) {
    const all = i32x4.add(
      i32x4.add(v128.load(four), v128.load(four, 1024)),
      i32x4.add(v128.load(four, 2048), v128.load(four, 3072)),
    );
    if (!v128.any_true(all)) continue;
    const sum = sums + ((four - counts) << 1);
    addArea(sum, i32x4.extract_lane(all, 0), area);
    addArea(sum + 8, i32x4.extract_lane(all, 1), area);
    addArea(sum + 16, i32x4.extract_lane(all, 2), area);
    addArea(sum + 24, i32x4.extract_lane(all, 3), area);
    const none = i32x4.splat(0);
    v128.store(four, none);
    v128.store(four, none, 1024);
    v128.store(four, none, 2048);
    v128.store(four, none, 3072);
  }
}

// @ts-ignore: decorator
@inline
function addArea(sum: usize, count: u32, area: f64): void {
  if (count != 0) store<f64>(sum, load<f64>(sum) + <f64>count * area);
}
