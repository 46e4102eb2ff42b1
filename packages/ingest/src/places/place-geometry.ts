import { signedArea } from '@headwater/stac';
import type { MultiPolygon, Polygon, Position } from 'geojson';
import { z } from 'zod';
import { at, BadPlaceFile } from './bad-place-file.ts';

const GEOMETRY = z.object({ type: z.enum(['Polygon', 'MultiPolygon']), coordinates: z.array(z.unknown()) });

/** Positions that a file may still use up. */
export interface PositionBudget {
  left: number;
}

/**
 * Checks a GeoJSON geometry and gives it back as bare lon/lat polygons (heights dropped).
 * Throws `BadPlaceFile` for another type, open or degenerate rings, coordinates outside longitude/latitude.
 */
export function placePolygons(value: unknown, budget: PositionBudget): Position[][][] {
  const parsed = GEOMETRY.safeParse(value);
  if (!parsed.success) throw new BadPlaceFile('the geometry must be a Polygon or a MultiPolygon');
  const { type, coordinates } = parsed.data;
  const polygons = type === 'Polygon' ? [coordinates] : coordinates;
  if (polygons.length === 0) throw new BadPlaceFile('the geometry is empty');
  return polygons.map((rings, p) => {
    if (!Array.isArray(rings) || rings.length === 0) throw new BadPlaceFile(`polygon ${p} has no ring`);
    return rings.map((ring, r) => at(`polygon ${p} ring ${r}`, () => placeRing(ring, budget)));
  });
}

/** Polygon where there is one, MultiPolygon otherwise. */
export function toGeometry(polygons: Position[][][]): Polygon | MultiPolygon {
  const [only] = polygons;
  if (polygons.length === 1 && only !== undefined) return { type: 'Polygon', coordinates: only };
  return { type: 'MultiPolygon', coordinates: polygons };
}

function placeRing(ring: unknown, budget: PositionBudget): Position[] {
  if (!Array.isArray(ring) || ring.length < 4) throw new BadPlaceFile('a ring needs at least 4 positions');
  budget.left -= ring.length;
  if (budget.left < 0) throw new BadPlaceFile('the file has more than 5,000,000 positions; simplify it or split it');
  const positions = ring.map((position, i) => at(`position ${i}`, () => placePosition(position)));
  const [first, last] = [positions[0]!, positions.at(-1)!];
  if (first[0] !== last[0] || first[1] !== last[1]) {
    throw new BadPlaceFile('the ring is not closed: its last position must equal its first');
  }
  if (signedArea(positions) === 0) throw new BadPlaceFile('the ring encloses no area');
  return positions;
}

function placePosition(value: unknown): Position {
  const [lon, lat]: unknown[] = Array.isArray(value) ? value : [];
  if (typeof lon !== 'number' || typeof lat !== 'number')
    throw new BadPlaceFile('a position is two numbers, longitude and latitude');
  if (Math.abs(lon) <= 180 && Math.abs(lat) <= 90) return [lon, lat];
  if (Math.abs(lon) > 1000 || Math.abs(lat) > 1000) {
    throw new BadPlaceFile(
      `${lon}, ${lat} looks like metres of a projected CRS; convert with ogr2ogr -t_srs EPSG:4326`,
    );
  }
  throw new BadPlaceFile(`${lon}, ${lat} is not longitude (-180 to 180), latitude (-90 to 90); are the two swapped?`);
}
