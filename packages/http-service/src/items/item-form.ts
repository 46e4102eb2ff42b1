import { createHash } from 'node:crypto';
import { isObject, type ItemForm, type ItemKey, type PublishedItem } from '@headwater/core';
import { collectionId, linkTitleOf, MEDIA } from '@headwater/stac';
import { createPublication, type Publication, type PublicationOptions } from '../layers/publication.ts';
import { BASE_TOKEN, storedAddresses } from '../wire/addresses.ts';
import { stacApiAddresses } from '../features/stac-api/schemas/addresses.ts';
import { publicItem } from './public-item.ts';

/** What is written changes with this number: a store writes kept texts anew. */
const EDITION = 3;

/** What a form is made of. */
export interface ItemFormOptions {
  readonly publication?: PublicationOptions | undefined;
  /** Public base address: Items that were made elsewhere may have it in full. */
  readonly baseUrl?: string | undefined;
}

/**
 * How the STAC API writes Items: final when they are published but for the stand-in of the base address, also in what is said of the
 * publisher, so that servers at several addresses mean the same form. Links of the tree lead to this API.
 */
export function itemForm({ publication: options = {}, baseUrl }: ItemFormOptions = {}): ItemForm {
  const publication = createPublication(options, BASE_TOKEN);
  const digest = createHash('sha256').update(JSON.stringify(publication)).digest('hex').slice(0, 16);
  const base = baseUrl?.replace(/\/+$/, '');
  return { name: `stac-api-${EDITION}-${digest}`, text: (item) => textOf(ofOwn(item, base), publication) };
}

/** The same with the stand-in wherever it has the public base address itself. */
function ofOwn(published: PublishedItem, baseUrl: string | undefined): PublishedItem {
  if (baseUrl === undefined) return published;
  const text = JSON.stringify(published.item);
  if (!text.includes(`${baseUrl}/`)) return published;
  return { ...published, item: JSON.parse(text.replaceAll(`${baseUrl}/`, `${BASE_TOKEN}/`)) };
}

function textOf(published: PublishedItem, publication: Publication): string {
  const item = publicItem(published, { baseUrl: BASE_TOKEN, publication });
  return JSON.stringify({ ...item, links: apiLinks(published, item['links'], publication) });
}

/** The Item's own links in their order, those of the tree led to this API; one that it does not have stands in front. */
function apiLinks(published: PublishedItem, links: unknown, { title }: Publication): readonly unknown[] {
  const { collectionPath, id, item } = published;
  const given = Array.isArray(links) ? links.filter(isObject) : [];
  const addresses = stacApiAddresses(BASE_TOKEN);
  const collection = collectionId(collectionPath);
  const tree = [
    { rel: 'root', href: addresses.landing, type: MEDIA.json, title },
    // The only one that Items may lack by the profile; a link without a title would be a fault of ours.
    { rel: 'self', href: addresses.item(collection, id), type: MEDIA.geojson, title: linkTitleOf({ ...item, id }) },
    { rel: 'parent', href: addresses.collection(collection), type: MEDIA.json },
    { rel: 'collection', href: addresses.collection(collection), type: MEDIA.json },
  ];
  const missing = tree.filter(({ rel }) => !given.some((link) => link['rel'] === rel));
  const led = given.map((link) => {
    const own = tree.find(({ rel }) => rel === link['rel']);
    const known = link['title'];
    return own === undefined ? link : { ...(typeof known === 'string' ? { title: known } : {}), ...own };
  });
  return [...missing, ...led];
}

/** Texts as they were stored, with the public base address in place of its stand-in. */
export function withPublicBase(text: string, base: string): string {
  // `replaceAll` reads patterns in what it puts in, and a function for each would cost a page more.
  return text.replaceAll(`${BASE_TOKEN}/`, `${base}/`.replaceAll('$', '$$$$'));
}

/** The stored text of an Item with links to the catalogue of static documents in place of those to this API. */
export function withTreeLinks(text: string, { collectionPath, id }: ItemKey): string {
  const [api, tree, collection] = [stacApiAddresses(BASE_TOKEN), storedAddresses(), collectionId(collectionPath)];
  const pairs = [
    [api.landing, tree.catalog()],
    [api.collection(collection), tree.collection(collectionPath)],
    [api.item(collection, id), tree.item(collectionPath, id)],
  ] as const;
  const href = (address: string): string => `"href":${JSON.stringify(address)}`;
  // A function, because addresses may hold what `replaceAll` reads as a pattern.
  return pairs.reduce((made, [from, to]) => made.replaceAll(href(from), () => href(to)), text);
}
