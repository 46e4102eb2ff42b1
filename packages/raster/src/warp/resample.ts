import type { PixelGrid } from '@headwater/core';
import { sourceCoordinates } from './coordinates.ts';
import type { Coordinates } from './coordinates.ts';
import type { PixelArray } from '../pixels/pixel-array.ts';
import type { PixelWindow } from '../pixels/pixel-window.ts';

/** Pixels of a file for a target window: `window` in pixels of the file. */
export interface SourcePatch {
  readonly grid: PixelGrid;
  readonly window: PixelWindow;
  readonly pixels: PixelArray;
}

/** Window of the file (clipped to it) that covers a target window with a margin of `margin` pixels; null if they do not overlap. */
export function sourceWindow(
  target: PixelGrid,
  window: PixelWindow,
  source: { grid: PixelGrid; margin: number },
): PixelWindow | null {
  const { grid, margin } = source;
  const [last, bottom] = [window.col + window.cols - 1, window.row + window.rows - 1];
  const edges = [
    { ...window, rows: 1 },
    { ...window, row: bottom, rows: 1 },
    { ...window, cols: 1 },
    { ...window, col: last, cols: 1 },
  ];
  let [col0, row0, col1, row1] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const edge of edges) {
    const { x, y } = sourceCoordinates(target, edge, grid.crs);
    for (let i = 0; i < x.length; i++) {
      const col = (x[i]! - grid.west) / grid.pixelWidth;
      const row = (grid.north - y[i]!) / grid.pixelHeight;
      if (!Number.isFinite(col) || !Number.isFinite(row)) continue;
      [col0, col1, row0, row1] = [Math.min(col0, col), Math.max(col1, col), Math.min(row0, row), Math.max(row1, row)];
    }
  }
  const left = Math.max(0, Math.floor(col0) - margin);
  const top = Math.max(0, Math.floor(row0) - margin);
  const cols = Math.min(grid.cols, Math.ceil(col1) + margin + 1) - left;
  const rows = Math.min(grid.rows, Math.ceil(row1) + margin + 1) - top;
  return cols > 0 && rows > 0 ? { col: left, row: top, cols, rows } : null;
}

/** Target of sampled pixels: one for each pixel of the requested window, row-major. */
interface Sampled {
  readonly target: PixelArray;
  /** Value for pixels outside of the source; absent: the target is not changed there. */
  readonly outside?: number;
}

/** Samples the nearest pixel of the patch at the centre of each pixel of a window of another grid. */
export function sampleNearest(
  patch: SourcePatch,
  to: { readonly grid: PixelGrid; readonly window: PixelWindow },
  out: Sampled,
): void {
  sampleAt(patch, sourceCoordinates(to.grid, to.window, patch.grid.crs), out);
}

/** Samples patches for windows of one grid; caches the coordinates of the current window, because many bands share them. */
export class NearestSampler {
  readonly #grid: PixelGrid;
  /** Coordinates of the current window, by CRS: 16 bytes a pixel, so only one window is cached. */
  #coordinates = new Map<string, Coordinates>();
  #window: PixelWindow | null = null;

  constructor(grid: PixelGrid) {
    this.#grid = grid;
  }

  /** Samples the nearest pixel at the centres of a window's pixels; the cache is used only for the same window object. */
  sample(patch: SourcePatch, window: PixelWindow, out: Sampled): void {
    if (this.#window !== window) this.#coordinates = new Map();
    this.#window = window;
    const { crs } = patch.grid;
    const at = this.#coordinates.get(crs) ?? sourceCoordinates(this.#grid, window, crs);
    this.#coordinates.set(crs, at);
    sampleAt(patch, at, out);
  }
}

function sampleAt({ grid, window, pixels }: SourcePatch, at: Coordinates, out: Sampled): void {
  for (let i = 0; i < at.x.length; i++) {
    const col = Math.floor((at.x[i]! - grid.west) / grid.pixelWidth) - window.col;
    const row = Math.floor((grid.north - at.y[i]!) / grid.pixelHeight) - window.row;
    const inside = col >= 0 && row >= 0 && col < window.cols && row < window.rows;
    if (inside) out.target[i] = pixels[row * window.cols + col]!;
    else if (out.outside !== undefined) out.target[i] = out.outside;
  }
}
