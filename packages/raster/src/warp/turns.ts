import type { PixelGrid } from '@headwater/core';
import type { Position } from 'geojson';
import { knownCrs, pointTransform } from './crs.ts';
import type { PointTransform } from './crs.ts';
import { middleLongitude } from './crs.ts';

/** Degrees of a full circle. */
const TURN = 360;

/** Returns `lon`, moved by full circles so that the result is within half a circle of `middle`. */
export function nearLongitude(lon: number, middle: number): number {
  return Math.abs(lon - middle) <= TURN / 2 ? lon : lon - TURN * Math.round((lon - middle) / TURN);
}

/**
 * Numbers of full circles by which the longitudes from `west` to `east` can be moved so that they overlap `into`. The number that
 * brings the two middles nearest together is first.
 */
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

/** Maximum number of full circles. Longitudes that would need more are considered invalid and are not moved. */
const MOST_TURNS = 8;

/**
 * Moves a raster's grid into the longitudes that `sourceCoordinates` uses for a target. A grid on the other side of
 * longitude 180 is moved by a full circle. A grid around the whole Earth becomes several grids, the nearest one first.
 * Any other grid is returned unchanged, also a grid in a projected CRS.
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
 * Creates the transform of points from lon/lat to the CRS of a grid. The longitudes of the result may exceed 180
 * degrees if those of the grid do.
 */
export function ontoGrid(grid: PixelGrid): PointTransform {
  if (!knownCrs(grid.crs).geographic) return pointTransform('EPSG:4326', grid.crs);
  const middle = middleLongitude(grid);
  return (lon, lat) => [nearLongitude(lon, middle), lat];
}

/**
 * Moves polygons (lon/lat) into the longitudes of a grid, which may exceed 180 degrees. Returns a polygon once for every number of full
 * circles by which it can be moved to overlap the grid. If there is no such number, returns the polygon unchanged. For a grid whose
 * CRS is not EPSG:4326, returns all polygons unchanged.
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
  rings.map((ring) => ring.map(([lon = Number.NaN, ...others]) => [lon + by, ...others]));
