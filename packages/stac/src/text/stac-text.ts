import { StacError } from '../errors.ts';
import { multihash } from '../multihash.ts';
import { describeUnwritable, findUnwritable, writtenAs } from './unwritable.ts';

/** Members that stand first, in this order, wherever they are; all others follow by the code units of their names. */
const FIRST = (
  'rel href name value type stac_version stac_extensions id title description keywords license providers extent geometry bbox ' +
  'properties start_datetime end_datetime datetime summaries links assets item_assets collection'
).split(' ');
const RANKS: ReadonlyMap<string, number> = new Map(FIRST.map((name, rank) => [name, rank]));

/**
 * A document as JSON text that depends on its content alone: members in one order, however they were put together, numbers in
 * their shortest form, no blanks. Members that are undefined are left out. Throws `StacError` that points to what JSON has no
 * form for: NaN, infinities, undefined in a list, functions, bigints, what holds itself or is nested a thousand deep.
 */
export function stacText(document: object): string {
  const found = findUnwritable(document);
  if (found !== undefined) throw new StacError(describeUnwritable(found));
  return JSON.stringify(inOrder(document, new Map()));
}

/** Multihash (sha2-256) of a document's text in UTF-8: equal for equal content, whatever the order of its members. Rejects as `stacText` throws. */
export async function contentHash(document: object): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(stacText(document)));
  return multihash([...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join(''));
}

/** Names of members in the order in which they came -> in the order in which they are written: many objects are of one shape. */
type Orders = Map<string, readonly string[]>;

function inOrder(given: unknown, orders: Orders): unknown {
  const value = writtenAs(given);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((each) => inOrder(each, orders));
  // Names that are whole numbers come first in every object, so they have one order too.
  return Object.fromEntries(
    ordered(Object.keys(value), orders).map((key) => [key, inOrder(Reflect.get(value, key), orders)]),
  );
}

function ordered(keys: readonly string[], orders: Orders): readonly string[] {
  const shape = JSON.stringify(keys);
  const known = orders.get(shape);
  if (known !== undefined) return known;
  const order = keys.toSorted(byRank);
  orders.set(shape, order);
  return order;
}

function byRank(a: string, b: string): number {
  const difference = (RANKS.get(a) ?? FIRST.length) - (RANKS.get(b) ?? FIRST.length);
  return difference || (a < b ? -1 : 1);
}
