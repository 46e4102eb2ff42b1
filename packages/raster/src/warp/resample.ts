import type { PixelGrid } from '@headwater/core';
import { sourceCoordinates } from './coordinates.ts';
import type { Coordinates } from './coordinates.ts';
import type { PixelArray } from '../pixels/pixel-array.ts';
import type { PixelWindow } from '../pixels/pixel-window.ts';

/** Pixels of a file around what a target window needs: `cols` x `rows` from (col, row) of the file. */
interface SourcePatch {
  readonly grid: PixelGrid;
  readonly window: PixelWindow;
  readonly pixels: PixelArray;
  readonly nodata: number | null;
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
  /** Value where the source has none. */
  readonly outside: number;
}

/** Nearest pixel of the patch at the centre of each pixel of a window of another grid. */
export function sampleNearest(
  { grid, window, pixels }: SourcePatch,
  to: { readonly grid: PixelGrid; readonly window: PixelWindow },
  out: Sampled,
): void {
  const at = sourceCoordinates(to.grid, to.window, grid.crs);
  for (let i = 0; i < at.x.length; i++) {
    const col = Math.floor((at.x[i]! - grid.west) / grid.pixelWidth) - window.col;
    const row = Math.floor((grid.north - at.y[i]!) / grid.pixelHeight) - window.row;
    const inside = col >= 0 && row >= 0 && col < window.cols && row < window.rows;
    out.target[i] = inside ? pixels[row * window.cols + col]! : out.outside;
  }
}

/** Samples patches for windows of one grid; coordinates are kept for the window at hand, since many bands share them. */
export class BilinearSampler {
  readonly #grid: PixelGrid;
  /** Coordinates of the window worked on, by CRS: 16 bytes a pixel, so one window only. */
  #coordinates = new Map<string, Coordinates>();
  #window: PixelWindow | null = null;

  constructor(grid: PixelGrid) {
    this.#grid = grid;
  }

  /** Bilinear between pixel centres, see `sampleBilinear`; a window counts as the same only as the same object. */
  sample(patch: SourcePatch, window: PixelWindow, out: Sampled): void {
    if (this.#window !== window) this.#coordinates = new Map();
    this.#window = window;
    const { crs } = patch.grid;
    const at = this.#coordinates.get(crs) ?? sourceCoordinates(this.#grid, window, crs);
    this.#coordinates.set(crs, at);
    sampleBilinear(patch, at, out);
  }
}

/**
 * Bilinear between pixel centres, pixels without data (and beyond the file) left out and the others' weights scaled up, as
 * GDAL's warper does; rounded to whole DNs. `outside` where the coordinate lies off the file or no neighbour has data.
 */
function sampleBilinear(patch: SourcePatch, at: Coordinates, out: Sampled): void {
  const { grid, window, pixels, nodata } = patch;
  const { target, outside } = out;
  for (let i = 0; i < at.x.length; i++) {
    const x = (at.x[i]! - grid.west) / grid.pixelWidth;
    const y = (grid.north - at.y[i]!) / grid.pixelHeight;
    if (!(x >= 0 && y >= 0 && x < grid.cols && y < grid.rows)) {
      target[i] = outside;
      continue;
    }
    const left = Math.floor(x - 0.5);
    const top = Math.floor(y - 0.5);
    const right = x - 0.5 - left;
    const down = y - 0.5 - top;
    let sum = 0;
    let total = 0;
    // Plain loops and no objects: this runs for every pixel of every band of a scene in another zone.
    for (let k = 0; k < 4; k++) {
      const col = left + (k & 1) - window.col;
      const row = top + (k >> 1) - window.row;
      if (col < 0 || row < 0 || col >= window.cols || row >= window.rows) continue;
      const value = pixels[row * window.cols + col]!;
      if (value === nodata) continue;
      const weight = ((k & 1) === 0 ? 1 - right : right) * (k < 2 ? 1 - down : down);
      sum += weight * value;
      total += weight;
    }
    target[i] = total < 1e-6 ? outside : Math.floor(sum / total + 0.5);
  }
}
