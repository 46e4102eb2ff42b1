import type { PixelGrid } from '@headwater/core';

/**
 * How a file's pixels lie on the plan's grid. `aligned`: grid pixel (x, y) is file pixel ((x + col) >> shift, (y + row) >> shift);
 * `warp`: another CRS, phase or pixel size, so it must be resampled.
 */
export type Alignment =
  | { readonly kind: 'aligned'; readonly shift: 0 | 1; readonly col: number; readonly row: number }
  | { readonly kind: 'warp' };

/** Largest distance from a whole pixel that still counts as the same phase, in grid pixels. */
const PHASE_TOLERANCE = 1e-3;

/** Relates a file's grid to the plan's: same pixels, pixels of twice the size on the same lattice, or neither. */
export function alignGrids(file: PixelGrid, plan: PixelGrid): Alignment {
  if (file.crs !== plan.crs) return { kind: 'warp' };
  for (const shift of [0, 1] as const) {
    const size = 1 << shift;
    if (
      !sameSize(file.pixelWidth, plan.pixelWidth * size, plan.cols) ||
      !sameSize(file.pixelHeight, plan.pixelHeight * size, plan.rows)
    )
      continue;
    const col = (plan.west - file.west) / plan.pixelWidth;
    const row = (file.north - plan.north) / plan.pixelHeight;
    if (Math.abs(col - Math.round(col)) > PHASE_TOLERANCE || Math.abs(row - Math.round(row)) > PHASE_TOLERANCE)
      continue;
    return { kind: 'aligned', shift, col: Math.round(col), row: Math.round(row) };
  }
  return { kind: 'warp' };
}

/** Sizes agree when their difference adds up to less than the tolerance over the whole grid. */
function sameSize(a: number, b: number, pixels: number): boolean {
  return Math.abs(a - b) * pixels <= PHASE_TOLERANCE * b;
}
