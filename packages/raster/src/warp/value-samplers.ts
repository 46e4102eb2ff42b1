import type { PixelGrid } from '@headwater/core';
import type { ReadRequest } from '@headwater/core/ports';
import type { PixelWindow } from '../pixels/pixel-window.ts';
import type { Coordinates } from './coordinates.ts';

/** Values of a window of a file, row-major; NaN for nodata. `window` is in pixels of `grid`. */
export interface ValuePatch {
  readonly grid: PixelGrid;
  readonly window: PixelWindow;
  readonly values: Float32Array;
}

/**
 * Replaces each NaN of `out` by the patch's value. `at` contains pixel centres in the patch's CRS; for `average` it
 * contains corners (one more column and row).
 */
type ValueSampler = (
  patch: ValuePatch,
  at: Coordinates,
  out: { readonly values: Float64Array; readonly cols: number },
) => void;

/** Samplers by the name of the resampling rule (see `ReadRequest`). */
export const VALUE_SAMPLERS: Readonly<Record<ReadRequest['resampling'], ValueSampler>> = {
  nearest: takeNearest,
  bilinear: takeBilinear,
  average: takeAverage,
};

function takeNearest(
  { grid, window, values }: ValuePatch,
  at: Coordinates,
  { values: out }: { values: Float64Array },
): void {
  for (let i = 0; i < out.length; i++) {
    if (!Number.isNaN(out[i]!)) continue;
    const col = Math.floor((at.x[i]! - grid.west) / grid.pixelWidth) - window.col;
    const row = Math.floor((grid.north - at.y[i]!) / grid.pixelHeight) - window.row;
    if (col >= 0 && row >= 0 && col < window.cols && row < window.rows) out[i] = values[row * window.cols + col]!;
  }
}

function takeBilinear(
  { grid, window, values }: ValuePatch,
  at: Coordinates,
  { values: out }: { values: Float64Array },
): void {
  const { cols, rows } = window;
  for (let i = 0; i < out.length; i++) {
    if (!Number.isNaN(out[i]!)) continue;
    const x = (at.x[i]! - grid.west) / grid.pixelWidth - window.col;
    const y = (grid.north - at.y[i]!) / grid.pixelHeight - window.row;
    // The condition is negated, so that NaN is also skipped.
    if (!(x >= 0 && y >= 0 && x < cols && y < rows)) continue;
    if (Number.isNaN(values[Math.floor(y) * cols + Math.floor(x)]!)) continue;
    const [left, top] = [Math.floor(x - 0.5), Math.floor(y - 0.5)];
    const [toRight, down] = [x - 0.5 - left, y - 0.5 - top];
    let [sum, weight] = [0, 0];
    for (let corner = 0; corner < 4; corner++) {
      const col = left + (corner & 1);
      const row = top + (corner >> 1);
      if (col < 0 || row < 0 || col >= cols || row >= rows) continue;
      const value = values[row * cols + col]!;
      if (Number.isNaN(value)) continue;
      const share = ((corner & 1) === 0 ? 1 - toRight : toRight) * (corner < 2 ? 1 - down : down);
      sum += share * value;
      weight += share;
    }
    out[i] = sum / weight;
  }
}

function takeAverage(patch: ValuePatch, at: Coordinates, out: { values: Float64Array; cols: number }): void {
  const { grid, window } = patch;
  for (let i = 0; i < out.values.length; i++) {
    if (!Number.isNaN(out.values[i]!)) continue;
    const corner = Math.floor(i / out.cols) * (out.cols + 1) + (i % out.cols);
    const below = corner + out.cols + 1;
    const [x0, x1, x2, x3] = [at.x[corner]!, at.x[corner + 1]!, at.x[below]!, at.x[below + 1]!];
    const [y0, y1, y2, y3] = [at.y[corner]!, at.y[corner + 1]!, at.y[below]!, at.y[below + 1]!];
    const box = {
      left: (Math.min(x0, x1, x2, x3) - grid.west) / grid.pixelWidth - window.col,
      right: (Math.max(x0, x1, x2, x3) - grid.west) / grid.pixelWidth - window.col,
      top: (grid.north - Math.max(y0, y1, y2, y3)) / grid.pixelHeight - window.row,
      bottom: (grid.north - Math.min(y0, y1, y2, y3)) / grid.pixelHeight - window.row,
    };
    out.values[i] = meanOf(patch, box);
  }
}

interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

function meanOf({ window: { cols, rows }, values }: ValuePatch, { left, right, top, bottom }: Box): number {
  let [sum, weight] = [0, 0];
  for (let row = Math.max(0, Math.floor(top)); row < bottom && row < rows; row++) {
    const height = Math.min(bottom, row + 1) - Math.max(top, row);
    for (let col = Math.max(0, Math.floor(left)); col < right && col < cols; col++) {
      const value = values[row * cols + col]!;
      if (Number.isNaN(value)) continue;
      const share = height * (Math.min(right, col + 1) - Math.max(left, col));
      sum += share * value;
      weight += share;
    }
  }
  return weight > 0 ? sum / weight : Number.NaN;
}
