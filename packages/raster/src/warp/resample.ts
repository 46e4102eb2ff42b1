import type { PixelGrid } from '@headwater/core';
import type { Kernels } from '../pixels/kernels.ts';
import { latticeSquares, sourceCoordinates, SQUARE_NUMBERS } from './coordinates.ts';
import type { Coordinates } from './coordinates.ts';
import type { PixelArray } from '../pixels/pixel-array.ts';
import type { PixelWindow } from '../pixels/pixel-window.ts';

/** Pixels of a file that were read for a target window. `window` is in pixels of the file. */
export interface SourcePatch {
  readonly grid: PixelGrid;
  readonly window: PixelWindow;
  readonly pixels: PixelArray;
}

/**
 * Window of the file that covers a target window and `margin` pixels around it, clipped to the file. Null if they do
 * not overlap.
 */
export function sourceWindow(target: PixelGrid, window: PixelWindow, source: Source): PixelWindow | null {
  return windowIn(source, extentOf(target, window, source.grid.crs));
}

/** `margin`: number of additional file pixels around a window. */
interface Source {
  readonly grid: PixelGrid;
  readonly margin: number;
}

/**
 * Ranges [least, greatest] of the source coordinates on the edge of a window. They are infinite if no point has
 * coordinates.
 */
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

interface Sampled {
  readonly target: PixelArray;
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

/** Patch of a file whose samples are in the kernels' memory. */
export interface PatchAt {
  readonly grid: PixelGrid;
  readonly window: PixelWindow;
  readonly address: number;
  /** Distance between rows, in pixels. */
  readonly stride: number;
  readonly bytes: 1 | 2;
}

/**
 * Maximum number of cached lattice squares. They have at most 11 MB, which is enough for 100 million pixels of 10 m.
 */
const MOST_SQUARES = 2 ** 17;

/**
 * Samples patches for windows of one grid in the kernels' memory. Caches coordinates, because computing them takes
 * longer than sampling.
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

  /** Same as the function `sourceWindow`, but with cached coordinates. */
  sourceWindow(window: PixelWindow, source: Source): PixelWindow | null {
    return windowIn(source, this.#lattice(window, source.grid.crs).extent);
  }

  /**
   * Writes the nearest sample at each pixel centre of a window to `address`, row by row. Centres outside of the patch
   * get `outside`.
   */
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

  /** Counts squares before they are cached. If the cache is full, empties it and returns false. */
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
