import type { PixelGrid } from '@headwater/core';
import type { Position } from 'geojson';
import { knownCrs, pointTransform } from './crs.ts';
import type { PointTransform } from './crs.ts';
import { middleLongitude } from './crs.ts';

const TURN = 360;

/** Moves `lon` by full circles to within half a circle of `middle`. */
export function nearLongitude(lon: number, middle: number): number {
  return Math.abs(lon - middle) <= TURN / 2 ? lon : lon - TURN * Math.round((lon - middle) / TURN);
}

/** Numbers of full circles by which `west` to `east` can be moved to overlap `into`, the nearest first. */
function turnsInto(
  { west, east }: { readonly west: number; readonly east: number },
  into: { readonly west: number; readonly east: number },
): readonly number[] {
  const [first, last] = [Math.floor((into.west - east) / TURN), Math.ceil((into.east - west) / TURN)];
  if (!Number.isFinite(first) || !Number.isFinite(last) || last - first > MOST_TURNS) return [];
  const middle = (into.west + into.east - west - east) / 2;
  return Array.from({ length: last - first + 1 }, (_, i) => first + i)
    .filter((turns) => west + turns * TURN < into.east && east + turns * TURN > into.west)
    .toSorted((a, b) => Math.abs(a * TURN - middle) - Math.abs(b * TURN - middle));
}

/**
 * Maximum difference between the smallest and the largest number of full circles. If it is larger, the longitudes are
 * invalid.
 */
const MOST_TURNS = 8;

/**
 * Moves a lon/lat grid by full circles into the longitudes within 180 degrees of the middle of a target. Returns a copy
 * of the grid for each number of circles with which it overlaps these longitudes, the nearest first: usually two copies
 * of a grid around the whole Earth. A projected grid is returned unchanged.
 */
export function gridsNear(grid: PixelGrid, target: PixelGrid): readonly PixelGrid[] {
  if (!knownCrs(grid.crs).geographic) return [grid];
  const middle = middleLongitude(target);
  const turns = turnsInto(spanOf(grid), { west: middle - TURN / 2, east: middle + TURN / 2 });
  const moved = turns.map((each) => (each === 0 ? grid : { ...grid, west: grid.west + each * TURN }));
  return moved.length === 0 ? [grid] : moved;
}

const spanOf = ({ west, cols, pixelWidth }: PixelGrid): { west: number; east: number } => ({
  west,
  east: west + cols * pixelWidth,
});

/**
 * Creates the transform from lon/lat to the CRS of a grid. Longitudes may exceed 180 degrees if the grid extends beyond
 * 180 degrees.
 */
export function ontoGrid(grid: PixelGrid): PointTransform {
  if (!knownCrs(grid.crs).geographic) return pointTransform('EPSG:4326', grid.crs);
  const middle = middleLongitude(grid);
  return (lon, lat) => [nearLongitude(lon, middle), lat];
}

/**
 * Moves polygons (lon/lat) into the longitudes of a grid in EPSG:4326, which may exceed 180 degrees. Returns a copy for
 * each overlap with the grid. Without an overlap, and for grids in other CRSs, polygons are returned unchanged.
 */
export function polygonsOnto<T extends readonly (readonly (readonly number[])[])[]>(
  polygons: readonly T[],
  grid: PixelGrid,
): readonly (T | Position[][])[] {
  if (grid.crs !== 'EPSG:4326') return polygons;
  const span = spanOf(grid);
  return polygons.flatMap((polygon): readonly (T | Position[][])[] => {
    const turns = turnsInto(spanOfRings(polygon), span);
    if (turns.length === 0) return [polygon];
    return turns.map((each) => (each === 0 ? polygon : moved(polygon, each * TURN)));
  });
}

function spanOfRings(rings: readonly (readonly (readonly number[])[])[]): { west: number; east: number } {
  let [west, east] = [Infinity, -Infinity];
  for (const ring of rings) {
    for (const point of ring) {
      const lon = point[0] ?? Number.NaN;
      if (lon < west) west = lon;
      if (lon > east) east = lon;
    }
  }
  return { west, east };
}

const moved = (rings: readonly (readonly (readonly number[])[])[], by: number): Position[][] =>
  rings.map((ring) => ring.map(([lon, ...others]) => [(lon ?? Number.NaN) + by, ...others]));
