import type { CollectionRecord, PublishedItem } from '@headwater/core';
import { buildCatalog, buildCollection, type Catalog, type Collection, type LinkTarget } from '@headwater/stac';
import type { ServiceDeps } from '../deps.ts';
import { absent } from '../wire/absent.ts';
import { createAddresses } from '../wire/addresses.ts';
import { paths } from '../wire/paths.ts';
import { collectionMembers, COLLECTION_LEVELS as LEVELS } from './collection-members.ts';
import { makingRoutes } from './making-routes.ts';
import { publishedPath } from './collection-tree.ts';
import { namesAlong } from './first-tehsil.ts';
import { titlesAlong, type TitleOf } from './place-titles.ts';
import { itemAddress, publicItem } from './public-item.ts';

/** The root catalogue: one child per state that holds Items. */
export async function rootCatalog(deps: ServiceDeps): Promise<Catalog> {
  const root = await deps.stores.catalog.collection('');
  const states = root?.children ?? [];
  const titleOf = await titlesAlong(deps, '');
  return buildCatalog({
    id: 'headwater',
    title: deps.publication.title,
    description: 'Layers computed per tehsil, as static STAC: states, districts and blocks, with Items below blocks.',
    self: createAddresses(deps.baseUrl).catalog(),
    children: states.map((path) => target(deps, path, titleOf)),
    links: [
      { rel: 'service-desc', href: deps.baseUrl + paths.openApi, title: 'OpenAPI', type: 'application/json' },
      { rel: 'service-doc', href: deps.baseUrl + paths.docs, title: 'API reference', type: 'text/html' },
    ],
  });
}

/** Collection of a state, district or block, by its slugs. Throws `not_found`. */
export async function collectionOf(deps: ServiceDeps, slugs: readonly string[]): Promise<Collection> {
  const found = await recordOf(deps, slugs);
  // Only a block links to Items: a state's would be thousands.
  const items = found.level === 'tehsil' ? await deps.stores.catalog.itemsOf(found.record.path) : [];
  return build(deps, { ...found, titleOf: await titlesAlong(deps, found.record.path), items });
}

/** A Collection without links to Items, with the titles along its path: what its page needs. */
export interface CollectionHead {
  readonly path: string;
  readonly titleOf: TitleOf;
  readonly collection: Collection;
}

/** The same Collection for a page, which lists Items by itself: none is read. Throws `not_found`. */
export async function collectionHead(deps: ServiceDeps, slugs: readonly string[]): Promise<CollectionHead> {
  const found = await recordOf(deps, slugs);
  const { path } = found.record;
  const titleOf = await titlesAlong(deps, path);
  return { path, titleOf, collection: build(deps, { ...found, titleOf, items: [] }) };
}

interface Found {
  readonly level: (typeof LEVELS)[number];
  readonly record: CollectionRecord;
}

async function recordOf(deps: ServiceDeps, slugs: readonly string[]): Promise<Found> {
  const level = LEVELS[slugs.length - 1] ?? 'tehsil';
  const record = await recordAt(deps, slugs.join('/'));
  if (record === undefined) {
    const name = slugs.at(-1) ?? '';
    throw absent('collection', { level, name, ...(await whyAbsent(deps, slugs)) });
  }
  return { level, record };
}

/** Of a place of the directory: its name, and the routes that compute something of it. */
async function whyAbsent(deps: ServiceDeps, slugs: readonly string[]): Promise<Readonly<Record<string, string>>> {
  const names = await namesAlong(deps.stores.places, slugs);
  if (names.length < slugs.length) return {};
  return { place: names.toReversed().join(', '), routes: makingRoutes(deps) };
}

function build(
  deps: ServiceDeps,
  { level, record, titleOf, items }: Found & { readonly titleOf: TitleOf; readonly items: readonly PublishedItem[] },
): Collection {
  const { path, children } = record;
  const parent = path.slice(0, Math.max(0, path.lastIndexOf('/')));
  return buildCollection({
    ...collectionMembers(deps, { record, titleOf }),
    self: createAddresses(deps.baseUrl).collection(path),
    root: rootTarget(deps),
    parent: parent === '' ? rootTarget(deps) : target(deps, parent, titleOf),
    ...(level === 'tehsil'
      ? { items: items.map((item) => itemTarget(deps, item)) }
      : { children: children.map((child) => target(deps, child, titleOf)) }),
  });
}

/** A published Item by its collection and id. Throws `not_found`. */
export async function itemOf(deps: ServiceDeps, path: string, id: string): Promise<PublishedItem['item']> {
  const found = await deps.stores.catalog.item(path, id);
  if (found === undefined) throw absent('item', { id });
  return publicItem(found, deps);
}

/** A Collection by its path, which may be spelt as earlier versions spelt it. */
async function recordAt({ stores }: ServiceDeps, path: string): Promise<CollectionRecord | undefined> {
  const found = await stores.catalog.collection(path);
  if (found !== undefined) return found;
  const published = publishedPath(await stores.catalog.collections(), path);
  return published === undefined ? undefined : await stores.catalog.collection(published);
}

function rootTarget({ baseUrl, publication }: ServiceDeps): LinkTarget {
  return { href: createAddresses(baseUrl).catalog(), title: publication.title };
}

function target({ baseUrl }: ServiceDeps, path: string, titleOf: TitleOf): LinkTarget {
  return { href: createAddresses(baseUrl).collection(path), title: titleOf(path) };
}

function itemTarget({ baseUrl }: ServiceDeps, published: PublishedItem): LinkTarget {
  const { id, item } = published;
  const properties = item['properties'];
  const title = typeof properties === 'object' && properties !== null && 'title' in properties ? properties.title : id;
  return { href: itemAddress(published, baseUrl), title: String(title) };
}
