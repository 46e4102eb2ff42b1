import { DomainError } from '@headwater/core/errors';
import type { PixelGrid } from '@headwater/core';
import type { MultiPolygon, Polygon, Position } from 'geojson';
import { BoundaryPixels } from './boundary-pixels.ts';
import { polygonsOnto } from '../warp/turns.ts';
import { RunBuilder } from './coverage-runs.ts';
import type { Coverage } from './coverage-runs.ts';

/**
 * Exact covered fraction of every pixel, planar in the grid's CRS; holes are subtracted and parts added.
 * `geometry` is in the grid's CRS, with rings in either direction. Parts outside of the grid do not count.
 */
export function coverageOf(geometry: Polygon | MultiPolygon, grid: PixelGrid): Coverage {
  const boundary = new BoundaryPixels(grid);
  const polygons = geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates;
  for (const polygon of polygonsOnto(polygons, grid)) {
    polygon.forEach((ring, index) => boundary.addRing(toPixels(ring, grid), index === 0 ? 1 : -1));
  }
  return runsOf(boundary, grid);
}

/** Ring in pixels (u right, v down), interleaved; closed if the input is not. */
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

/** Indices of entries by row, then column: sorted as one number each, which is exact below 2^53. */
function sortedByPixel(boundary: BoundaryPixels, cols: number): Uint32Array {
  const keys = new Float64Array(boundary.count);
  for (let i = 0; i < boundary.count; i += 1) keys[i] = (boundary.row(i) * cols + boundary.col(i)) * boundary.count + i;
  keys.sort();
  return Uint32Array.from(keys, (key) => key % boundary.count);
}
