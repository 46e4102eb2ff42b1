import { type Cql2Expression, type Cql2Geometry, cql2Predicate, isCql2Error } from '@headwater/cql2';
import { invalidField } from '../errors.ts';
import type { SearchBox, SearchConditions } from '../ports/item-search.ts';

/** West, south, east, north. */
export type FlatBox = readonly [west: number, south: number, east: number, north: number];

/** Returns the box without heights. Throws `validation` for an invalid box. */
export function flatBox(box: SearchBox): FlatBox {
  if ((box.length !== 4 && box.length !== 6) || !box.every(Number.isFinite)) {
    throw invalidField(
      'bbox',
      'give west, south, east, north, or with heights west, south, lowest, east, north, highest',
    );
  }
  const [west = NaN, south = NaN] = box;
  const [east = NaN, north = NaN] = box.slice(box.length / 2);
  if (south > north) throw invalidField('bbox', `south (${south}) is above north (${north}): exchange them`);
  return [west, south, east, north];
}

/** True if two boxes have a point in common; each may cross the antimeridian. */
export function boxesTouch(one: FlatBox, other: FlatBox): boolean {
  if (one[1] > other[3] || other[1] > one[3]) return false;
  return spans(one).some(([from, to]) => spans(other).some(([west, east]) => from <= east && west <= to));
}

function spans([west, , east]: FlatBox): readonly (readonly [from: number, to: number])[] {
  if (west <= east) return [[west, east]];
  return [
    [west, 180],
    [-180, east],
  ];
}

/** Converts the box and the geometry of a search into filters. Throws `validation` for an invalid box or geometry. */
export function placeFilters({ bbox, intersects }: SearchConditions): readonly Cql2Expression[] {
  return [
    ...(bbox === undefined ? [] : [checked('bbox', { bbox: flatBox(bbox) })]),
    ...(intersects === undefined ? [] : [checked('intersects', intersects)]),
  ];
}

type Place = Cql2Geometry | { readonly bbox: FlatBox };

function checked(field: string, place: Place): Cql2Expression {
  const filter: Cql2Expression = { op: 's_intersects', args: [{ property: 'geometry' }, place] };
  try {
    cql2Predicate(filter, { property: () => null, geometry: () => null });
    return filter;
  } catch (error) {
    if (!isCql2Error(error)) throw error;
    const { found, expected, remedy } = error.details;
    throw invalidField(field, `found ${found}, expected ${expected}. ${remedy}`);
  }
}
