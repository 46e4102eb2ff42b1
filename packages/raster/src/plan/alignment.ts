import type { PixelGrid } from '@headwater/core';
import type { PixelWindow } from '../pixels/pixel-window.ts';

/**
 * Position of a file's pixels on the plan's grid. `aligned`: grid pixel (x, y) is file pixel ((x + col) >> shift, (y +
 * row) >> shift). `warp`: the file must be resampled.
 */
export type Alignment = Aligned | { readonly kind: 'warp' };

/**
 * Position of a file whose pixel edges are edges of the grid. Pixels have the grid's size (shift 0, such as 10 m) or
 * twice this size (shift 1, such as 20 m).
 */
export interface Aligned {
  readonly kind: 'aligned';
  readonly shift: 0 | 1;
  readonly col: number;
  readonly row: number;
}

/** Maximum distance between pixel edges that count as equal, in grid pixels. */
const PHASE_TOLERANCE = 1e-3;

/** Maximum distance between file and grid in pixels; the Earth has a circumference of only 4 million pixels of 10 m. */
const MAX_SHIFT = 2 ** 28;

/** Compares a file's grid with the plan's grid, see `Alignment`. */
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
    // Positions in a window are 32-bit integers.
    if (Math.max(Math.abs(col), Math.abs(row)) > MAX_SHIFT) continue;
    return { kind: 'aligned', shift, col: Math.round(col), row: Math.round(row) };
  }
  return { kind: 'warp' };
}

/**
 * True if two pixel sizes differ so little that, over `pixels` pixels, the differences add up to at most
 * `PHASE_TOLERANCE` pixels.
 */
function sameSize(a: number, b: number, pixels: number): boolean {
  return Math.abs(a - b) * pixels <= PHASE_TOLERANCE * b;
}

/** Pixels of an aligned file under a window of the grid. */
interface UnderWindow {
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
