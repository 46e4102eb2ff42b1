import { GREATEST, LEAST } from './constants';
import { storeTail } from './tail';

const LANES: i32 = 32;

/**
 * Computes the median of each pixel's values in `n` int16 planes, without nodata; 32 pixels at a time.
 * - `pairs`: comparators of the sorting network (u16 low row, u16 high row)
 * - `rows`: scratch memory of n x 64 bytes
 */
export function medianRows(n: i32, src: usize, stride: usize, dst: usize, count: i32, pairs: usize, pairCount: i32, rows: usize): void {
  const none = v128.load(LEAST);
  const top = v128.load(GREATEST);
  for (let i = 0; i < count; i += LANES) {
    for (let g = 0; g < 4; g++) {
      const x = i + (g << 3);
      if (x >= count) break;
      const column = rows + (<usize>g << 4);
      let odd = i16x8.splat(0);
      let all = i16x8.splat(-1);
      for (let k = 0; k < n; k++) {
        const v = v128.load(src + <usize>k * stride + (<usize>x << 1));
        const bad = i16x8.eq(v, none);
        v128.store(column + (<usize>k << 6), v128.bitselect(top, v, v128.andnot(bad, odd)));
        odd = v128.xor(odd, bad);
        all = v128.and(all, bad);
      }
      for (let p = 0; p < pairCount; p++) {
        const a = column + (<usize>load<u16>(pairs + (<usize>p << 2)) << 6);
        const b = column + (<usize>load<u16>(pairs + (<usize>p << 2), 2) << 6);
        const u = v128.load(a);
        const w = v128.load(b);
        v128.store(a, i16x8.min_s(u, w));
        v128.store(b, i16x8.max_s(u, w));
      }
      const m = <usize>(n >> 1);
      const under = v128.load(column + ((m - 1) << 6));
      const over = v128.load(column + (m << 6));
      const a = n & 1 ? v128.bitselect(under, over, odd) : under;
      const b = n & 1 ? over : v128.bitselect(under, over, odd);
      const v = v128.bitselect(none, i16x8.add(v128.and(a, b), i16x8.shr_s(v128.xor(a, b), 1)), all);
      if (count - x >= 8) v128.store(dst + (<usize>x << 1), v);
      else storeTail(dst + (<usize>x << 1), v, count - x);
    }
  }
}
