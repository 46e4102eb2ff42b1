import { DomainError } from '@headwater/core/errors';
import type { PixelGrid } from '@headwater/core';
import type { MultiPolygon, Polygon, Position } from 'geojson';
import { BoundaryPixels } from './boundary-pixels.ts';

/**
 * Covered fractions of one polygon as runs of equal fraction, row by row: run k of row r covers columns
 * `from[k] .. to[k] - 1` with `fraction[k]` (0-1], for k in `start[r - top] .. start[r - top + 1] - 1`.
 */
export interface Coverage {
  /** First row with a run. */
  readonly top: number;
  /** Rows from `top` on; 0 when the polygon misses the raster. */
  readonly rows: number;
  readonly start: Int32Array;
  readonly from: Int32Array;
  readonly to: Int32Array;
  readonly fraction: Float64Array;
  /** Columns that all runs lie in: [left, right). */
  readonly left: number;
  readonly right: number;
}

/** Fractions below this are rounding (1e-12 of a pixel). */
const NOTHING = 1e-12;

/**
 * Exact covered fraction of every pixel, planar in the grid's CRS; holes and several parts are taken off and added.
 * `geometry` is in the grid's CRS, its rings turning either way. Parts outside of the grid count nothing.
 */
export function coverageOf(geometry: Polygon | MultiPolygon, grid: PixelGrid): Coverage {
  const boundary = new BoundaryPixels(grid);
  for (const polygon of geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates) {
    polygon.forEach((ring, index) => boundary.addRing(toPixels(ring, grid), index === 0 ? 1 : -1));
  }
  return runsOf(boundary, grid);
}

/** Ring in pixels (u right, v down), interleaved, closed even where the input is not. */
function toPixels(ring: readonly Position[], grid: PixelGrid): Float64Array {
  const closed = ring.length > 0 && samePoint(ring[0], ring.at(-1)) ? ring : [...ring, ...ring.slice(0, 1)];
  const points = new Float64Array(closed.length * 2);
  closed.forEach(([x = Number.NaN, y = Number.NaN], index) => {
    points[2 * index] = (x - grid.west) / grid.pixelWidth;
    points[2 * index + 1] = (grid.north - y) / grid.pixelHeight;
  });
  if (!points.every(Number.isFinite)) {
    throw new DomainError('input_data', 'A polygon has a coordinate that is not a finite number: correct its GeoJSON.');
  }
  return points;
}

function samePoint(a: Position | undefined, b: Position | undefined): boolean {
  return a?.[0] === b?.[0] && a?.[1] === b?.[1];
}

function runsOf(boundary: BoundaryPixels, grid: PixelGrid): Coverage {
  const order = sortedByPixel(boundary, grid.cols);
  const builder = new RunBuilder(grid.cols, boundary.count);
  for (let at = 0; at < order.length;) {
    const first = order[at]!;
    let area = 0;
    let cover = 0;
    for (; at < order.length && samePixel(boundary, first, order[at]!); at += 1) {
      area += boundary.area(order[at]!);
      cover += boundary.cover(order[at]!);
    }
    builder.add(boundary.row(first), boundary.col(first), { area, cover });
  }
  return builder.finish();
}

function samePixel(boundary: BoundaryPixels, a: number, b: number): boolean {
  return boundary.row(a) === boundary.row(b) && boundary.col(a) === boundary.col(b);
}

/** Indices of entries by row, then column: sorted as one number each, which stays exact below 2^53. */
function sortedByPixel(boundary: BoundaryPixels, cols: number): Uint32Array {
  const keys = new Float64Array(boundary.count);
  for (let i = 0; i < boundary.count; i += 1) keys[i] = (boundary.row(i) * cols + boundary.col(i)) * boundary.count + i;
  keys.sort();
  return Uint32Array.from(keys, (key) => key % boundary.count);
}

/** Turns boundary pixels in order of row and column into runs. */
class RunBuilder {
  readonly #cols: number;
  readonly #starts: number[] = [];
  readonly #from: Int32Array;
  readonly #to: Int32Array;
  readonly #fraction: Float64Array;
  #count = 0;
  #top = 0;
  #carry = 0;
  #next = 0;
  #left = Number.POSITIVE_INFINITY;
  #right = 0;

  constructor(cols: number, entries: number) {
    this.#cols = cols;
    // An entry gives at most its own run, the run before it, and (the last of a row) the run behind it.
    this.#from = new Int32Array(3 * entries);
    this.#to = new Int32Array(3 * entries);
    this.#fraction = new Float64Array(3 * entries);
  }

  add(row: number, col: number, { area, cover }: { area: number; cover: number }): void {
    if (this.#starts.length === 0) this.#top = row;
    if (row >= this.#top + this.#starts.length) this.#openRow(row);
    this.#push(this.#next, col, this.#carry);
    this.#push(col, col + 1, this.#carry + area);
    this.#carry += cover;
    this.#next = col + 1;
  }

  finish(): Coverage {
    this.#closeRow();
    const rows = this.#starts.length;
    const start = Int32Array.from([...this.#starts, this.#count]);
    const left = Math.min(this.#left, this.#right);
    const runs = {
      from: this.#from.slice(0, this.#count),
      to: this.#to.slice(0, this.#count),
      fraction: this.#fraction.slice(0, this.#count),
    };
    return { top: this.#top, rows, start, ...runs, left, right: this.#right };
  }

  #openRow(row: number): void {
    this.#closeRow();
    while (this.#starts.length <= row - this.#top) this.#starts.push(this.#count);
    this.#carry = 0;
    this.#next = 0;
  }

  /** A polygon that leaves the raster on the right covers the rest of the row. */
  #closeRow(): void {
    this.#push(this.#next, this.#cols, this.#carry);
    this.#carry = 0;
  }

  /** Overlapping parts would count twice; a pixel is covered once at most. */
  #push(from: number, to: number, signed: number): void {
    const fraction = signed > 1 - NOTHING ? 1 : signed;
    if (to <= from || !(fraction > NOTHING)) return;
    this.#from[this.#count] = from;
    this.#to[this.#count] = to;
    this.#fraction[this.#count] = fraction;
    this.#count += 1;
    this.#left = Math.min(this.#left, from);
    this.#right = Math.max(this.#right, to);
  }
}
