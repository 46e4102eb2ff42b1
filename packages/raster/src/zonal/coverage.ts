import { DomainError } from '@headwater/core/errors';
import type { PixelGrid } from '@headwater/core';
import type { MultiPolygon, Polygon, Position } from 'geojson';
import { BoundaryPixels } from './boundary-pixels.ts';
import type { BoundaryEntries } from './boundary-pixels.ts';
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
    return runsOf(this.#boundary.entries(), this.#runs);
  }
}

/** Converts a ring to pixels (u right, v down), interleaved, and closes it. */
function toPixels(ring: readonly Position[], grid: PixelGrid): Float64Array {
  const { west, north, pixelWidth, pixelHeight } = grid;
  const count = ring.length;
  const closed = count === 0 || samePoint(ring[0], ring[count - 1]);
  const points = new Float64Array(2 * (closed ? count : count + 1));
  let finite = true;
  for (let i = 0; i < count; i++) {
    const u = ((ring[i]![0] ?? Number.NaN) - west) / pixelWidth;
    const v = (north - (ring[i]![1] ?? Number.NaN)) / pixelHeight;
    finite &&= Number.isFinite(u) && Number.isFinite(v);
    points[2 * i] = u;
    points[2 * i + 1] = v;
  }
  if (!finite) {
    throw new DomainError('input_data', 'A polygon has a coordinate that is not a finite number: correct its GeoJSON.');
  }
  if (!closed) points.set(points.subarray(0, 2), 2 * count);
  return points;
}

function samePoint(a: Position | undefined, b: Position | undefined): boolean {
  return a?.[0] === b?.[0] && a?.[1] === b?.[1];
}

function runsOf(boundary: BoundaryEntries, builder: RunBuilder): Coverage {
  const order = sortedByPixel(boundary);
  const { rows, cols, areas, covers } = boundary;
  builder.begin(boundary.count);
  for (let at = 0; at < order.length;) {
    const [row, col] = [rows[order[at]!]!, cols[order[at]!]!];
    let area = 0;
    let cover = 0;
    for (; at < order.length && cols[order[at]!] === col && rows[order[at]!] === row; at += 1) {
      area += areas[order[at]!]!;
      cover += covers[order[at]!]!;
    }
    builder.add(row, col, { area, cover });
  }
  return builder.finish();
}

/** Maximum number of entries for an insertion sort, which is faster for few entries and slower for many. */
const FEW = 64;

/** Sorts by row, then by column. Entries of one pixel keep their order. */
function sortedByPixel({ count, rows: rowOf, cols: colOf }: BoundaryEntries): Uint32Array {
  let [first, last] = [Infinity, -Infinity];
  for (let i = 0; i < count; i += 1) {
    if (rowOf[i]! < first) first = rowOf[i]!;
    if (rowOf[i]! > last) last = rowOf[i]!;
  }
  const rows = count === 0 ? 0 : last - first + 1;
  const starts = new Uint32Array(rows + 1);
  for (let i = 0; i < count; i += 1) starts[rowOf[i]! - first + 1]! += 1;
  for (let row = 0; row < rows; row += 1) starts[row + 1]! += starts[row]!;
  const order = new Uint32Array(count);
  const cols = new Int32Array(count);
  const next = starts.slice(0, rows);
  for (let i = 0; i < count; i += 1) {
    const row = rowOf[i]! - first;
    let at = next[row]!++;
    const col = colOf[i]!;
    const start = starts[row]!;
    if (starts[row + 1]! - start <= FEW) {
      for (; at > start && cols[at - 1]! > col; at -= 1) {
        cols[at] = cols[at - 1]!;
        order[at] = order[at - 1]!;
      }
    }
    cols[at] = col;
    order[at] = i;
  }
  for (let row = 0; row < rows; row += 1)
    if (starts[row + 1]! - starts[row]! > FEW) sortByCol(colOf, count, order.subarray(starts[row], starts[row + 1]));
  return order;
}

/** Sorts entries by column. Column and entry are combined to one number, which is exact below 2^53. */
function sortByCol(colOf: Int32Array, count: number, entries: Uint32Array): void {
  const keys = Float64Array.from(entries, (entry) => colOf[entry]! * count + entry).sort();
  for (let i = 0; i < keys.length; i += 1) entries[i] = keys[i]! % count;
}
