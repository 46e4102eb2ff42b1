import type { PixelGrid } from '@headwater/core';
import type { Position } from 'geojson';
import { knownCrs, pointTransform } from './crs.ts';
import type { PointTransform } from './crs.ts';
import { middleLongitude } from './crs.ts';

/** Degrees of a full circle. */
const TURN = 360;

/** Returns `lon`, moved by full circles so that it is within half a circle of `middle`. */
export function nearLongitude(lon: number, middle: number): number {
  return Math.abs(lon - middle) <= TURN / 2 ? lon : lon - TURN * Math.round((lon - middle) / TURN);
}

/** Numbers of full circles by which longitudes from `west` to `east` must be moved to overlap `into`; the smallest move first. */
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

/** Maximum number of full circles; longitudes that would need more are invalid. */
const MOST_TURNS = 8;

/**
 * A raster's grid in the longitudes that `sourceCoordinates` uses for a target. A grid on the other side of 180 degrees
 * is moved by a full circle. A grid around the whole Earth becomes several grids, the nearest first. All other grids,
 * and grids of other CRSs, are returned unchanged.
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

/** Point transform from lon/lat to a grid with longitudes that may exceed 180 degrees. */
export function ontoGrid(grid: PixelGrid): PointTransform {
  if (!knownCrs(grid.crs).geographic) return pointTransform('EPSG:4326', grid.crs);
  const middle = middleLongitude(grid);
  return (lon, lat) => [nearLongitude(lon, middle), lat];
}

/**
 * Polygons (lon/lat) in the longitudes of a grid, which may exceed 180 degrees. Each polygon is returned once for every number of full
 * circles by which it can be moved to overlap the grid. If there is no such number, it is returned unchanged. For grids of other CRSs, all
 * polygons are returned unchanged.
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
    for (const [lon = Number.NaN] of ring) {
      if (lon < west) west = lon;
      if (lon > east) east = lon;
    }
  }
  return { west, east };
}

const moved = (rings: readonly (readonly (readonly number[])[])[], by: number): Position[][] =>
  rings.map((ring) => ring.map(([lon = Number.NaN, ...others]) => [lon + by, ...others]));
