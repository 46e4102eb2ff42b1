import type { PublishedItem } from '@headwater/core';
import {
  buildCatalog,
  buildCollection,
  type Catalog,
  type Collection,
  type Extent,
  type Provider,
} from '@headwater/stac';
import type { ServiceDeps } from '../deps.ts';
import { absent } from '../wire/absent.ts';
import { createAddresses } from '../wire/addresses.ts';
import { wireName } from '../wire/names.ts';
import { paths } from '../wire/paths.ts';
import { publicItem } from './public-item.ts';

const ROOT_TITLE = 'Headwater Spatio Temporal Asset Catalog';
const LEVELS = ['state', 'district', 'tehsil'] as const;
const LICENSE = 'CC-BY-4.0';
/** Of a Collection none of whose Items has a box and times; a Collection must have an extent. */
const WHOLE_WORLD: Extent = { spatial: { bbox: [[-180, -90, 180, 90]] }, temporal: { interval: [[null, null]] } };

/** The root catalogue: one child per state that holds Items. */
export async function rootCatalog(deps: ServiceDeps): Promise<Catalog> {
  const root = await deps.stores.catalog.collection('');
  const states = root?.children ?? [];
  return buildCatalog({
    id: 'headwater',
    title: ROOT_TITLE,
    description: 'Layers computed per tehsil, as static STAC: states, districts and blocks, with Items below blocks.',
    self: createAddresses(deps.baseUrl).catalog(),
    children: states.map((path) => target(deps.baseUrl, path)),
    links: [
      { rel: 'service-desc', href: deps.baseUrl + paths.openApi, title: 'OpenAPI', type: 'application/json' },
      { rel: 'service-doc', href: deps.baseUrl + paths.docs, title: 'API reference', type: 'text/html' },
    ],
  });
}

/** Collection of a state, district or block, by its slugs. Throws `not_found`. */
export async function collectionOf(deps: ServiceDeps, slugs: readonly string[]): Promise<Collection> {
  const path = slugs.join('/');
  const level = LEVELS[slugs.length - 1] ?? 'tehsil';
  const name = slugs.at(-1) ?? '';
  const record = await deps.stores.catalog.collection(path);
  if (record === undefined) throw absent('collection', { level, name });
  // Only a block links to Items: a state's would be thousands.
  const items = level === 'tehsil' ? await deps.stores.catalog.itemsOf(path) : [];
  const parent = slugs.slice(0, -1).join('/');
  return buildCollection({
    id: name,
    title: name,
    description: `STAC collection for data of ${wireName(level)} ${slugs.toReversed().join(', ')}`,
    self: createAddresses(deps.baseUrl).collection(path),
    root: { href: createAddresses(deps.baseUrl).catalog(), title: ROOT_TITLE },
    parent:
      parent === ''
        ? { href: createAddresses(deps.baseUrl).catalog(), title: ROOT_TITLE }
        : target(deps.baseUrl, parent),
    children: record.children.map((each) => target(deps.baseUrl, each)),
    items: items.map((item) => itemTarget(deps.baseUrl, item)),
    links: [{ rel: 'license', href: `https://spdx.org/licenses/${LICENSE}.html`, title: LICENSE, type: 'text/html' }],
    keywords: ['land cover', 'tehsil', ...slugs],
    license: LICENSE,
    providers: [providerOf(deps)],
    extent: record.extent ?? WHOLE_WORLD,
  });
}

/** A published Item by its collection and id. Throws `not_found`. */
export async function itemOf(deps: ServiceDeps, path: string, id: string): Promise<PublishedItem['item']> {
  const found = await deps.stores.catalog.item(path, id);
  if (found === undefined) throw absent('item', { id });
  return publicItem(found, deps.baseUrl);
}

function target(base: string, path: string): { href: string; title: string } {
  return { href: createAddresses(base).collection(path), title: path.slice(path.lastIndexOf('/') + 1) };
}

function itemTarget(base: string, { collectionPath, id, item }: PublishedItem): { href: string; title: string } {
  const properties = item['properties'];
  const title = typeof properties === 'object' && properties !== null && 'title' in properties ? properties.title : id;
  return { href: createAddresses(base).item(collectionPath, id), title: String(title) };
}

function providerOf({ baseUrl }: ServiceDeps): Provider {
  return { name: 'Headwater', url: `${baseUrl}/`, roles: ['processor', 'host'] };
}
