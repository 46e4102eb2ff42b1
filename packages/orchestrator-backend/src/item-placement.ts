import { CATALOGUE_TITLE } from '@headwater/core/pipelines';
import { isObject } from '@headwater/core/values';
import type { Place } from '@headwater/core';
import { collectionId, idSlug, linkTitleOf, MEDIA } from '@headwater/stac';
import type { BackendDeps } from './settings.ts';

type Item = Readonly<Record<string, unknown>>;

/** The place of a run, and the path of its Collection. */
export interface PublicationPlace {
  readonly place: Place;
  readonly path: string;
}

/** Links that define the position of an Item in a catalogue tree. */
const TREE_LINKS: ReadonlySet<unknown> = new Set(['root', 'collection', 'parent', 'self']);

/** True for an Item of the run's Collection. The container may name the Collection by the tehsil only. */
export function belongsToRun({ collection }: Item, { place, path }: PublicationPlace): boolean {
  if (typeof collection !== 'string') return false;
  return collection === collectionId(path) || idSlug(collection) === idSlug(place.tehsil.name);
}

/** Moves an Item into the run's Collection in this catalogue: replaces its Collection and its links in the catalogue tree. */
export function inRunCollection(
  item: Item,
  { place, path }: PublicationPlace,
  addresses: BackendDeps['addresses'],
): Item {
  const id = String(item['id']);
  const { links } = item;
  const collection = { href: addresses.collection(path), type: MEDIA.json, title: place.tehsil.name };
  const others = (Array.isArray(links) ? links : []).filter((link) => !isObject(link) || !TREE_LINKS.has(link['rel']));
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
