import { type Cql2Expression, type Cql2Geometry, cql2Predicate, isCql2Error } from '@headwater/cql2';
import { invalidField } from '../errors.ts';
import type { SearchConditions } from '../ports/item-search.ts';
import { type FlatBox, flatBox } from './search-box.ts';

/**
 * Converts the box and the geometry of a search into filters, so that every store evaluates them in the same way. @throws DomainError
 * `validation` for an invalid box or geometry.
 */
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
