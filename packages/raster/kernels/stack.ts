import { GREATEST, LEAST } from './constants';
import { storeTail } from './tail';

/**
 * Computes a percentile of `n` int16 planes that are `stride` bytes apart; -32768 is nodata.
 * - `pairs`: comparators (u16 low row, u16 high row) that sort `n` rows
 * - `ranks`: for 0 to n values with data, the lower row (u16) and the share of the next row in 1/1024 (u16)
 * - `rows`: scratch memory of (n + 2) x 16 bytes
 */
export function percentile(n: i32, src: usize, stride: usize, dst: usize, count: i32, pairs: usize, pairCount: i32, ranks: usize, rows: usize): void {
  const none = v128.load(LEAST);
  const top = v128.load(GREATEST);
  const values = rows + (<usize>n << 4);
  const founds = values + 16;
  for (let i = 0; i < count; i += 8) {
    let found = i16x8.splat(0);
    for (let k = 0; k < n; k++) {
      const v = v128.load(src + <usize>k * stride + (<usize>i << 1));
      const bad = i16x8.eq(v, none);
      v128.store(rows + (<usize>k << 4), v128.bitselect(top, v, bad));
      // A true lane is -1, so subtracting the inverse adds 1 for a value with data.
      found = i16x8.sub(found, v128.not(bad));
    }
    for (let p = 0; p < pairCount; p++) {
      const a = rows + (<usize>load<u16>(pairs + (<usize>p << 2)) << 4);
      const b = rows + (<usize>load<u16>(pairs + (<usize>p << 2), 2) << 4);
      const u = v128.load(a);
      const w = v128.load(b);
      v128.store(a, i16x8.min_s(u, w));
      v128.store(b, i16x8.max_s(u, w));
    }
    v128.store(founds, found);
    for (let lane: usize = 0; lane < 16; lane += 2) {
      const rank = ranks + (<usize>load<u16>(founds + lane) << 2);
      const at = rows + (<usize>load<u16>(rank) << 4) + lane;
      const low = <i32>load<i16>(at);
      const share = <i32>load<u16>(rank, 2);
      const high = share == 0 ? low : <i32>load<i16>(at, 16);
      store<i16>(values + lane, <i16>(low + (((high - low) * share + 512) >> 10)));
    }
    const v = v128.bitselect(none, v128.load(values), i16x8.eq(found, i16x8.splat(0)));
    if (count - i >= 8) v128.store(dst + (<usize>i << 1), v);
    else storeTail(dst + (<usize>i << 1), v, count - i);
  }
}

/**
 * Computes the most frequent byte of `n` planes (at most 255) that are `stride` bytes apart. If several bytes are
 * equally frequent, takes the one that occurs in the earliest plane. Does not count `nodata` (-1: every byte counts).
 * `rows`: scratch memory of n x 16 bytes. Writes 16 bytes at a time, so up to 15 bytes beyond `count`.
 */
export function mode(n: i32, src: usize, stride: usize, dst: usize, count: i32, nodata: i32, rows: usize): void {
  const none = i8x16.splat(<u8>nodata);
  for (let i = 0; i < count; i += 16) {
    for (let k = 0; k < n; k++) v128.store(rows + (<usize>k << 4), v128.load(src + <usize>k * stride + <usize>i));
    let best = i8x16.splat(0);
    let result = none;
    for (let k = 0; k < n; k++) {
      const v = v128.load(rows + (<usize>k << 4));
      let times = i8x16.splat(0);
      // Counting only plane k and later planes is enough, because each byte was counted at its first plane.
      for (let j = k; j < n; j++) times = i8x16.sub(times, i8x16.eq(v, v128.load(rows + (<usize>j << 4))));
      if (nodata >= 0) times = v128.andnot(times, i8x16.eq(v, none));
      const more = v128.not(i8x16.eq(i8x16.max_u(best, times), best));
      best = v128.bitselect(times, best, more);
      result = v128.bitselect(v, result, more);
    }
    v128.store(dst + <usize>i, result);
  }
}
