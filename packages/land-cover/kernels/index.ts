import { clean } from './clean';
import { factorise } from './factors';
import { FALLS, RISES, SEEN, SMOOTH, SUMMARY } from './layout';
import { solve4 } from './solve';
import { summarise2, turn4 } from './summary';

export { findBright } from './bright';
export { setCleaning } from './clean';
export { setStiffness } from './factors';
export { setFrame } from './summary';

/** Addresses to which `readTile` writes; callers may use the bytes from `freeAt`. */
export function seenAt(): usize {
  return SEEN;
}
export function risesAt(): usize {
  return RISES;
}
export function fallsAt(): usize {
  return FALLS;
}
export function smoothAt(): usize {
  return SMOOTH;
}
export function summaryAt(): usize {
  return SUMMARY;
}
export function freeAt(): usize {
  return __heap_base;
}

/**
 * Reads `count` <= 64 pixels of int16 NDVI; writes observed steps, smoothed series and summaries. `src`: address of the
 * first step; `stride`: bytes per step. A pixel with fewer than three steps from its first to its last observation has
 * no valid series and summary. Reads up to 14 bytes beyond the last pixel.
 */
export function readTile(src: usize, stride: usize, steps: i32, count: i32): void {
  clean(src, stride, steps, count);
  let start = 0;
  while (start < count) {
    const seen = load<i32>(SEEN + (<usize>start << 2));
    let end = start + 1;
    while (end < count && load<i32>(SEEN + (<usize>end << 2)) === seen) end++;
    if (seen !== 0 && 32 - clz(seen) - ctz(seen) > 2) readRun(src, stride, steps, seen, start, end);
    start = end;
  }
}

/**
 * Solves pixels with the same gaps, four at a time. The last four may include pixels beyond `end`; the next call
 * overwrites their values.
 */
function readRun(src: usize, stride: usize, steps: i32, seen: i32, start: i32, end: i32): void {
  factorise(seen);
  for (let i = start; i < end; i += 4) {
    solve4(src + (<usize>i << 1), stride, seen, i);
    turn4(seen, steps, i);
    summarise2(seen, i);
    if (i + 2 < end) summarise2(seen, i + 2);
  }
}
