import { COLUMNS, ROW, ROW32, SMOOTH, SUMMARY } from './layout';

let from: i32 = 0;
let core: i32 = 0;
let coldFirst: i32 = 0;
let coldLast: i32 = 0;
let plateau: f64 = 0;

/** Sets the core steps, the cold steps (last < first: none), and `plateauMinNdvi` x 10000. */
export function setFrame(firstCore: i32, cores: i32, firstCold: i32, lastCold: i32, plateauNdvi: f64): void {
  from = firstCore;
  core = cores;
  coldFirst = firstCold;
  coldLast = lastCold;
  plateau = plateauNdvi;
}

/**
 * Transposes four solved columns to `[pixel][steps]`. Steps before the first observed step get its smoothed value, and
 * steps after the last observed step get the smoothed value of the last.
 */
export function turn4(seen: i32, steps: i32, column: i32): void {
  const first = ctz(seen);
  const last = 31 - clz(seen);
  const next = <usize>steps << 3;
  let to = SMOOTH + <usize>column * next;
  for (let s = 0; s < steps; s++) {
    const row = COLUMNS + <usize>(s < first ? first : s > last ? last : s) * ROW + (<usize>column << 3);
    const a = v128.load(row);
    const b = v128.load(row, 16);
    v128.store64_lane(to, a, 0);
    v128.store64_lane(to + next, a, 1);
    v128.store64_lane(to + 2 * next, b, 0);
    v128.store64_lane(to + 3 * next, b, 1);
    to += 8;
  }
}

/** Summarises two pixels as `summarise` in `src/series/year-stats.ts`. */
export function summarise2(seen: i32, column: i32): void {
  const first = ctz(seen);
  const last = 31 - clz(seen);
  let sum = f64x2.splat(0);
  let high = sum;
  let max = f64x2.splat(-1e9);
  let maxAt = sum;
  let min = f64x2.splat(1e9);
  let second = min;
  let third = min;
  const plateaus = f64x2.splat(plateau);
  for (let s = from; s < from + core; s++) {
    const v = v128.load(COLUMNS + <usize>(s < first ? first : s > last ? last : s) * ROW + (<usize>column << 3));
    sum = f64x2.add(sum, v);
    // A true lane is -1, so subtracting it adds 1.
    high = i64x2.sub(high, f64x2.ge(v, plateaus));
    maxAt = v128.bitselect(f64x2.splat(<f64>(s - from)), maxAt, f64x2.gt(v, max));
    max = f64x2.pmax(max, v);
    if (s >= coldFirst && s <= coldLast) continue;
    third = f64x2.pmin(third, f64x2.pmax(second, v));
    second = f64x2.pmin(second, f64x2.pmax(min, v));
    min = f64x2.pmin(min, v);
  }
  const to = SUMMARY + (<usize>column << 2);
  store2(to, max);
  store2(to + ROW32, f64x2.div(sum, f64x2.splat(<f64>core)));
  store2(to + 2 * ROW32, maxAt);
  v128.store64_lane(to + 3 * ROW32, v128.shuffle<i32>(high, high, 0, 2, 0, 2), 0);
  store2(to + 4 * ROW32, min);
  store2(to + 5 * ROW32, coldLast < coldFirst ? third : second);
}

/** Stores two float64 as int32, truncated. */
// @ts-ignore: decorator
@inline
function store2(to: usize, v: v128): void {
  v128.store64_lane(to, i32x4.trunc_sat_f64x2_s_zero(v), 0);
}
