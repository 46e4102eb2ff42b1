import { checkedTree } from '../json/parse.ts';
import type { Cql2Expression } from '../model/expression.ts';
import type { Cql2Geometry } from '../model/read-geometry.ts';
import { judgeOf } from './conditions.ts';

/** How a filter looks into a thing. */
export interface Cql2Access<Item> {
  /**
   * The value of a property; undefined or null where there is none. A `Date` is an instant (what SQL has as a timestamp), a
   * string is text, and where it is compared with an instant it is read as one.
   */
  property(item: Item, name: string): unknown;
  /** The geometry of the thing: what the property `geometry` stands for. Spatial tests of any other property are unknown. */
  geometry(item: Item): Cql2Geometry | null | undefined;
}

/** The name of the one property that spatial tests ask for. */
const GEOMETRY = 'geometry';

/** True for the things that the filter lets through. What is unknown (null, another type) is not let through. */
export function cql2Predicate<Item>(expression: Cql2Expression, access: Cql2Access<Item>): (item: Item) => boolean {
  const judge = judgeOf(checkedTree(expression), {
    raw: (item: Item, name) => access.property(item, name),
    geometry: (item: Item, name) => (name === GEOMETRY ? access.geometry(item) : undefined),
  });
  return (item) => judge(item) === true;
}
