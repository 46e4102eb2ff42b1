import type { Cql2Expression } from '../model/expression.ts';
import type { Cql2Geometry } from '../model/geometry.ts';

/** How a filter looks into a thing. */
export interface Cql2Access<Item> {
  /**
   * The value of a property; undefined or null where there is none. A `Date` is an instant (what SQL has as a timestamp), a
   * string is text, and where it is compared with an instant it is read as one.
   */
  property(item: Item, name: string): unknown;
  /** The geometry that the property `geometry` stands for; any other property of a spatial test is asked of `property`. */
  geometry(item: Item): Cql2Geometry | null | undefined;
}

/** True for the things that the filter lets through. What is unknown (null, another type) is not let through. */
export function cql2Predicate<Item>(expression: Cql2Expression, access: Cql2Access<Item>): (item: Item) => boolean {
  throw new Error(`CQL2 is not judged in memory yet (${typeof expression}, ${typeof access})`);
}
