import { StacError } from '../errors.ts';
import { multihash } from '../multihash.ts';
import { at, brief } from '../validate/report.ts';

/** Members that stand first, in this order, wherever they are; all others follow by the code units of their names. */
const FIRST = (
  'rel href name value type stac_version stac_extensions id title description keywords license providers extent geometry bbox ' +
  'properties start_datetime end_datetime datetime summaries links assets item_assets collection'
).split(' ');
const RANKS: ReadonlyMap<string, number> = new Map(FIRST.map((name, rank) => [name, rank]));

/**
 * A document as JSON text that depends on its content alone: members in one order, however they were put together, numbers in
 * their shortest form, no blanks. Members that are undefined are left out. Throws `StacError` that points to what JSON has no
 * form for: NaN, infinities, undefined in a list, functions, bigints.
 */
export function stacText(document: object): string {
  return textOf(document, '');
}

/** Multihash (sha2-256) of a document's text in UTF-8: equal for equal content, whatever the order of its members. Rejects as `stacText` throws. */
export async function contentHash(document: object): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(stacText(document)));
  return multihash([...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join(''));
}

function textOf(value: unknown, pointer: string): string {
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return JSON.stringify(value);
  if (typeof value === 'number' && Number.isFinite(value)) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((each, index) => textOf(each, at(pointer, index))).join(',')}]`;
  if (typeof value !== 'object') {
    throw new StacError(
      `${pointer === '' ? '(document)' : pointer}: JSON has no form for ${brief(value)}; give another value or leave it out`,
    );
  }
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return `{${members
    .sort(([a], [b]) => byRank(a, b))
    .map(([key, member]) => `${JSON.stringify(key)}:${textOf(member, at(pointer, key))}`)
    .join(',')}}`;
}

function byRank(a: string, b: string): number {
  const difference = (RANKS.get(a) ?? FIRST.length) - (RANKS.get(b) ?? FIRST.length);
  return difference || (a < b ? -1 : 1);
}
