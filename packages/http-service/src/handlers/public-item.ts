import type { ItemKey, PublishedItem, RunItem } from '@headwater/core';
import { EXTENSIONS, isObject, MEDIA } from '@headwater/stac';
import type { ServiceDeps } from '../deps.ts';
import type { Publication } from '../publication.ts';
import { createAddresses, withBase } from '../wire/addresses.ts';

type Members = Readonly<Record<string, unknown>>;

/**
 * The Item as it is served: real addresses for the stored stand-in, the version that publishing gave it, and what the
 * composition says of everything published, where the Item itself says nothing.
 */
export function publicItem(
  published: PublishedItem | RunItem,
  { baseUrl, publication }: Pick<ServiceDeps, 'baseUrl' | 'publication'>,
): PublishedItem['item'] {
  const served = withBase(published.item, baseUrl);
  const extensions = listOf(served['stac_extensions']);
  const properties = isObject(served['properties']) ? served['properties'] : {};
  const item = {
    ...served,
    stac_extensions: extensions.includes(EXTENSIONS.version) ? extensions : [...extensions, EXTENSIONS.version],
    properties: { ...credited(properties, publication), version: String(published.version) },
    links: listOf(served['links']).map((link) => titled(link, publication)),
  };
  return 'replaced' in published && published.replaced ? deprecated(item, itemAddress(published, baseUrl)) : item;
}

/** Public address of an Item. */
export function itemAddress({ collectionPath, id }: ItemKey, baseUrl: string): string {
  return createAddresses(baseUrl).item(collectionPath, id);
}

function credited(properties: Members, { license, providers, attribution }: Publication): Members {
  const credits = [properties['attribution'], attribution].filter((text) => typeof text === 'string');
  return {
    license,
    providers,
    ...properties,
    ...(credits.length === 0 ? {} : { attribution: credits.join('. ') }),
  };
}

/** Titles of links are their targets' titles: the catalogue's may have changed since the Item was made. */
function titled(link: unknown, { title }: Publication): unknown {
  return isObject(link) && link['rel'] === 'root' ? { ...link, title } : link;
}

interface Versioned {
  readonly properties: Members;
  readonly links: readonly unknown[];
}

/** A version that is not the present one, in the words of the version extension: marked, with a link to the present one. */
function deprecated(item: Versioned & Members, latest: string): Members {
  const link = { rel: 'latest-version', href: latest, type: MEDIA.geojson, title: 'The present version of this Item' };
  return { ...item, properties: { ...item.properties, deprecated: true }, links: [...item.links, link] };
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
