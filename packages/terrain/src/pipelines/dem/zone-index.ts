import type { PixelGrid } from '@headwater/core';
import { toUtm, utmZone } from '@headwater/core/geo';
import type { Position } from 'geojson';
import type { ZoneIndex } from '../../landforms/zone-moments.ts';
import type { ZoneRings } from './elevation-about.ts';

/**
 * Zone of each pixel, by the pixel's centre. Zones are widened by two pixels, because a warp would otherwise lose
 * pixels at outlines.
 */
export function zoneIndex(zones: readonly ZoneRings[], grid: PixelGrid): ZoneIndex {
  const index = new Uint16Array(grid.rows * grid.cols);
  for (const [at, rings] of zones.entries()) {
    for (const [from, to] of zoneSpans(rings, grid)) {
      for (let cell = from; cell < to; cell += 1) if (index[cell] === 0) index[cell] = at + 1;
    }
  }
  return { zones: widenedByOne(widenedByOne(index, grid), grid), count: zones.length };
}

function projected(ring: readonly Position[], { crs, west, north, pixelWidth, pixelHeight }: PixelGrid): Float64Array {
  const utm = utmZone(crs);
  const corners = new Float64Array(2 * ring.length);
  for (const [at, [lon = NaN, lat = NaN]] of ring.entries()) {
    const [x, y] = utm === undefined ? [lon, lat] : toUtm(utm, lon, lat);
    corners[2 * at] = (x - west) / pixelWidth;
    corners[2 * at + 1] = (north - y) / pixelHeight;
  }
  return corners;
}

/** Runs of pixels whose centres are in a zone (even-odd): index of the first pixel, and index after the last. */
export function* zoneSpans(zone: ZoneRings, grid: PixelGrid): Generator<readonly [number, number]> {
  const { rows, cols } = grid;
  const crossings = new Map<number, number[]>();
  for (const ring of zone) addCrossings(projected(ring, grid), { rows, crossings });
  for (const [row, xs] of crossings) {
    const sorted = Float64Array.from(xs).sort();
    for (let at = 0; at + 1 < sorted.length; at += 2) {
      const from = Math.max(0, Math.ceil(sorted[at]! - 0.5));
      const to = Math.min(cols, Math.ceil(sorted[at + 1]! - 0.5));
      if (from < to) yield [row * cols + from, row * cols + to];
    }
  }
}

function addCrossings(
  ring: Float64Array,
  { rows, crossings }: { readonly rows: number; readonly crossings: Map<number, number[]> },
): void {
  for (let at = 0; at + 3 < ring.length; at += 2) {
    const [x0, y0, x1, y1] = [ring[at]!, ring[at + 1]!, ring[at + 2]!, ring[at + 3]!];
    const first = Math.max(0, Math.ceil(Math.min(y0, y1) - 0.5));
    const past = Math.min(rows, Math.ceil(Math.max(y0, y1) - 0.5));
    for (let row = first; row < past; row += 1) {
      const x = x0 + ((row + 0.5 - y0) / (y1 - y0)) * (x1 - x0);
      const xs = crossings.get(row);
      if (xs === undefined) crossings.set(row, [x]);
      else xs.push(x);
    }
  }
}

function widenedByOne(index: Uint16Array, { rows, cols }: PixelGrid): Uint16Array {
  const wide = Uint16Array.from(index);
  for (let row = 0; row < rows; row += 1) {
    for (let col = 0; col < cols; col += 1) {
      const at = row * cols + col;
      if (index[at] === 0) wide[at] = neighbour(index, { row, col, rows, cols });
    }
  }
  return wide;
}

function neighbour(
  index: Uint16Array,
  {
    row,
    col,
    rows,
    cols,
  }: { readonly row: number; readonly col: number; readonly rows: number; readonly cols: number },
): number {
  for (let y = Math.max(0, row - 1); y <= Math.min(rows - 1, row + 1); y += 1) {
    for (let x = Math.max(0, col - 1); x <= Math.min(cols - 1, col + 1); x += 1) {
      const zone = index[y * cols + x]!;
      if (zone !== 0) return zone;
    }
  }
  return 0;
}
