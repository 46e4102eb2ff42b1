import type { PixelGrid } from '@headwater/core';
import { sourceCoordinates } from './coordinates.ts';
import type { Coordinates } from './coordinates.ts';
import type { PixelArray } from '../pixels/pixel-array.ts';
import type { PixelWindow } from '../pixels/pixel-window.ts';

/** Pixels of a file around what a target window needs: `cols` x `rows` from (col, row) of the file. */
export interface SourcePatch {
  readonly grid: PixelGrid;
  readonly window: PixelWindow;
  readonly pixels: PixelArray;
}

/** Window of the file (clipped to it) that covers a target window with `margin` pixels around; null where they do not meet. */
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

/** Where the pixels go that are sampled: one for each of the window asked for, row-major. */
interface Sampled {
  readonly target: PixelArray;
  /** Value where the source has none; left out: what stands there stays. */
  readonly outside?: number;
}

/** Nearest pixel of the patch at the centre of each pixel of a window of another grid. */
export function sampleNearest(
  patch: SourcePatch,
  to: { readonly grid: PixelGrid; readonly window: PixelWindow },
  out: Sampled,
): void {
  sampleAt(patch, sourceCoordinates(to.grid, to.window, patch.grid.crs), out);
}

/** Samples patches for windows of one grid; coordinates are kept for the window at hand, since many bands share them. */
export class NearestSampler {
  readonly #grid: PixelGrid;
  /** Coordinates of the window worked on, by CRS: 16 bytes a pixel, so one window only. */
  #coordinates = new Map<string, Coordinates>();
  #window: PixelWindow | null = null;

  constructor(grid: PixelGrid) {
    this.#grid = grid;
  }

  /** Nearest pixel at the centres of a window's pixels; a window counts as the same only as the same object. */
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
