import { createHash } from 'node:crypto';
import { isDomainError } from '@headwater/core';
import { MAX_SCANNED_ITEMS } from '@headwater/core/search';
import type { ItemName, ItemPage, SearchRequest, StoredItemText } from '@headwater/core/ports';
import { MEDIA } from '@headwater/stac';
import type { Ports } from '../../../deps.ts';
import { prepared } from '../../../caching/prepared.ts';
import type { Reply } from '../../../seam/reply.ts';
import { badMember } from '../../../wire/request-error.ts';
import { stacApiAddresses } from '../schemas/addresses.ts';
import type { FieldChoice } from '../schemas/fields.ts';
import type { AskedSearch } from '../schemas/search-schemas.ts';
import { chosenFields } from './chosen-fields.ts';
import { withPublicBase } from '../../../items/item-form.ts';
import { type ApiLink, nextLink, type PageRequest, rootLink, selfLink } from './links.ts';

/** Media type of pages of Items and of Items. */
export const GEOJSON_TYPE = `${MEDIA.geojson}; charset=utf-8`;

type PageDeps = Ports<'stores' | 'publication' | 'baseUrl' | 'itemForm'>;

/** A page of Items as a FeatureCollection: their texts as they are stored, nothing is read and written again where all members are wanted. */
export async function itemPage(
  deps: PageDeps,
  asked: AskedSearch,
  { request, links }: { readonly request: PageRequest; readonly links: readonly ApiLink[] },
): Promise<Reply> {
  const page = await found(deps, asked);
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
    const text = withPublicBase(featureText(item, asked.fields), baseUrl);
    return index === 0 ? [text] : [',', text];
  });
  const bytes = utf8(['{"type":"FeatureCollection","features":[', ...features, `],${rest.slice(1)}`]);
  return prepared(bytes, { type: GEOJSON_TYPE });
}

/** Texts one after the other as UTF-8. As one string first, a page of hundreds of kilobytes would be copied three times more. */
function utf8(texts: readonly string[]): Uint8Array {
  const bytes = Buffer.allocUnsafe(texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0));
  let at = 0;
  for (const text of texts) at += bytes.write(text, at);
  return bytes;
}

/** The Item of this name as it is stored; undefined where there is none. */
export async function itemText(
  { stores, itemForm, baseUrl }: Pick<PageDeps, 'stores' | 'itemForm' | 'baseUrl'>,
  name: ItemName,
): Promise<string | undefined> {
  const item = await stores.search.item(name, itemForm);
  return item === undefined ? undefined : withPublicBase(item.text, baseUrl);
}

function featureText({ text }: StoredItemText, fields: FieldChoice | undefined): string {
  return fields === undefined ? text : JSON.stringify(chosenFields(JSON.parse(text), fields));
}

/** A page of one Item counts all that are found: clients ask for their number by it (`matched` of pystac-client). */
const COUNTING = 1;

/**
 * A page, with how many Items there are on all where that is known: the first page looks where it costs little, one of a single Item
 * further, and tells the others by their token. Counting may take many times as long as a page, so that no other page does. Of more than a
 * store counts no number is told.
 */
async function found(
  { stores, itemForm }: Pick<PageDeps, 'stores' | 'itemForm'>,
  asked: AskedSearch,
): Promise<ItemPage> {
  const { conditions, limit, token } = asked;
  const search = nameOf(conditions);
  const place = token === undefined ? undefined : readToken(token, search);
  const counted = limit === COUNTING ? {} : { maxScannedItems: MAX_SCANNED_ITEMS };
  const where = place === undefined ? { withMatched: true, ...counted } : { cursor: place.cursor };
  const request: SearchRequest = { ...conditions, limit, ...where };
  const page = await ofToken(() => stores.search.search(request, itemForm));
  const matched = page.matched ?? place?.matched;
  return {
    items: page.items,
    ...(matched === undefined ? {} : { matched }),
    ...(page.next === undefined ? {} : { next: writeToken(matched, page.next, search) }),
  };
}

const TOKEN = /^(\d{0,15})\.([\w-]{11})\.(.+)$/;

/** A count and a cursor as one text, and what tells that they belong together and to this search. */
function writeToken(matched: number | undefined, cursor: string, search: string): string {
  const count = matched === undefined ? '' : String(matched);
  return `${count}.${bondOf(count, cursor, search)}.${cursor}`;
}

/**
 * The count and the cursor of a token. Throws `validation` for a text that no page of this search has given, such as one with another count:
 * with other conditions a page would tell the number of those before, and leave out what stands ahead of its cursor.
 */
function readToken(token: string, search: string): { readonly matched: number | undefined; readonly cursor: string } {
  const [, count, bond, cursor] = TOKEN.exec(token) ?? [];
  if (count === undefined || cursor === undefined || bond !== bondOf(count, cursor, search))
    throw badMember('token', NO_TOKEN);
  return { matched: count === '' ? undefined : Number(count), cursor };
}

/** Conditions and order as one text, whether a query or a body had them. How many Items a page has, and of what members, may change on the way. */
function nameOf(conditions: AskedSearch['conditions']): string {
  return JSON.stringify(Object.entries(conditions).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

/** A checksum, no signature: no secret is worth it where whoever makes one up tells nobody but himself a wrong number. */
function bondOf(count: string, cursor: string, search: string): string {
  return createHash('sha256').update(`${count}.${cursor}.${search}`).digest('base64url').slice(0, 11);
}

const NO_TOKEN = 'No page of this search has given it: follow the link next as it is, or leave it out to begin anew.';

/** What the port says of its cursor is said of the parameter that holds it. */
export async function ofToken<T>(look: () => Promise<T>): Promise<T> {
  try {
    return await look();
  } catch (error) {
    if (!isDomainError(error) || error.fields['cursor'] === undefined) throw error;
    throw badMember('token', NO_TOKEN);
  }
}
