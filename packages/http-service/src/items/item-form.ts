/**
 * Forms of an Item. They differ in the base of their addresses, the targets of their links, and the members that
 * publishing adds.
 *
 * | form          | created by                                      | base of addresses | links lead to | `version`, credits, dated `href` |
 * | ------------- | ----------------------------------------------- | ----------------- | ------------- | -------------------------------- |
 * | built         | `rasterItem`, `vectorItem` of `@headwater/stac` | `BASE_TOKEN`      | the tree      | no                               |
 * | published     | the catalogue's store, at publication           | `BASE_TOKEN`      | the tree      | the version, next to the Item    |
 * | stored text   | `itemForm().text`, once for each version        | `BASE_TOKEN`      | the STAC API  | yes                              |
 * | STAC API      | `withPublicBase(text)`                          | the public one    | the STAC API  | yes                              |
 * | tree of files | `withTreeLinks(text)`, `withPublicBase`         | the public one    | the tree      | yes                              |
 * | runs, exports | `publicItem(published)`                         | the public one    | the tree      | yes                              |
 * | page          | `itemFacts`, from `publicItem(published)`       | the public one    | the tree      | yes, as text for people          |
 *
 * A dated `href` names a run, so its bytes never change. The tree is the static catalogue of states, districts and
 * blocks. Items are stored with the placeholder `BASE_TOKEN` instead of the public base address (decision 004).
 */
import { createHash } from 'node:crypto';
import { isObject } from '@headwater/core/values';
import type { ItemForm } from '@headwater/core/ports';
import type { ItemKey, PublishedItem } from '@headwater/core';
import { collectionId, linkTitleOf, MEDIA } from '@headwater/stac';
import { createPublication, type Publication, type PublicationOptions } from '../layers/publication.ts';
import { BASE_TOKEN, storedAddresses } from '../wire/addresses.ts';
import { stacApiAddresses } from '../features/stac-api/schemas/addresses.ts';
import type { ItemMaps } from './map-links.ts';
import { publicItem } from './public-item.ts';

/** Raise this version if the code writes another text for the same Item. The stores then write all texts again. */
const EDITION = 3;

/** Options of the form of stored Items. */
export interface ItemFormOptions {
  readonly publication?: PublicationOptions | undefined;
  /** Public base address, which the form replaces by the placeholder. */
  readonly baseUrl?: string | undefined;
  /** Map server of this service; if absent, Items have no links to maps. */
  readonly mapServer?: ItemMaps['mapServer'];
}

/**
 * Creates the form of stored Items. Stored texts contain a placeholder for the base address, so that servers with
 * different addresses can share the texts.
 */
export function itemForm({ publication: options = {}, baseUrl, mapServer }: ItemFormOptions = {}): ItemForm {
  const publication = createPublication(options, BASE_TOKEN);
  const parts = [publication, ...(mapServer === undefined ? [] : [mapServer.capabilities])];
  const digest = createHash('sha256')
    .update(parts.map((part) => JSON.stringify(part)).join('\n'))
    .digest('hex')
    .slice(0, 16);
  const base = baseUrl?.replace(/\/+$/, '');
  return {
    name: `stac-api-${EDITION}-${digest}`,
    text: (item) => textOf(ofOwn(item, base), { publication, mapServer }),
  };
}

interface TextParts extends ItemMaps {
  readonly publication: Publication;
}

function ofOwn(published: PublishedItem, baseUrl: string | undefined): PublishedItem {
  if (baseUrl === undefined) return published;
  const text = JSON.stringify(published.item);
  if (!text.includes(`${baseUrl}/`)) return published;
  return { ...published, item: JSON.parse(text.replaceAll(`${baseUrl}/`, `${BASE_TOKEN}/`)) };
}

function textOf(published: PublishedItem, { publication, mapServer }: TextParts): string {
  const item = publicItem(published, { baseUrl: BASE_TOKEN, publication, mapServer });
  return JSON.stringify({ ...item, links: apiLinks(published, item['links'], publication) });
}

function apiLinks(published: PublishedItem, links: unknown, { title }: Publication): readonly unknown[] {
  const { collectionPath, id, item } = published;
  const itemLinks = Array.isArray(links) ? links.filter(isObject) : [];
  const addresses = stacApiAddresses(BASE_TOKEN);
  const collection = collectionId(collectionPath);
  const tree = [
    { rel: 'root', href: addresses.landing, type: MEDIA.json, title },
    { rel: 'self', href: addresses.item(collection, id), type: MEDIA.geojson, title: linkTitleOf({ ...item, id }) },
    { rel: 'parent', href: addresses.collection(collection), type: MEDIA.json },
    { rel: 'collection', href: addresses.collection(collection), type: MEDIA.json },
  ];
  const missing = tree.filter(({ rel }) => !itemLinks.some((link) => link['rel'] === rel));
  const replaced = itemLinks.map((link) => {
    const own = tree.find(({ rel }) => rel === link['rel']);
    const title = link['title'];
    return own === undefined ? link : { ...(typeof title === 'string' ? { title } : {}), ...own };
  });
  return [...missing, ...replaced];
}

/** Replaces the placeholder in stored texts by the public base address. */
export function withPublicBase(text: string, base: string): string {
  // `$` is doubled, because `replaceAll` interprets `$` in the replacement.
  return text.replaceAll(`${BASE_TOKEN}/`, `${base}/`.replaceAll('$', '$$$$'));
}

/** Replaces the links to the STAC API in the stored text of an Item by links to the static catalogue. */
export function withTreeLinks(text: string, { collectionPath, id }: ItemKey): string {
  const [api, tree, collection] = [stacApiAddresses(BASE_TOKEN), storedAddresses(), collectionId(collectionPath)];
  const pairs = [
    [api.landing, tree.catalog()],
    [api.collection(collection), tree.collection(collectionPath)],
    [api.item(collection, id), tree.item(collectionPath, id)],
  ] as const;
  const href = (address: string): string => `"href":${JSON.stringify(address)}`;
  // The replacement is a function, because `replaceAll` interprets `$` in a text.
  return pairs.reduce((result, [from, to]) => result.replaceAll(href(from), () => href(to)), text);
}
