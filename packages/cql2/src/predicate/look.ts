import type { Cql2Geometry } from '../model/geometry.ts';

/** How the judging of a filter looks into a thing. */
export interface Look<Item> {
  /** What a property holds. */
  raw(item: Item, name: string): unknown;
  /** The geometry that a property holds, if it does. */
  geometry(item: Item, name: string): Cql2Geometry | null | undefined;
}
