import { checkedTree } from '../json/parse.ts';
import type { Cql2Expression } from '../model/expression.ts';
import type { Cql2Geometry } from '../model/read-geometry.ts';
import { evaluatorOf } from './conditions.ts';

/** Access of a filter to the values of an item. */
export interface Cql2Access<Item> {
  /**
   * The value of a property; undefined or null if the item does not have the property. A `Date` is an instant (a
   * timestamp in SQL). A string is a text, but a string that is compared with an instant is read as an instant.
   */
  property(item: Item, name: string): unknown;
  /**
   * The geometry of the item, which filters call the property `geometry`. The result of a spatial test of any other property
   * is unknown.
   */
  geometry(item: Item): Cql2Geometry | null | undefined;
}

/** Name of the only property that spatial tests can use. */
const GEOMETRY = 'geometry';

/**
 * Returns a function that is true for items that match the filter. An item for which the filter is unknown (a null, a
 * value of another type) does not match.
 */
export function cql2Predicate<Item>(expression: Cql2Expression, access: Cql2Access<Item>): (item: Item) => boolean {
  const evaluate = evaluatorOf(checkedTree(expression), {
    raw: (item: Item, name) => access.property(item, name),
    geometry: (item: Item, name) => (name === GEOMETRY ? access.geometry(item) : undefined),
  });
  return (item) => evaluate(item) === true;
}
