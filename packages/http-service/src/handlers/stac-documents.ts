import type { PublishedItem } from '@headwater/core';
import {
  buildCatalog,
  buildCollection,
  collectionId,
  extentOf,
  memberFields,
  membersOf,
  type Catalog,
  type Collection,
  type LinkTarget,
} from '@headwater/stac';
import type { ServiceDeps } from '../deps.ts';
import { absent } from '../wire/absent.ts';
import { createAddresses } from '../wire/addresses.ts';
import { wireName } from '../wire/names.ts';
import { paths } from '../wire/paths.ts';
import { childrenOf, publishedPath, tehsilsAt } from './collection-tree.ts';
import { titlesBelow, type TitleOf } from './place-titles.ts';
import { itemAddress, publicItem } from './public-item.ts';

const LEVELS = ['state', 'district', 'tehsil'] as const;

/** The root catalogue: one child per state that holds Items. */
export async function rootCatalog(deps: ServiceDeps): Promise<Catalog> {
  const states = childrenOf(await deps.stores.catalog.collections(), '');
  const titleOf = await titlesBelow(deps, '');
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
  const all = await deps.stores.catalog.collections();
  const path = publishedPath(all, slugs.join('/'));
  const level = LEVELS[slugs.length - 1] ?? 'tehsil';
  if (path === undefined) throw absent('collection', { level, name: slugs.at(-1) ?? '' });
  const items = (await Promise.all(tehsilsAt(all, path).map((block) => deps.stores.catalog.itemsOf(block)))).flat();
  const parent = path.slice(0, Math.max(0, path.lastIndexOf('/')));
  const title = (await titlesAround(deps, path))(path);
  const { license, licenseUrl, providers } = deps.publication;
  return buildCollection({
    id: collectionId(path),
    title,
    description: `STAC collection for data of ${wireName(level)} ${path.split('/').toReversed().join(', ')}`,
    self: createAddresses(deps.baseUrl).collection(path),
    root: rootTarget(deps),
    parent: parent === '' ? rootTarget(deps) : target(deps, parent, await titlesAround(deps, parent)),
    ...(level === 'tehsil'
      ? { items: items.map((item) => itemTarget(deps, item)) }
      : { children: await childTargets(deps, all, path) }),
    links: [{ rel: 'license', href: licenseUrl, title: license, type: 'text/html' }],
    keywords: ['land cover', 'tehsil', ...path.split('/')],
    license,
    providers,
    extent: extentOf(items.map(({ item }) => item)),
    ...memberFields(membersOf(items.map(({ item }) => item))),
  });
}

/** A published Item by its collection and id. Throws `not_found`. */
export async function itemOf(deps: ServiceDeps, path: string, id: string): Promise<PublishedItem['item']> {
  const found = await deps.stores.catalog.item(path, id);
  if (found === undefined) throw absent('item', { id });
  return publicItem(found, deps);
}

function titlesAround(deps: ServiceDeps, path: string): Promise<TitleOf> {
  return titlesBelow(deps, path.slice(0, Math.max(0, path.lastIndexOf('/'))));
}

async function childTargets(deps: ServiceDeps, all: readonly string[], path: string): Promise<readonly LinkTarget[]> {
  const titleOf = await titlesBelow(deps, path);
  return childrenOf(all, `${path}/`).map((child) => target(deps, child, titleOf));
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
