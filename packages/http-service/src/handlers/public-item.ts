import type { ItemKey, PublishedItem, RunItem } from '@headwater/core';
import { EXTENSIONS, MEDIA } from '@headwater/stac';
import { createAddresses, withBase } from '../wire/addresses.ts';

/** The Item as it is served: real addresses for the stored stand-in, and the version that publishing gave it. */
export function publicItem(published: PublishedItem | RunItem, baseUrl: string): PublishedItem['item'] {
  const served = withBase(published.item, baseUrl);
  const extensions = Array.isArray(served['stac_extensions']) ? served['stac_extensions'] : [];
  const properties = typeof served['properties'] === 'object' ? served['properties'] : {};
  const version = { version: String(published.version) };
  const item = {
    ...served,
    stac_extensions: extensions.includes(EXTENSIONS.version) ? extensions : [...extensions, EXTENSIONS.version],
    properties: { ...properties, ...version },
  };
  return 'replaced' in published && published.replaced ? deprecated(item, itemAddress(published, baseUrl)) : item;
}

/** Public address of an Item. */
export function itemAddress({ collectionPath, id }: ItemKey, baseUrl: string): string {
  return createAddresses(baseUrl).item(collectionPath, id);
}

/** A version that is not the present one, in the words of the version extension: marked, with a link to the present one. */
function deprecated(item: PublishedItem['item'], latest: string): PublishedItem['item'] {
  const links: readonly unknown[] = Array.isArray(item['links']) ? item['links'] : [];
  const link = { rel: 'latest-version', href: latest, type: MEDIA.geojson, title: 'The present version of this Item' };
  return {
    ...item,
    properties: { ...Object(item['properties']), deprecated: true },
    links: [...links, link],
  };
}
