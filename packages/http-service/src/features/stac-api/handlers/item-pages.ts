import { createHash } from 'node:crypto';
import { isDomainError } from '@headwater/core';
import { MAX_SCANNED_ITEMS } from '@headwater/core/search';
import type { ItemName, ItemPage, SearchRequest, StoredItemText } from '@headwater/core/ports';
import { MEDIA } from '@headwater/stac';
import { isObject } from '@headwater/core/values';
import type { Ports } from '../../../deps.ts';
import { prepared } from '../../../caching/prepared.ts';
import type { Reply } from '../../../seam/reply.ts';
import { badMember } from '../../../wire/request-error.ts';
import { stacApiAddresses } from '../schemas/addresses.ts';
import type { FieldChoice, FieldPath } from '../schemas/fields.ts';
import type { ItemSearch } from '../schemas/search-schemas.ts';
import { withPublicBase } from '../../../items/item-form.ts';
import { type ApiLink, nextLink, type PageRequest, rootLink, selfLink } from './links.ts';

/** Media type of Items and of pages of Items. */
export const GEOJSON_TYPE = `${MEDIA.geojson}; charset=utf-8`;

type PageDeps = Ports<'stores' | 'publication' | 'baseUrl' | 'itemForm'>;

/**
 * Response with a page of Items as a FeatureCollection. The stored texts are parsed only if the request has `fields`.
 */
export async function itemPage(
  deps: PageDeps,
  search: ItemSearch,
  { request, links }: { readonly request: PageRequest; readonly links: readonly ApiLink[] },
): Promise<Reply> {
  const page = await findPage(deps, search);
  const { baseUrl, publication } = deps;
  const all = [
    selfLink(request, MEDIA.geojson),
    rootLink(stacApiAddresses(baseUrl), publication.title),
    ...links,
    ...(page.next === undefined ? [] : [nextLink(request, page.next, MEDIA.geojson)]),
  ];
  const rest = JSON.stringify({
    links: all,
    ...(page.matched === undefined ? {} : { numberMatched: page.matched }),
    numberReturned: page.items.length,
  });
  const features = page.items.flatMap((item, index) => {
    const text = withPublicBase(featureText(item, search.fields), baseUrl);
    return index === 0 ? [text] : [',', text];
  });
  const bytes = utf8(['{"type":"FeatureCollection","features":[', ...features, `],${rest.slice(1)}`]);
  return prepared(bytes, { type: GEOJSON_TYPE });
}

/** Encodes texts as one byte array. They are not joined first, because that would copy the page three more times. */
function utf8(texts: readonly string[]): Uint8Array {
  const bytes = Buffer.allocUnsafe(texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0));
  let at = 0;
  for (const text of texts) at += bytes.write(text, at);
  return bytes;
}

/** Stored text of the Item with this Collection and id; undefined if there is none. */
export async function itemText(
  { stores, itemForm, baseUrl }: Pick<PageDeps, 'stores' | 'itemForm' | 'baseUrl'>,
  name: ItemName,
): Promise<string | undefined> {
  const item = await stores.search.item(name, itemForm);
  return item === undefined ? undefined : withPublicBase(item.text, baseUrl);
}

function featureText({ text }: StoredItemText, fields: FieldChoice | undefined): string {
  return fields === undefined ? text : JSON.stringify(selectFields(JSON.parse(text), fields));
}

/** Value of `limit` with which clients ask only for the number of Items (`matched` of pystac-client). */
const COUNTING = 1;

/**
 * Finds a page. Items are counted only for the first page, because counting may take long. The number is left out if
 * more than `MAX_SCANNED_ITEMS` Items would be scanned, except if `limit` is `COUNTING`.
 */
async function findPage(
  { stores, itemForm }: Pick<PageDeps, 'stores' | 'itemForm'>,
  search: ItemSearch,
): Promise<ItemPage> {
  const { conditions, limit, token } = search;
  const name = nameOf(conditions);
  const place = token === undefined ? undefined : readToken(token, name);
  const counted = limit === COUNTING ? {} : { maxScannedItems: MAX_SCANNED_ITEMS };
  const where = place === undefined ? { withMatched: true, ...counted } : { cursor: place.cursor };
  const request: SearchRequest = { ...conditions, limit, ...where };
  const page = await withTokenErrors(() => stores.search.search(request, itemForm));
  const matched = page.matched ?? place?.matched;
  return {
    items: page.items,
    ...(matched === undefined ? {} : { matched }),
    ...(page.next === undefined ? {} : { next: writeToken(matched, page.next, name) }),
  };
}

const TOKEN = /^(\d{0,15})\.([\w-]{11})\.(.+)$/;

/** A token has a count, a cursor, and a checksum of count, cursor and search. */
function writeToken(matched: number | undefined, cursor: string, search: string): string {
  const count = matched === undefined ? '' : String(matched);
  return `${count}.${bondOf(count, cursor, search)}.${cursor}`;
}

/**
 * Reads a token. Throws `validation` if the token was changed or belongs to another search, because the count would be
 * wrong.
 */
function readToken(token: string, search: string): { readonly matched: number | undefined; readonly cursor: string } {
  const [, count, bond, cursor] = TOKEN.exec(token) ?? [];
  if (count === undefined || cursor === undefined || bond !== bondOf(count, cursor, search))
    throw badMember('token', NO_TOKEN);
  return { matched: count === '' ? undefined : Number(count), cursor };
}

/**
 * Text of a search. It is the same for a search by query and for an equal search by body. `limit` and `fields` may
 * differ from page to page.
 */
function nameOf(conditions: ItemSearch['conditions']): string {
  return JSON.stringify(Object.entries(conditions).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

/**
 * Checksum of a token. A signature is not needed: a forged token gives a wrong count only to the client that forged it.
 */
function bondOf(count: string, cursor: string, search: string): string {
  return createHash('sha256').update(`${count}.${cursor}.${search}`).digest('base64url').slice(0, 11);
}

const NO_TOKEN =
  'This token does not belong to this search. Send the request of the link `next` without changing it, or leave the token out to start at the first page.';

/** Runs a search and converts errors of the cursor to errors of the parameter `token`. */
export async function withTokenErrors<T>(search: () => Promise<T>): Promise<T> {
  try {
    return await search();
  } catch (error) {
    if (!isDomainError(error) || error.fields['cursor'] === undefined) throw error;
    throw badMember('token', NO_TOKEN);
  }
}

type Members = Readonly<Record<string, unknown>>;

/** Members that identify an Item. An id is unique only within its Collection. */
const KIND: readonly FieldPath[] = [['type'], ['stac_version'], ['id'], ['collection']];
const SHAPE: readonly FieldPath[] = [['geometry'], ['bbox'], ['links'], ['assets']];
const REQUIRED: readonly FieldPath[] = [
  ...KIND,
  ...SHAPE,
  ['properties', 'datetime'],
  ['properties', 'start_datetime'],
  ['properties', 'end_datetime'],
];

/**
 * Selects the requested members of an Item. A name in both lists counts as included.
 * - no names: the members in `REQUIRED`, which every Item needs
 * - only excluded names: all other members
 * - an empty list of included names: the members in `REQUIRED` without the excluded ones
 * - only included names, at least one of them not in `OUTERMOST`: these and the members in `REQUIRED`
 * - included names that are all in `OUTERMOST`, or included and excluded names: the included ones and the members in
 *   `KIND`, without the excluded ones
 */
function selectFields(item: Members, { include, exclude }: FieldChoice): Members {
  if (include === undefined && exclude.length > 0) return without(item, exclude);
  if (include === undefined || include.length === 0) return without(picked(item, REQUIRED), exclude);
  const excluded = exclude.filter((path) => !include.some((wanted) => key(wanted) === key(path)));
  const isNarrow = exclude.length > 0 || include.every(isOutermost);
  const base = (isNarrow ? KIND : REQUIRED).filter((path) => !excluded.some((each) => key(each) === key(path)));
  const inside = excluded.filter((path) => include.some((wanted) => startsWith(path, wanted)));
  return without(picked(item, [...base, ...include]), inside);
}

const OUTERMOST = new Set([...KIND, ...SHAPE].map(key));

function isOutermost(path: FieldPath): boolean {
  return OUTERMOST.has(key(path));
}

function key(path: FieldPath): string {
  return path.join('.');
}

function startsWith(path: FieldPath, start: FieldPath): boolean {
  return start.length < path.length && start.every((name, index) => path[index] === name);
}

function picked(members: Members, wanted: readonly FieldPath[]): Members {
  const entries = Object.entries(members).flatMap(([name, value]): [string, unknown][] => {
    const below = wanted.filter((path) => path[0] === name).map((path) => path.slice(1));
    if (below.length === 0) return [];
    if (below.some((path) => path.length === 0)) return [[name, value]];
    return isObject(value) ? [[name, picked(value, below)]] : [];
  });
  return Object.fromEntries(entries);
}

function without(members: Members, excluded: readonly FieldPath[]): Members {
  const entries = Object.entries(members).flatMap(([name, value]): [string, unknown][] => {
    const below = excluded.filter((path) => path[0] === name).map((path) => path.slice(1));
    if (below.some((path) => path.length === 0)) return [];
    return [[name, below.length > 0 && isObject(value) ? without(value, below) : value]];
  });
  return Object.fromEntries(entries);
}
