import { checkedTree } from '../json/parse.ts';
import type { Cql2Expression } from '../model/expression.ts';
import type { Cql2Geometry } from '../model/read-geometry.ts';
import { evaluatorOf } from './conditions.ts';

/** Access of a filter to the values of an item. */
export interface Cql2Access<Item> {
  /**
   * The value of a property; undefined or null if there is none. A `Date` is an instant (a timestamp in SQL). A string is
   * text; if it is compared with an instant, it is read as an instant.
   */
  property(item: Item, name: string): unknown;
  /** The geometry of the item, which is the property `geometry`. Spatial tests of other properties are unknown. */
  geometry(item: Item): Cql2Geometry | null | undefined;
}

/** Name of the only property that spatial tests can use. */
const GEOMETRY = 'geometry';

/** Returns a test that is true for items that match the filter. Unknown (null, another type) is no match. */
export function cql2Predicate<Item>(expression: Cql2Expression, access: Cql2Access<Item>): (item: Item) => boolean {
  const evaluate = evaluatorOf(checkedTree(expression), {
    raw: (item: Item, name) => access.property(item, name),
    geometry: (item: Item, name) => (name === GEOMETRY ? access.geometry(item) : undefined),
  });
  return (item) => evaluate(item) === true;
}
