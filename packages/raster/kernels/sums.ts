import { INFINITE } from './constants';

// Size of a result's header in bytes: number of pixels (i32), 4 unused bytes, minimum and maximum (f32), 8 unused
// bytes. After the header, each row has the sum of its covered fractions and its weighted sum (f64 each).
const ROWS: usize = 24;

/**
 * Sums float32 values at `data` (`cols` per row, NaN is nodata) of one zone. Continues the result at `out`, and writes
 * the sums of each row.
 * - `starts`: index of the first run of each row, then the index after the last run
 * - `from`, `to`: first and end column of each run; `data` begins at column `left`
 * - `fractions` (f64): covered fraction of the pixels of each run
 * - `least`: runs with a smaller fraction do not count for number, minimum and maximum
 */
export function sumRuns(
  data: usize,
  cols: i32,
  rows: i32,
  left: i32,
  starts: usize,
  from: usize,
  to: usize,
  fractions: usize,
  least: f64,
  out: usize,
): void {
  const top = v128.load(INFINITE);
  const bottom = f32x4.neg(top);
  let low = f32x4.splat(load<f32>(out, 8));
  let high = f32x4.splat(load<f32>(out, 12));
  let pixels = load<i32>(out);
  for (let row = 0; row < rows; row++) {
    const line = data + ((<usize>row * <usize>cols) << 2);
    let covered: f64 = 0;
    let sum: f64 = 0;
    const end = load<i32>(starts + (<usize>row << 2), 4);
    for (let run = load<i32>(starts + (<usize>row << 2)); run < end; run++) {
      const first = load<i32>(from + (<usize>run << 2)) - left;
      const last = load<i32>(to + (<usize>run << 2)) - left;
      const fraction = load<f64>(fractions + (<usize>run << 3));
      let found = i32x4.splat(0);
      let even = f64x2.splat(0);
      let odd = f64x2.splat(0);
      let lowest = top;
      let highest = bottom;
      for (let i = first; i < last; i += 4) {
        const at = line + (<usize>i << 2);
        let v: v128;
        if (last - i >= 4) v = v128.load(at);
        else {
          v = f32x4.replace_lane(f32x4.splat(NaN), 0, load<f32>(at));
          if (last - i > 1) v = f32x4.replace_lane(v, 1, load<f32>(at, 4));
          if (last - i > 2) v = f32x4.replace_lane(v, 2, load<f32>(at, 8));
        }
        const ok = f32x4.eq(v, v);
        const known = v128.and(v, ok);
        // A true lane is -1, so subtracting it adds 1.
        found = i32x4.sub(found, ok);
        even = f64x2.add(even, f64x2.promote_low_f32x4(known));
        odd = f64x2.add(odd, f64x2.promote_low_f32x4(i8x16.shuffle(known, known, 8, 9, 10, 11, 12, 13, 14, 15, 8, 9, 10, 11, 12, 13, 14, 15)));
        lowest = f32x4.pmin(lowest, v128.bitselect(v, top, ok));
        highest = f32x4.pmax(highest, v128.bitselect(v, bottom, ok));
      }
      const count = i32x4.extract_lane(found, 0) + i32x4.extract_lane(found, 1) + i32x4.extract_lane(found, 2) + i32x4.extract_lane(found, 3);
      const both = f64x2.add(even, odd);
      covered += fraction * <f64>count;
      sum += fraction * (f64x2.extract_lane(both, 0) + f64x2.extract_lane(both, 1));
      if (fraction < least) continue;
      pixels += count;
      low = f32x4.pmin(low, lowest);
      high = f32x4.pmax(high, highest);
    }
    store<f64>(out + ROWS + (<usize>row << 4), covered);
    store<f64>(out + ROWS + (<usize>row << 4), sum, 8);
  }
  store<i32>(out, pixels);
  store<f32>(out, min(min(f32x4.extract_lane(low, 0), f32x4.extract_lane(low, 1)), min(f32x4.extract_lane(low, 2), f32x4.extract_lane(low, 3))), 8);
  store<f32>(out, max(max(f32x4.extract_lane(high, 0), f32x4.extract_lane(high, 1)), max(f32x4.extract_lane(high, 2), f32x4.extract_lane(high, 3))), 12);
}
