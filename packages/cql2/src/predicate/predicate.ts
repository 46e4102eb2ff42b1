import { checkedTree } from '../json/parse.ts';
import type { Cql2Expression } from '../model/expression.ts';
import type { Cql2Geometry } from '../model/read-geometry.ts';
import { evaluatorOf } from './conditions.ts';

/** Access of a filter to the values of an item. */
export interface Cql2Access<Item> {
  /** The value of a property; undefined or null if absent. A `Date` is an instant. */
  property(item: Item, name: string): unknown;
  /** The geometry of the item. Filters name it `geometry`. */
  geometry(item: Item): Cql2Geometry | null | undefined;
}

const GEOMETRY = 'geometry';

/** Returns a function that is true for matching items. An item does not match if the result is unknown. */
export function cql2Predicate<Item>(expression: Cql2Expression, access: Cql2Access<Item>): (item: Item) => boolean {
  const evaluate = evaluatorOf(checkedTree(expression), {
    raw: (item: Item, name) => access.property(item, name),
    geometry: (item: Item, name) => (name === GEOMETRY ? access.geometry(item) : undefined),
  });
  return (item) => evaluate(item) === true;
}
