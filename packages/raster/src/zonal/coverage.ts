import { DomainError } from '@headwater/core/errors';
import type { PixelGrid } from '@headwater/core';
import type { MultiPolygon, Polygon, Position } from 'geojson';
import { BoundaryPixels } from './boundary-pixels.ts';
import { polygonsOnto } from '../warp/turns.ts';
import { RunBuilder } from './coverage-runs.ts';
import type { Coverage } from './coverage-runs.ts';

/** Computes the exact fraction of every pixel that one polygon covers (see `Coverer`). */
export function coverageOf(geometry: Polygon | MultiPolygon, grid: PixelGrid): Coverage {
  return new Coverer(grid).cover(geometry);
}

/** Computes covered fractions of many polygons on one grid with the same buffers. */
export class Coverer {
  readonly #grid: PixelGrid;
  readonly #boundary: BoundaryPixels;
  readonly #runs: RunBuilder;

  constructor(grid: PixelGrid) {
    this.#grid = grid;
    this.#boundary = new BoundaryPixels(grid);
    this.#runs = new RunBuilder(grid.cols);
  }

  /**
   * Computes the exact covered fraction of every pixel of a polygon in the grid's CRS (planar). Holes are subtracted,
   * and parts are added. Rings may have any direction.
   */
  cover(geometry: Polygon | MultiPolygon): Coverage {
    const polygons = geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates;
    this.#boundary.count = 0;
    for (const polygon of polygonsOnto(polygons, this.#grid)) {
      polygon.forEach((ring, index) => this.#boundary.addRing(toPixels(ring, this.#grid), index === 0 ? 1 : -1));
    }
    return runsOf(this.#boundary, this.#runs);
  }
}

/** Converts a ring to pixels (u right, v down), interleaved, and closes it. */
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

function runsOf(boundary: BoundaryPixels, builder: RunBuilder): Coverage {
  const order = sortedByPixel(boundary);
  builder.begin(boundary.count);
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

/** An insertion sort is faster for few entries, but its time is quadratic. */
const FEW = 64;

/** Sorts by row, then by column. Entries of one pixel keep their order. */
function sortedByPixel(boundary: BoundaryPixels): Uint32Array {
  const { count, first, rows } = spanOf(boundary);
  const ends = new Uint32Array(rows + 1);
  for (let i = 0; i < count; i += 1) ends[boundary.row(i) - first + 1]! += 1;
  for (let row = 0; row < rows; row += 1) ends[row + 1]! += ends[row]!;
  const order = new Uint32Array(count);
  const cols = new Int32Array(count);
  const next = ends.slice(0, rows);
  const starts = ends.slice(0, rows);
  for (let i = 0; i < count; i += 1) {
    const row = boundary.row(i) - first;
    let at = next[row]!++;
    const col = boundary.col(i);
    if (ends[row + 1]! - starts[row]! <= FEW) {
      for (; at > starts[row]! && cols[at - 1]! > col; at -= 1) {
        cols[at] = cols[at - 1]!;
        order[at] = order[at - 1]!;
      }
    }
    cols[at] = col;
    order[at] = i;
  }
  for (let row = 0; row < rows; row += 1)
    if (ends[row + 1]! - starts[row]! > FEW) sortByCol(boundary, order.subarray(starts[row], ends[row + 1]));
  return order;
}

/** Sorts numbers that combine column and entry, which are exact below 2^53. */
function sortByCol(boundary: BoundaryPixels, entries: Uint32Array): void {
  const keys = Float64Array.from(entries, (entry) => boundary.col(entry) * boundary.count + entry).sort();
  for (let i = 0; i < keys.length; i += 1) entries[i] = keys[i]! % boundary.count;
}

function spanOf(boundary: BoundaryPixels): { count: number; first: number; rows: number } {
  let [first, last] = [Infinity, -Infinity];
  for (let i = 0; i < boundary.count; i += 1) {
    first = Math.min(first, boundary.row(i));
    last = Math.max(last, boundary.row(i));
  }
  return { count: boundary.count, first, rows: boundary.count === 0 ? 0 : last - first + 1 };
}
