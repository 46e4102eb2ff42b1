import type { PixelGrid } from '@headwater/core';
import type { PixelPlan } from '@headwater/core/pixel-plan';
import { pointTransform } from '../warp/crs.ts';
import { polygonsOnto } from '../warp/turns.ts';

/** Pixels per side of one square of the coarse map of the area. */
export const SQUARE = 8;

/** x (column) and y (row) in squares. */
type Point = readonly [number, number];
/** From one corner of a ring to the next, in squares of the grid. */
export type Side = readonly [Point, Point];
/** Longest side, in degrees, that is taken as straight on the grid: bends by less than a square at 0.05 degrees. */
const STRAIGHT = 0.05;

/** Sides of each polygon of an area (lon/lat), all of its rings together. */
export function polygonSides(grid: PixelGrid, area: PixelPlan['area']): readonly (readonly Side[])[] {
  return polygonsOnto(area, grid).map((polygon) => polygon.flatMap((ring) => sidesOf(toSquares(grid, ring))));
}

function toSquares(grid: PixelGrid, ring: readonly (readonly number[])[]): Point[] {
  const toGrid = pointTransform('EPSG:4326', grid.crs);
  const points: Point[] = [];
  let before = ring[0];
  for (const corner of ring) {
    const [lon = Number.NaN, lat = Number.NaN] = corner;
    const [lon0 = lon, lat0 = lat] = before ?? corner;
    const parts = Math.max(1, Math.ceil(Math.max(Math.abs(lon - lon0), Math.abs(lat - lat0)) / STRAIGHT));
    for (let k = 1; k <= parts; k++) {
      const [x, y] = toGrid(lon0 + ((lon - lon0) * k) / parts, lat0 + ((lat - lat0) * k) / parts);
      points.push([(x - grid.west) / grid.pixelWidth / SQUARE, (grid.north - y) / grid.pixelHeight / SQUARE]);
    }
    before = corner;
  }
  return points;
}

function sidesOf(ring: readonly Point[]): Side[] {
  const [first, ...others] = ring;
  if (first === undefined) return [];
  let from = first;
  return others.map((to) => {
    const side = [from, to] as const;
    from = to;
    return side;
  });
}
