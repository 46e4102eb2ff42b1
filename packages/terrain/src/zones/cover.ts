import type { ZoneCover } from '@headwater/core/geo';

/** Size of a plane, with the areas of its pixels. */
export interface PlaneSize {
  readonly cols: number;
  /** Area in m2 of one pixel of each row, `[rows]`. */
  readonly rowAreas: Float64Array;
}

/**
 * Sums the areas (m2) of pixels by bin, 0 to count - 1; Float64 `[count]`. Pixels whose bin `binOf(at)` is outside of
 * that range are left out.
 */
export function areasBy(
  cover: ZoneCover,
  { cols, rowAreas }: PlaneSize,
  { count, binOf }: { readonly count: number; readonly binOf: (at: number) => number },
): Float64Array {
  const sums = new Float64Array(count);
  for (let row = 0; row < cover.rows; row += 1) {
    const base = (cover.top + row) * cols;
    const area = rowAreas[cover.top + row]!;
    for (let run = cover.start[row]!; run < cover.start[row + 1]!; run += 1) {
      const weight = cover.fraction[run]! * area;
      for (let at = base + cover.from[run]!; at < base + cover.to[run]!; at += 1) {
        const bin = binOf(at);
        if (bin >= 0 && bin < count) sums[bin] = sums[bin]! + weight;
      }
    }
  }
  return sums;
}
