import { StacError } from '../errors.ts';
import { multihash } from '../multihash.ts';
import { describeNonJsonValue, findNonJsonValue, writtenAs } from './non-json-value.ts';

/** Members that are written first, in this order. All others are sorted by code units. */
const FIRST = (
  'rel href name value type stac_version stac_extensions id title description keywords license providers extent geometry bbox ' +
  'properties start_datetime end_datetime datetime summaries links assets item_assets collection'
).split(' ');
const RANKS: ReadonlyMap<string, number> = new Map(FIRST.map((name, rank) => [name, rank]));

/** Canonical JSON: members in a fixed order, no blanks. Throws `StacError` for a value that JSON cannot express. */
export function stacText(document: object): string {
  const found = findNonJsonValue(document);
  if (found !== undefined) throw new StacError(describeNonJsonValue(found));
  return JSON.stringify(inOrder(document, new Map()));
}

/** Multihash (sha2-256) of the canonical text in UTF-8. Rejects with errors of `stacText`. */
export async function contentHash(document: object): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(stacText(document)));
  return multihash([...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join(''));
}

type Orders = Map<string, readonly string[]>;

function inOrder(input: unknown, orders: Orders): unknown {
  const value = writtenAs(input);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((each) => inOrder(each, orders));
  // JavaScript puts integer names before all others, so the order is fixed for them too.
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
