import { LANES, SEEN } from './layout';

// Addresses of int16 vectors, which are loaded from memory because V8 builds a literal vector again in each iteration.
const NODATA: usize = memory.data<i16>([-32768, -32768, -32768, -32768, -32768, -32768, -32768, -32768], 16);
const GREATEST: usize = memory.data<i16>([32767, 32767, 32767, 32767, 32767, 32767, 32767, 32767], 16);
/** Address of the largest distance in steps between the observations around a spike. */
const SPIKE_STEPS: usize = memory.data<i16>([3, 3, 3, 3, 3, 3, 3, 3], 16);

let notch: i16 = 0;
let spike: i16 = 0;
let noGround: i16 = 0;
let green: i16 = 0;

/** Sets the thresholds of `clean` in `src/series/year-stats.ts`, NDVI x 10000. */
export function setCleaning(notchDrop: i32, despikeDrop: i32, noGroundNdvi: i32, greenNdvi: i32): void {
  notch = <i16>notchDrop;
  spike = <i16>despikeDrop;
  noGround = <i16>noGroundNdvi;
  green = <i16>greenNdvi;
}

/**
 * Writes the clear steps of `count` pixels to `SEEN`, by the rules of `clean` in `src/series/year-stats.ts`. Processes
 * eight pixels at a time. While they are processed, the bits of steps 0..15 and of steps 16..30 are in separate int16
 * values. Differences may saturate, because they are only compared with thresholds.
 */
export function clean(src: usize, stride: usize, steps: i32, count: i32): void {
  for (let i = 0; i < count; i += LANES) clean8(src + (<usize>i << 1), stride, steps, SEEN + (<usize>i << 2));
}

function clean8(src: usize, stride: usize, steps: i32, to: usize): void {
  const none = v128.load(NODATA);
  const top = v128.load(GREATEST);
  const mostApart = v128.load(SPIKE_STEPS);
  const spikes = i16x8.splat(spike);
  const notches = i16x8.splat(notch);
  let keptLow = i16x8.splat(0);
  let keptHigh = keptLow;
  let nowLow = keptLow;
  let nowHigh = keptLow;
  let a = keptLow;
  let v = keptLow;
  let before = i16x8.splat(-9);
  let now = before;
  let highest = none;
  let lowest = top;
  for (let s = 0; s < steps; s++) {
    const b = v128.load(src + <usize>s * stride);
    const ok = i16x8.ne(b, none);
    const bit: i32 = 1 << s;
    const low = i16x8.splat(<i16>bit);
    const high = i16x8.splat(<i16>(bit >>> 16));
    highest = i16x8.max_s(highest, b);
    lowest = i16x8.min_s(lowest, v128.bitselect(b, top, ok));
    const depth = i16x8.sub_sat_s(i16x8.min_s(a, b), v);
    const apart = i16x8.sub_sat_s(i16x8.max_s(a, b), i16x8.min_s(a, b));
    const deep = v128.or(i16x8.gt_s(depth, spikes), i16x8.lt_s(apart, depth));
    const near = i16x8.le_s(i16x8.sub(i16x8.splat(<i16>s), before), mostApart);
    const isSpike = v128.and(v128.and(ok, near), v128.and(i16x8.gt_s(depth, notches), deep));
    keptLow = v128.or(v128.andnot(keptLow, v128.and(isSpike, nowLow)), v128.and(ok, low));
    keptHigh = v128.or(v128.andnot(keptHigh, v128.and(isSpike, nowHigh)), v128.and(ok, high));
    const isGround = v128.andnot(ok, isSpike);
    a = v128.bitselect(v, a, isGround);
    before = v128.bitselect(now, before, isGround);
    v = v128.bitselect(b, v, ok);
    now = v128.bitselect(i16x8.splat(<i16>s), now, ok);
    nowLow = v128.bitselect(low, nowLow, ok);
    nowHigh = v128.bitselect(high, nowHigh, ok);
  }
  const snowy = v128.and(i16x8.lt_s(lowest, i16x8.splat(noGround)), i16x8.ge_s(highest, i16x8.splat(green)));
  if (v128.any_true(snowy)) {
    for (let s = 0; s < steps; s++) {
      const hidden = v128.and(snowy, i16x8.lt_s(v128.load(src + <usize>s * stride), i16x8.splat(noGround)));
      const bit: i32 = 1 << s;
      keptLow = v128.andnot(keptLow, v128.and(hidden, i16x8.splat(<i16>bit)));
      keptHigh = v128.andnot(keptHigh, v128.and(hidden, i16x8.splat(<i16>(bit >>> 16))));
    }
  }
  v128.store(to, v128.shuffle<i16>(keptLow, keptHigh, 0, 8, 1, 9, 2, 10, 3, 11));
  v128.store(to + 16, v128.shuffle<i16>(keptLow, keptHigh, 4, 12, 5, 13, 6, 14, 7, 15));
}
