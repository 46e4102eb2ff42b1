import type { Dem } from '../dem/dem.ts';

/** Nine heights, row-major from the north-west; index 4 is the pixel. */
export type Window = Float64Array;

/** Computes the value of a pixel from nine heights. */
export type WindowRule = (window: Window, row: number) => number;

/**
 * Computes a plane from 3 x 3 windows, Float32 `[rows * cols]`, NaN without data. Missing neighbours are replaced as in
 * `gdaldem -compute_edges`.
 */
export function mapWindows({ grid, heights }: Dem, rule: WindowRule): Float32Array {
  const { rows, cols } = grid;
  const out = new Float32Array(heights.length);
  const window: Window = new Float64Array(9);
  for (let row = 0; row < rows; row += 1) {
    for (let col = 0; col < cols; col += 1) {
      const at = row * cols + col;
      const inside = row > 0 && row < rows - 1 && col > 0 && col < cols - 1;
      if (inside) readInside(heights, at, { cols, window });
      else readBorder({ grid, heights }, [row, col], window);
      out[at] = Number.isNaN(heights[at]!) ? Number.NaN : rule(window, row);
      // A gap makes the result NaN. Only then are gaps replaced, because gaps are rare.
      if (Number.isNaN(out[at]) && !Number.isNaN(heights[at]!)) out[at] = rule(withoutGaps(window), row);
    }
  }
  return out;
}

function readInside(heights: Float32Array, at: number, { cols, window }: { cols: number; window: Window }): void {
  window[0] = heights[at - cols - 1]!;
  window[1] = heights[at - cols]!;
  window[2] = heights[at - cols + 1]!;
  window[3] = heights[at - 1]!;
  window[4] = heights[at]!;
  window[5] = heights[at + 1]!;
  window[6] = heights[at + cols - 1]!;
  window[7] = heights[at + cols]!;
  window[8] = heights[at + cols + 1]!;
}

function readBorder(dem: Dem, [row, col]: readonly [number, number], window: Window): void {
  const { rows, cols } = dem.grid;
  const isEdgeRow = rows > 1 && (row === 0 || row === rows - 1);
  for (let down = -1; down <= 1; down += 1) {
    for (let right = -1; right <= 1; right += 1) {
      const edgeCol = isEdgeRow ? Math.min(Math.max(col + right, 0), cols - 1) : col + right;
      window[(down + 1) * 3 + right + 1] = heightOrExtended(dem, row + down, edgeCol);
    }
  }
}

/** Height of a pixel, extrapolated beyond the border. A single row or column is repeated beyond the border. */
function heightOrExtended({ grid: { rows, cols }, heights }: Dem, row: number, col: number): number {
  const nearest = Math.min(Math.max(row, 0), rows - 1) * cols + Math.min(Math.max(col, 0), cols - 1);
  if (rows > 1 && (row < 0 || row >= rows)) return extended(heights, nearest, row < 0 ? cols : -cols);
  const isOutside = col < 0 || col >= cols;
  return isOutside && cols > 1 ? extended(heights, nearest, col < 0 ? 1 : -1) : heights[nearest]!;
}

function extended(heights: Float32Array, at: number, inward: number): number {
  return 2 * heights[at]! - heights[at + inward]!;
}

function withoutGaps(window: Window): Window {
  for (let k = 0; k < 9; k += 1) if (Number.isNaN(window[k]!)) window[k] = window[4]!;
  return window;
}
