import type { Geometry, Position } from 'geojson';
import { boxPolygon } from '../geo/outlines.ts';
import { invalidField } from '../errors.ts';
import type { SearchBox } from './item-search.ts';

/** West, south, east, north. */
type Flat = readonly [west: number, south: number, east: number, north: number];

/**
 * A box as geometries that lie on one side of the antimeridian each: one, or two where west is greater than east. A box without
 * width or height is a line or a point.
 * @throws DomainError `validation` for what is no box.
 */
export function boxGeometries(box: SearchBox): readonly Geometry[] {
  const [west, south, east, north] = flatBox(box);
  if (west <= east) return [boxGeometry([west, south, east, north])];
  const halves: readonly Flat[] = [
    [west, south, 180, north],
    [-180, south, east, north],
  ];
  return halves.map(boxGeometry);
}

/** True where two boxes have a point in common; each may cross the antimeridian. */
export function boxesTouch(a: SearchBox, b: SearchBox): boolean {
  const [one, other] = [flatBox(a), flatBox(b)];
  if (one[1] > other[3] || other[1] > one[3]) return false;
  return spans(one).some(([from, to]) => spans(other).some(([west, east]) => from <= east && west <= to));
}

function spans([west, , east]: Flat): readonly (readonly [from: number, to: number])[] {
  if (west <= east) return [[west, east]];
  return [
    [west, 180],
    [-180, east],
  ];
}

/** Heights go: Items have none. */
function flatBox(box: SearchBox): Flat {
  if ((box.length !== 4 && box.length !== 6) || !box.every(Number.isFinite)) {
    throw invalidField('bbox', 'give four numbers, or six with heights: west, south, (lowest,) east, north(, highest)');
  }
  const [west = NaN, south = NaN] = box;
  const [east = NaN, north = NaN] = box.slice(box.length / 2);
  if (south > north) throw invalidField('bbox', `south (${south}) is above north (${north}): exchange them`);
  return [west, south, east, north];
}

function boxGeometry(box: Flat): Geometry {
  const [west, south, east, north] = box;
  const corners: readonly [Position, Position] = [
    [west, south],
    [east, north],
  ];
  if (west === east && south === north) return { type: 'Point', coordinates: [west, south] };
  if (west === east || south === north) return { type: 'LineString', coordinates: [...corners] };
  return boxPolygon([west, south, east, north]);
}
