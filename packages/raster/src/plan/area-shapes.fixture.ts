import type { PixelGrid } from '@headwater/core';
import type { PixelPlan } from '@headwater/core/pixel-plan';
import { pointTransform } from '../warp/crs.ts';

/** Coordinates of a MultiPolygon, as in a plan's area. */
export type Area = PixelPlan['area'];
type Ring = Area[number][number];

/** Grid of 10 m pixels in the UTM zone of 75 E, with `side` pixels on each side. */
export const tehsilGrid = (side: number): PixelGrid => ({
  crs: 'EPSG:32643',
  west: 600_000,
  north: 2_600_000,
  pixelWidth: 10,
  pixelHeight: 10,
  cols: side,
  rows: side,
});

/**
 * Ring in lon/lat around the square of pixels whose columns and rows are in [from, to). Each side has waves of `bulge`
 * pixels.
 */
export function squareRing(grid: PixelGrid, [from, to]: readonly [number, number], bulge = 0): Ring {
  const toLonLat = pointTransform(grid.crs, 'EPSG:4326');
  const sides = 200;
  const at = (side: number, share: number): readonly [number, number] => {
    const along = from + (to - from) * share;
    const wave = bulge * Math.sin(share * 40);
    if (side === 0) return [along, from + wave];
    if (side === 1) return [to + wave, along];
    return side === 2 ? [from + to - along, to + wave] : [from + wave, from + to - along];
  };
  const corners = Array.from({ length: 4 * sides }, (_, i) => at(Math.floor(i / sides), (i % sides) / sides));
  return [...corners, ...corners.slice(0, 1)].map(([x, y]) => [
    ...toLonLat(grid.west + x * grid.pixelWidth, grid.north - y * grid.pixelHeight),
  ]);
}

/** Test areas by name: a tehsil and its micro-watersheds. */
export function overlappingAreas(grid: PixelGrid): Readonly<Record<string, Area>> {
  const side = grid.cols;
  const part = (from: number, to: number, bulge = 0): Ring => squareRing(grid, [from * side, to * side], bulge);
  const tehsil = part(0.05, 0.95, 3);
  return {
    'a micro-watershed equal to its tehsil': [[tehsil], [tehsil]],
    'micro-watersheds inside of their tehsil': [[tehsil], [part(0.1, 0.5)], [part(0.5, 0.9)], [part(0.2, 0.3)]],
    'micro-watersheds that overlap': [[part(0.05, 0.6)], [part(0.4, 0.95)]],
    'a polygon with a hole': [[tehsil, part(0.3, 0.6)]],
    'a hole that another polygon fills in part': [[tehsil, part(0.3, 0.6)], [part(0.51, 0.7)]],
    'a hole with an island in it': [[tehsil, part(0.3, 0.6)], [part(0.4, 0.5)]],
    'a polygon with the opposite winding order': [[tehsil], [part(0.2, 0.7).toReversed()]],
  };
}
