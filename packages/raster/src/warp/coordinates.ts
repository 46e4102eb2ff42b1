import type { PixelGrid } from '@headwater/core';
import type { PixelWindow } from '../pixels/pixel-window.ts';
import { knownCrs, pointTransform } from './crs.ts';
import type { PointTransform } from './crs.ts';
import { middleLongitude } from './crs.ts';
import { nearLongitude } from './turns.ts';

/**
 * Coordinates of pixel centres, row-major `[rows * cols]`, in units of the source CRS. They are not finite for a point
 * without coordinates.
 */
export interface Coordinates {
  readonly x: Float64Array;
  readonly y: Float64Array;
}

/** Number of target pixels between two nodes. For pixels of 10 m, interpolation has an error of about 1e-4 pixel. */
const STEP = 32;
/**
 * Maximum error at the tested points, in target pixels. This is half of the documented maximum, because the error may
 * be larger between these points.
 */
const TOLERANCE = 0.0625;

/**
 * Coordinates in the source CRS of each pixel centre of a window, row-major. They are exact at the nodes of a lattice,
 * and interpolated with an error of at most 0.125 px between them. The result for a pixel does not depend on the
 * window. Longitudes are within 180 degrees of the middle of the target. Throws `input_data` for an unknown CRS.
 */
export function sourceCoordinates(target: PixelGrid, window: PixelWindow, sourceCrs: string): Coordinates {
  return latticeCoordinates(target, window, toSource(target, sourceCrs));
}

/** `sourceCoordinates` with any transform from target to source. */
export function latticeCoordinates(target: PixelGrid, window: PixelWindow, transform: PointTransform): Coordinates {
  return new CoordinateBuffers(target, transform).of(window);
}

/** Returns a function like `sourceCoordinates` for one target. Each result is valid until the next call. */
export function coordinatesInTurn(target: PixelGrid, sourceCrs: string): (window: PixelWindow) => Coordinates {
  const buffers = new CoordinateBuffers(target, toSource(target, sourceCrs));
  return (window) => buffers.of(window);
}

/** Computes coordinates into the same memory for each window. */
class CoordinateBuffers {
  readonly #target: PixelGrid;
  readonly #transform: PointTransform;
  #x = new Float64Array(0);
  #y = new Float64Array(0);

  constructor(target: PixelGrid, transform: PointTransform) {
    this.#target = target;
    this.#transform = transform;
  }

  of(window: PixelWindow): Coordinates {
    const pixels = window.rows * window.cols;
    if (this.#x.length < pixels) {
      this.#x = new Float64Array(pixels);
      this.#y = new Float64Array(pixels);
    }
    const out = { x: this.#x.subarray(0, pixels), y: this.#y.subarray(0, pixels) };
    new Lattice(this.#target, window, this.#transform).forEach((square, corners) =>
      interpolate(out, window, { square, corners }),
    );
    return out;
  }
}

/** Number of values of a square in the result of `latticeSquares`. */
export const SQUARE_NUMBERS = 11;

/**
 * Lattice squares of `sourceCoordinates`. Each has the x of its corners (upper left, upper right, lower left, lower
 * right), their y in the same order, then column, row and side in target pixels.
 */
export function latticeSquares(target: PixelGrid, window: PixelWindow, sourceCrs: string): Float64Array {
  const most = Math.ceil(window.cols / STEP + 1) * Math.ceil(window.rows / STEP + 1);
  let [squares, used] = [new Float64Array(most * SQUARE_NUMBERS), 0];
  new Lattice(target, window, toSource(target, sourceCrs)).forEach(({ row, col, size }, { x, y }) => {
    if (used === squares.length) {
      const larger = new Float64Array(2 * used);
      larger.set(squares);
      squares = larger;
    }
    squares.set([...x, ...y, col, row, size], used);
    used += SQUARE_NUMBERS;
  });
  return squares.subarray(0, used);
}

/**
 * Transform from the target to the source CRS. Longitudes may exceed 180 degrees, because a jump between neighbouring
 * points would make interpolation wrong.
 */
function toSource(target: PixelGrid, sourceCrs: string): PointTransform {
  const transform = pointTransform(target.crs, sourceCrs);
  if (!knownCrs(sourceCrs).geographic || target.crs === sourceCrs) return transform;
  const middle = middleLongitude(target);
  return (x, y) => {
    const [lon, lat] = transform(x, y);
    return [nearLongitude(lon, middle), lat];
  };
}

interface Corners {
  readonly x: readonly [number, number, number, number];
  readonly y: readonly [number, number, number, number];
}

type PerSquare = (square: Square, corners: Corners) => void;

class Lattice {
  readonly #grid: PixelGrid;
  readonly #window: PixelWindow;
  readonly #transform: PointTransform;

  constructor(grid: PixelGrid, window: PixelWindow, transform: PointTransform) {
    this.#grid = grid;
    this.#window = window;
    this.#transform = transform;
  }

  forEach(each: PerSquare): void {
    const { row: top, rows, col } = this.#window;
    for (let row = Math.floor(top / STEP) * STEP; row < top + rows; row += STEP)
      this.#eachOfRow(row, Math.floor(col / STEP) * STEP, each);
  }

  /** Calls `each` for the squares of a row. Two neighbours share two nodes, which are computed once. */
  #eachOfRow(row: number, firstCol: number, each: PerSquare): void {
    let left = [this.#node(row, firstCol), this.#node(row + STEP, firstCol)] as const;
    for (let col = firstCol; col < this.#window.col + this.#window.cols; col += STEP) {
      const right = [this.#node(row, col + STEP), this.#node(row + STEP, col + STEP)] as const;
      const x = [left[0][0], right[0][0], left[1][0], right[1][0]] as const;
      const y = [left[0][1], right[0][1], left[1][1], right[1][1]] as const;
      this.#partsOf({ row, col, size: STEP }, { x, y }, each);
      left = right;
    }
  }

  #node(row: number, col: number): readonly [number, number] {
    const { west, north, pixelWidth, pixelHeight } = this.#grid;
    return this.#transform(west + (col + 0.5) * pixelWidth, north - (row + 0.5) * pixelHeight);
  }

  #partsOf(square: Square, corners: Corners, each: PerSquare): void {
    if (square.size === 1 || this.#isFlat(square, corners)) each(square, corners);
    else this.#split(square, each);
  }

  /**
   * True if coordinates can be interpolated in the square. Tests the middle and the midpoints of two edges. The middle
   * is not sufficient, because errors of conformal projections cancel out there.
   */
  #isFlat({ row, col, size }: Square, { x, y }: Corners): boolean {
    const scale = Math.min(Math.hypot(x[1] - x[0], y[1] - y[0]), Math.hypot(x[2] - x[0], y[2] - y[0])) / size;
    const half = size / 2;
    const limit = TOLERANCE * scale;
    const near = (r: number, c: number): boolean => {
      const [px, py] = this.#node(row + r, col + c);
      const dx = px - bilinear(x, r / size, c / size);
      const dy = py - bilinear(y, r / size, c / size);
      return Math.hypot(dx, dy) <= limit;
    };
    return near(half, half) && near(0, half) && near(half, 0);
  }

  #split({ row, col, size }: Square, each: PerSquare): void {
    const half = size / 2;
    for (const r of [row, row + half]) {
      for (const c of [col, col + half]) {
        const nodes = [
          this.#node(r, c),
          this.#node(r, c + half),
          this.#node(r + half, c),
          this.#node(r + half, c + half),
        ] as const;
        const x = [nodes[0][0], nodes[1][0], nodes[2][0], nodes[3][0]] as const;
        const y = [nodes[0][1], nodes[1][1], nodes[2][1], nodes[3][1]] as const;
        this.#partsOf({ row: r, col: c, size: half }, { x, y }, each);
      }
    }
  }
}

function interpolate(
  out: Coordinates,
  { cols, rows, row: top, col: left }: PixelWindow,
  { square: { row, col, size }, corners: { x, y } }: { readonly square: Square; readonly corners: Corners },
): void {
  const c0 = Math.max(col, left);
  const c1 = Math.min(col + size, left + cols);
  for (let r = Math.max(row, top); r < Math.min(row + size, top + rows); r += 1) {
    const v = (r - row) / size;
    const xa = x[0] + (x[2] - x[0]) * v;
    const ya = y[0] + (y[2] - y[0]) * v;
    const xs = (x[1] + (x[3] - x[1]) * v - xa) / size;
    const ys = (y[1] + (y[3] - y[1]) * v - ya) / size;
    const base = (r - top) * cols - left;
    for (let c = c0; c < c1; c += 1) {
      out.x[base + c] = xa + xs * (c - col);
      out.y[base + c] = ya + ys * (c - col);
    }
  }
}

interface Square {
  readonly row: number;
  readonly col: number;
  readonly size: number;
}

function bilinear(v: readonly [number, number, number, number], down: number, right: number): number {
  const upper = v[0] + (v[1] - v[0]) * right;
  const lower = v[2] + (v[3] - v[2]) * right;
  return upper + (lower - upper) * down;
}
