import type { CollectionRecord, ListedCollection } from '@headwater/core/ports';
import { buildCollection, collectionId, MEDIA, type Collection, type LinkTarget } from '@headwater/stac';
import type { Ports } from '../../../deps.ts';
import { absentCollection } from '../../../items/known-places.ts';
import { stacApiAddresses, type StacApiAddresses } from '../schemas/addresses.ts';
import { collectionMembers, OF_PUBLISHED } from './collection-members.ts';
import { type TitleOf, titlesOnPath } from '../../../items/place-titles.ts';
import type { ApiLink } from './links.ts';

export const QUERYABLES_REL = 'http://www.opengis.net/def/rel/ogc/1.0/queryables';
export const SCHEMA_TYPE = 'application/schema+json';
/** Maximum number of links to Items. A tehsil has fewer Items (layers times years). */
const MOST_ITEM_LINKS = 10_000;
const DEPTH_OF_TEHSILS = 3;

/** A Collection of the API with the links of the STAC API specification. */
export type ApiCollection = Omit<Collection, 'links'> & { readonly links: readonly ApiLink[] };

/** Builds documents of Collections. Titles of parent places are cached. */
export interface CollectionDocuments {
  /** Document of a Collection. `withItems`: adds links to its Items. */
  of(record: CollectionRecord, withItems: boolean): Promise<ApiCollection>;
}

/** Creates the builder for the documents of one response. */
export function collectionDocuments(
  deps: Ports<'baseUrl' | 'pipelines' | 'publication' | 'stores'>,
): CollectionDocuments {
  const titles = new Map<string, Promise<TitleOf>>();
  const titlesOf = (path: string): Promise<TitleOf> => {
    const known = titles.get(path);
    if (known !== undefined) return known;
    const pending = titlesOnPath(deps, path);
    titles.set(path, pending);
    return pending;
  };
  return {
    async of(record, withItems) {
      const { path } = record;
      // The look-up of a district also returns the titles of its tehsils, so one look-up is enough for all of them.
      const titleOf = await titlesOf(record.children.length > 0 ? path : parentOf(path));
      const items = withItems ? await itemTargets(deps, path) : [];
      return document(deps, { record, titleOf, items });
    },
  };
}

/** Finds the Collection with this id. Throws `not_found`. */
export async function collectionById(
  deps: Ports<'canCompute' | 'pipelines' | 'stores'>,
  id: string,
): Promise<CollectionRecord> {
  const record = await deps.stores.catalog.collection(await collectionPath(deps, id));
  if (record === undefined) throw await absentCollection(deps, id);
  return record;
}

/** Finds the path of the Collection with this id. Throws `not_found`. */
export async function collectionPath(deps: Ports<'canCompute' | 'pipelines' | 'stores'>, id: string): Promise<string> {
  const path = await deps.stores.search.pathOf(id);
  if (path === undefined) throw await absentCollection(deps, id);
  return path;
}

/** True for the Collection of a tehsil, which may contain Items. */
export function holdsItems({ path }: Pick<ListedCollection, 'path'>): boolean {
  return path.split('/').length === DEPTH_OF_TEHSILS;
}

interface Described {
  readonly record: CollectionRecord;
  readonly titleOf: TitleOf;
  readonly items: readonly LinkTarget[];
}

function document(
  deps: Ports<'baseUrl' | 'pipelines' | 'publication'>,
  { record, titleOf, items }: Described,
): ApiCollection {
  const { path, children } = record;
  const addresses = stacApiAddresses(deps.baseUrl);
  const parent = parentOf(path);
  const root = { href: addresses.landing, title: deps.publication.title };
  const built = buildCollection(
    {
      ...collectionMembers(deps, { record, titleOf }),
      self: addresses.collection(collectionId(path)),
      root,
      parent: parent === '' ? root : target(addresses, parent, titleOf),
      children: children.map((child) => target(addresses, child, titleOf)),
      items,
    },
    OF_PUBLISHED,
  );
  return { ...built, links: [...built.links, ...furtherLinks(addresses, collectionId(path))] };
}

function furtherLinks(addresses: StacApiAddresses, id: string): readonly ApiLink[] {
  return [
    { rel: 'items', href: addresses.items(id), type: MEDIA.geojson, title: 'Items' },
    { rel: QUERYABLES_REL, href: addresses.collectionQueryables(id), type: SCHEMA_TYPE, title: 'Queryables' },
    { rel: 'children', href: addresses.collectionChildren(id), type: MEDIA.json, title: 'Collections below' },
  ];
}

async function itemTargets(
  { stores, baseUrl }: Ports<'baseUrl' | 'stores'>,
  path: string,
): Promise<readonly LinkTarget[]> {
  const addresses = stacApiAddresses(baseUrl);
  const listed = await stores.catalog.listOf(path, { limit: MOST_ITEM_LINKS, offset: 0 });
  return listed.map(({ id, title }) => ({ href: addresses.item(collectionId(path), id), title: title ?? id }));
}

function target(addresses: StacApiAddresses, path: string, titleOf: TitleOf): LinkTarget {
  return { href: addresses.collection(collectionId(path)), title: titleOf(path) };
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}
