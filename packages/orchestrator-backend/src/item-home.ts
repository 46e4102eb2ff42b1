import { CATALOGUE_TITLE } from '@headwater/core/pipelines';
import { isObject } from '@headwater/core/values';
import type { Place } from '@headwater/core';
import { collectionId, idSlug, linkTitleOf, MEDIA } from '@headwater/stac';
import type { BackendDeps } from './settings.ts';

type Item = Readonly<Record<string, unknown>>;

/** The place of a run, and the path of its Collection. */
export interface Home {
  readonly place: Place;
  readonly path: string;
}

/** Links that say where in a tree an Item is. */
const OF_TREE: ReadonlySet<unknown> = new Set(['root', 'collection', 'parent', 'self']);

/** True for an Item of the run's Collection; a container may know that by the name of its tehsil alone, which is what the interface asks for. */
export function isAtHome({ collection }: Item, { place, path }: Home): boolean {
  if (typeof collection !== 'string') return false;
  return collection === collectionId(path) || idSlug(collection) === idSlug(place.tehsil.name);
}

/** The Item in our catalogue: wherever its container keeps it, its Collection is the run's, and the links of a tree lead through ours. */
export function broughtHome(item: Item, { place, path }: Home, addresses: BackendDeps['addresses']): Item {
  const id = String(item['id']);
  const { links } = item;
  const collection = { href: addresses.collection(path), type: MEDIA.json, title: place.tehsil.name };
  const others = (Array.isArray(links) ? links : []).filter((link) => !isObject(link) || !OF_TREE.has(link['rel']));
  return {
    ...item,
    collection: collectionId(path),
    links: [
      { rel: 'root', href: addresses.catalog(), type: MEDIA.json, title: CATALOGUE_TITLE },
      { rel: 'collection', ...collection },
      { rel: 'parent', ...collection },
      { rel: 'self', href: addresses.item(path, id), type: MEDIA.geojson, title: linkTitleOf(item) },
      ...others,
    ],
  };
}
