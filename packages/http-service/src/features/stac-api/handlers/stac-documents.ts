import type { CollectionRecord } from '@headwater/core/ports';
import type { ItemKey, PublishedItem } from '@headwater/core';
import { buildCatalog, buildCollection, type Catalog, type Collection, type LinkTarget } from '@headwater/stac';
import type { Ports } from '../../../deps.ts';
import { absent } from '../../../wire/absent.ts';
import { createAddresses } from '../../../wire/addresses.ts';
import { paths } from '../../../wire/paths.ts';
import { collectionMembers, COLLECTION_LEVELS as LEVELS, OF_PUBLISHED } from './collection-members.ts';
import { absentItem, whyAbsent } from '../../../items/known-places.ts';
import { publishedPath, publishedStates } from './collection-tree.ts';
import { titlesOnPath, type TitleOf } from '../../../items/place-titles.ts';
import { itemAddress } from '../../../items/public-item.ts';
import { withPublicBase, withTreeLinks } from '../../../items/item-form.ts';

/** Dependencies of the catalogue's documents. */
export type CatalogDeps = Ports<'stores' | 'baseUrl' | 'publication' | 'itemForm' | 'pipelines' | 'canCompute'>;

/** The root catalogue: one child for each state with Items. */
export async function rootCatalog(deps: CatalogDeps): Promise<Catalog> {
  const states = await publishedStates(deps.stores.catalog);
  const titleOf = await titlesOnPath(deps, '');
  return buildCatalog(
    {
      id: 'headwater',
      title: deps.publication.title,
      description: 'Layers computed per tehsil, as static STAC: states, districts and blocks, with Items below blocks.',
      self: createAddresses(deps.baseUrl).catalog(),
      children: states.map((path) => target(deps, path, titleOf)),
      links: [
        { rel: 'service-desc', href: deps.baseUrl + paths.openApi, title: 'OpenAPI', type: 'application/json' },
        { rel: 'service-doc', href: deps.baseUrl + paths.docs, title: 'API reference', type: 'text/html' },
      ],
    },
    OF_PUBLISHED,
  );
}

/** Collection of a state, district or block, by its slugs. Throws `not_found`. */
export async function collectionOf(deps: CatalogDeps, slugs: readonly string[]): Promise<Collection> {
  const found = await recordOf(deps, slugs);
  // A state has thousands of Items, so only a block has links to Items.
  const items = found.level === 'tehsil' ? await deps.stores.catalog.itemsOf(found.record.path) : [];
  return build(deps, { ...found, titleOf: await titlesOnPath(deps, found.record.path), items });
}

/** A Collection without links to Items, with the titles of the places on its path. */
export interface CollectionHead {
  readonly path: string;
  readonly titleOf: TitleOf;
  readonly collection: Collection;
}

/** Reads a Collection for its page, without its Items. Throws `not_found`. */
export async function collectionHead(deps: CatalogDeps, slugs: readonly string[]): Promise<CollectionHead> {
  const found = await recordOf(deps, slugs);
  const { path } = found.record;
  const titleOf = await titlesOnPath(deps, path);
  return { path, titleOf, collection: build(deps, { ...found, titleOf, items: [] }) };
}

interface Found {
  readonly level: (typeof LEVELS)[number];
  readonly record: CollectionRecord;
}

async function recordOf(deps: CatalogDeps, slugs: readonly string[]): Promise<Found> {
  const level = LEVELS[slugs.length - 1] ?? 'tehsil';
  const record = await recordAt(deps, slugs.join('/'));
  if (record === undefined) {
    const name = slugs.at(-1) ?? '';
    throw absent('collection', { level, name, ...(await whyAbsent(deps, slugs)) });
  }
  return { level, record };
}

function build(
  deps: CatalogDeps,
  { level, record, titleOf, items }: Found & { readonly titleOf: TitleOf; readonly items: readonly PublishedItem[] },
): Collection {
  const { path, children } = record;
  const parent = path.slice(0, Math.max(0, path.lastIndexOf('/')));
  return buildCollection(
    {
      ...collectionMembers(deps, { record, titleOf }),
      self: createAddresses(deps.baseUrl).collection(path),
      root: rootTarget(deps),
      parent: parent === '' ? rootTarget(deps) : target(deps, parent, titleOf),
      ...(level === 'tehsil'
        ? { items: items.map((item) => itemTarget(deps, item)) }
        : { children: children.map((child) => target(deps, child, titleOf)) }),
    },
    OF_PUBLISHED,
  );
}

/** Stored text of a published Item with the links of the static catalogue. Throws `not_found`. */
export async function itemTextOf(
  deps: Pick<CatalogDeps, 'stores' | 'itemForm' | 'baseUrl' | 'pipelines' | 'canCompute'>,
  key: ItemKey,
): Promise<string> {
  const { stores, itemForm, baseUrl } = deps;
  const found = await stores.search.itemAt(key, itemForm);
  if (found === undefined) throw await absentItem(deps, key);
  return withPublicBase(withTreeLinks(found.text, found), baseUrl);
}

async function recordAt({ stores }: CatalogDeps, path: string): Promise<CollectionRecord | undefined> {
  const found = await stores.catalog.collection(path);
  if (found !== undefined) return found;
  const published = publishedPath(await stores.catalog.collections(), path);
  return published === undefined ? undefined : await stores.catalog.collection(published);
}

function rootTarget({ baseUrl, publication }: CatalogDeps): LinkTarget {
  return { href: createAddresses(baseUrl).catalog(), title: publication.title };
}

function target({ baseUrl }: CatalogDeps, path: string, titleOf: TitleOf): LinkTarget {
  return { href: createAddresses(baseUrl).collection(path), title: titleOf(path) };
}

function itemTarget({ baseUrl }: CatalogDeps, published: PublishedItem): LinkTarget {
  const { id, item } = published;
  const properties = item['properties'];
  const title = typeof properties === 'object' && properties !== null && 'title' in properties ? properties.title : id;
  return { href: itemAddress(published, baseUrl), title: String(title) };
}
