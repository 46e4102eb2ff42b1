import type { PixelGrid } from '@headwater/core';
import type { PixelWindow } from '../pixels/pixel-window.ts';

/**
 * Position of a file's pixels on the plan's grid. `aligned`: grid pixel (x, y) is file pixel ((x + col) >> shift, (y + row) >> shift).
 * `warp`: the file has another CRS, pixel size, or phase (position of the pixel edges), so the file must be resampled.
 */
export type Alignment = Aligned | { readonly kind: 'warp' };

/**
 * Position of a file whose pixel edges are also pixel edges of the grid. The pixels have the size of the grid's pixels (shift
 * 0, such as 10 m) or twice this size (shift 1, such as 20 m).
 */
export interface Aligned {
  readonly kind: 'aligned';
  readonly shift: 0 | 1;
  readonly col: number;
  readonly row: number;
}

/**
 * Maximum distance between pixel edges of the file and of the grid that still counts as the same position, in grid
 * pixels.
 */
const PHASE_TOLERANCE = 1e-3;

/**
 * Maximum distance between the corners of a file and of the plan's grid, in pixels. Real distances are smaller: the circumference of
 * the Earth is 4 million pixels of 10 m.
 */
const MAX_SHIFT = 2 ** 28;

/**
 * Compares a file's grid with the plan's grid. Returns `aligned` if the file has the same pixels, or pixels of twice
 * the size whose edges are also pixel edges of the plan's grid; otherwise returns `warp`.
 */
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
    // Positions in a window are 32-bit integers, so a file that is farther away is resampled.
    if (Math.max(Math.abs(col), Math.abs(row)) > MAX_SHIFT) continue;
    return { kind: 'aligned', shift, col: Math.round(col), row: Math.round(row) };
  }
  return { kind: 'warp' };
}

/** True if the difference of two pixel sizes adds up to less than the tolerance over the whole grid. */
function sameSize(a: number, b: number, pixels: number): boolean {
  return Math.abs(a - b) * pixels <= PHASE_TOLERANCE * b;
}

/**
 * Pixels of an aligned file under (at the same place as) a window of the grid, and the position of the window in these
 * pixels.
 */
interface UnderWindow {
  /** Window in pixels of the file. */
  readonly native: PixelWindow;
  /** Pixel (x, y) of the grid's window is pixel ((x + col) >> shift, (y + row) >> shift) of `native`. */
  readonly col: number;
  readonly row: number;
}

/** Finds the pixels of an aligned file under a window of the grid. */
export function underWindow({ shift, col, row }: Aligned, window: PixelWindow): UnderWindow {
  const [left, top] = [col + window.col, row + window.row];
  const native = {
    col: left >> shift,
    row: top >> shift,
    cols: ((left + window.cols - 1) >> shift) - (left >> shift) + 1,
    rows: ((top + window.rows - 1) >> shift) - (top >> shift) + 1,
  };
  return { native, col: left - (native.col << shift), row: top - (native.row << shift) };
}
