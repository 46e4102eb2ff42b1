import { isDomainError, type ItemName, type ItemPage, type SearchRequest, type StoredItemText } from '@headwater/core';
import { MEDIA } from '@headwater/stac';
import type { ServiceDeps } from '../../deps.ts';
import { prepared } from '../../prepared.ts';
import type { Reply } from '../../reply.ts';
import { badMember } from '../../wire/request-error.ts';
import { stacApiAddresses } from '../../wire/stac-api/addresses.ts';
import type { FieldChoice } from '../../wire/stac-api/fields.ts';
import type { AskedSearch } from '../../wire/stac-api/search-schemas.ts';
import { chosenFields } from './chosen-fields.ts';
import { itemForm, withPublicBase } from './item-form.ts';
import { type ApiLink, nextLink, type PageRequest, rootLink, selfLink } from './links.ts';

/** Media type of pages of Items and of Items. */
export const GEOJSON_TYPE = `${MEDIA.geojson}; charset=utf-8`;

type PageDeps = Pick<ServiceDeps, 'stores' | 'publication' | 'baseUrl'>;

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
  { stores, publication, baseUrl }: PageDeps,
  name: ItemName,
): Promise<string | undefined> {
  const item = await stores.search.item(name, itemForm(publication));
  return item === undefined ? undefined : withPublicBase(item.text, baseUrl);
}

function featureText({ text }: StoredItemText, fields: FieldChoice | undefined): string {
  return fields === undefined ? text : JSON.stringify(chosenFields(JSON.parse(text), fields));
}

/** A page of one Item counts all that are found: clients ask for their number by it (`matched` of pystac-client). */
const COUNTING = 1;

/**
 * A page, with how many Items there are on all where it is the first and holds them all, or is one that counts; it tells the others by
 * their token. Counting is many times the work of a page, so that no other page does. Of more than a store counts no number is told.
 */
async function found({ stores, publication }: PageDeps, asked: AskedSearch): Promise<ItemPage> {
  const { conditions, limit, token } = asked;
  const place = token === undefined ? undefined : readToken(token);
  const counted = limit === COUNTING ? {} : { mostMatched: limit };
  const where = place === undefined ? { withMatched: true, ...counted } : { cursor: place.cursor };
  const request: SearchRequest = { ...conditions, limit, ...where };
  const page = await ofToken(() => stores.search.search(request, itemForm(publication)));
  const matched = page.matched ?? place?.matched;
  return {
    items: page.items,
    ...(matched === undefined ? {} : { matched }),
    ...(page.next === undefined ? {} : { next: `${matched ?? ''}.${page.next}` }),
  };
}

const TOKEN = /^(\d{0,15})\.(.+)$/;

/** What `found` made of a count and a cursor. Throws `validation`. */
function readToken(token: string): { readonly matched: number | undefined; readonly cursor: string } {
  const [, matched, cursor] = TOKEN.exec(token) ?? [];
  if (matched === undefined || cursor === undefined) throw badMember('token', NO_TOKEN);
  return { matched: matched === '' ? undefined : Number(matched), cursor };
}

const NO_TOKEN = 'No page of this search has given it: follow the link next as it is, or leave it out.';

/** What the port says of its cursor is said of the parameter that holds it. */
export async function ofToken<T>(look: () => Promise<T>): Promise<T> {
  try {
    return await look();
  } catch (error) {
    if (!isDomainError(error) || error.fields['cursor'] === undefined) throw error;
    throw badMember('token', NO_TOKEN);
  }
}
