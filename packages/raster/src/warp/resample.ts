import type { PixelGrid } from '@headwater/core';
import type { Kernels } from '../pixels/kernels.ts';
import { latticeSquares, sourceCoordinates, SQUARE_NUMBERS } from './coordinates.ts';
import type { Coordinates } from './coordinates.ts';
import type { PixelArray } from '../pixels/pixel-array.ts';
import type { PixelWindow } from '../pixels/pixel-window.ts';

/** Pixels of a file for a target window: `window` in pixels of the file. */
export interface SourcePatch {
  readonly grid: PixelGrid;
  readonly window: PixelWindow;
  readonly pixels: PixelArray;
}

/**
 * Window of the file, clipped to the file, that covers a target window with a margin of `margin` pixels. Null if the file and the target window
 * do not overlap.
 */
export function sourceWindow(target: PixelGrid, window: PixelWindow, source: Source): PixelWindow | null {
  return windowIn(source, extentOf(target, window, source.grid.crs));
}

/** Grid of a file, and the number of pixels that are also needed around a window. */
interface Source {
  readonly grid: PixelGrid;
  readonly margin: number;
}

/** Smallest and largest coordinates of a window's edge; infinite if none is defined. */
interface Extent {
  readonly x: readonly [number, number];
  readonly y: readonly [number, number];
}

function extentOf(target: PixelGrid, window: PixelWindow, crs: string): Extent {
  const [last, bottom] = [window.col + window.cols - 1, window.row + window.rows - 1];
  const edges = [
    { ...window, rows: 1 },
    { ...window, row: bottom, rows: 1 },
    { ...window, cols: 1 },
    { ...window, col: last, cols: 1 },
  ];
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const edge of edges) {
    const { x, y } = sourceCoordinates(target, edge, crs);
    for (let i = 0; i < x.length; i++) {
      const [px, py] = [x[i]!, y[i]!];
      if (!Number.isFinite(px) || !Number.isFinite(py)) continue;
      [west, east, south, north] = [Math.min(west, px), Math.max(east, px), Math.min(south, py), Math.max(north, py)];
    }
  }
  return { x: [west, east], y: [south, north] };
}

function windowIn({ grid, margin }: Source, { x, y }: Extent): PixelWindow | null {
  const [col0, col1] = x.map((value) => (value - grid.west) / grid.pixelWidth);
  const [row1, row0] = y.map((value) => (grid.north - value) / grid.pixelHeight);
  const left = Math.max(0, Math.floor(col0!) - margin);
  const top = Math.max(0, Math.floor(row0!) - margin);
  const cols = Math.min(grid.cols, Math.ceil(col1!) + margin + 1) - left;
  const rows = Math.min(grid.rows, Math.ceil(row1!) + margin + 1) - top;
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

/** Samples of a patch in the kernels' memory. */
export interface PatchAt {
  readonly grid: PixelGrid;
  readonly window: PixelWindow;
  readonly address: number;
  /** Pixels from one row to the next. */
  readonly stride: number;
  /** Bytes of a sample. */
  readonly bytes: 1 | 2;
}

/** Largest number of cached squares, 88 bytes each: 11 MB, the squares of 100 million pixels of 10 m. */
const MOST_SQUARES = 2 ** 17;

/**
 * Samples patches for windows of one grid, in the kernels' memory. Caches the coordinates of windows. To compute them
 * takes longer than to compute the samples, and all bands and scenes of another zone need equal coordinates.
 * `sampleNearest` is the reference of this function.
 */
export class NearestSampler {
  readonly #grid: PixelGrid;
  readonly #kernels: Kernels;
  readonly #lattices = new Map<string, { readonly extent: Extent; squares?: Float64Array }>();
  #squares = 0;

  constructor(grid: PixelGrid, kernels: Kernels) {
    this.#grid = grid;
    this.#kernels = kernels;
  }

  /** Same as the function `sourceWindow`. */
  sourceWindow(window: PixelWindow, source: Source): PixelWindow | null {
    return windowIn(source, this.#lattice(window, source.grid.crs).extent);
  }

  /** Writes the nearest sample at the centre of each pixel of a window to `address`, row by row; `outside` where the patch has none. */
  sample(patch: PatchAt, window: PixelWindow, to: { readonly address: number; readonly outside: number }): void {
    const kernels = this.#kernels;
    const { grid, window: part } = patch;
    const squares = this.#squaresOf(window, grid.crs);
    const frame = [grid.west, grid.north, grid.pixelWidth, grid.pixelHeight, part.col, part.row, part.cols, part.rows];
    const numbers = [...frame, window.col, window.row, window.cols];
    const mark = kernels.mark();
    const at = kernels.alloc(8 * (numbers.length + squares.length));
    const memory = kernels.f64(at, numbers.length + squares.length);
    memory.set(numbers);
    memory.set(squares, numbers.length);
    const count = squares.length / SQUARE_NUMBERS;
    const run = patch.bytes === 1 ? kernels.run.warp8 : kernels.run.warp16;
    const first = at + 8 * numbers.length;
    run(first, count, at, patch.address, patch.stride, to.address, window.rows, to.outside);
    kernels.reset(mark);
  }

  #lattice(window: PixelWindow, crs: string): { readonly extent: Extent; squares?: Float64Array } {
    const key = `${crs} ${window.col} ${window.row} ${window.cols} ${window.rows}`;
    const known = this.#lattices.get(key);
    if (known !== undefined) return known;
    this.#reserve(1);
    const lattice = { extent: extentOf(this.#grid, window, crs) };
    this.#lattices.set(key, lattice);
    return lattice;
  }

  #squaresOf(window: PixelWindow, crs: string): Float64Array {
    const lattice = this.#lattice(window, crs);
    if (lattice.squares !== undefined) return lattice.squares;
    const squares = latticeSquares(this.#grid, window, crs);
    if (this.#reserve(squares.length / SQUARE_NUMBERS)) lattice.squares = squares;
    return squares;
  }

  /** Empties the cache if there is no room for more squares. Returns false if it was emptied. */
  #reserve(squares: number): boolean {
    this.#squares += squares;
    if (this.#squares <= MOST_SQUARES) return true;
    this.#lattices.clear();
    this.#squares = 0;
    return false;
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
