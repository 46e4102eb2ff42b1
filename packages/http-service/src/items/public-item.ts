import { isObject } from '@headwater/core/values';
import { type ItemKey, publicAddress, type PublishedItem } from '@headwater/core';
import type { RunItem } from '@headwater/core/ports';
import { EXTENSIONS, MEDIA } from '@headwater/stac';
import type { Ports } from '../deps.ts';
import type { Publication } from '../layers/publication.ts';
import { hasMapLink, type ItemMaps, mapMembers } from './map-links.ts';
import { createAddresses, latestAssetAddress, ofRun, withBase } from '../wire/addresses.ts';

type Members = Readonly<Record<string, unknown>>;

/**
 * Returns the Item as it is sent: with version, credits, public base address and links to maps. The `href` of an asset
 * always has the bytes of this version; its alternate `latest` has the newest bytes.
 */
export function publicItem(
  published: PublishedItem | RunItem,
  { baseUrl, publication, mapServer }: Ports<'baseUrl' | 'publication'> & ItemMaps,
): PublishedItem['item'] {
  const served = withBase(published.item, baseUrl);
  const properties = isObject(served['properties']) ? served['properties'] : {};
  const maps = mapMembers(served, published.runId, { baseUrl, mapServer });
  const added = [EXTENSIONS.version, EXTENSIONS.alternate, ...(hasMapLink(maps.links) ? [EXTENSIONS.webMapLinks] : [])];
  const item = {
    ...served,
    stac_extensions: withExtensions(served['stac_extensions'], added),
    properties: { ...credited(properties, publication), version: String(published.version) },
    links: [...listOf(served['links']).map((link) => publicLink(link, { baseUrl, publication })), ...maps.links],
    assets: publicAssets(published, { own: served['assets'], maps: maps.assets }, baseUrl),
  };
  return 'replaced' in published && published.replaced ? deprecated(item, itemAddress(published, baseUrl)) : item;
}

/** Public address of an Item. */
export function itemAddress({ collectionPath, id }: ItemKey, baseUrl: string): string {
  return createAddresses(baseUrl).item(collectionPath, id);
}

function publicAssets(
  published: PublishedItem,
  { own, maps }: { readonly own: unknown; readonly maps: Members },
  baseUrl: string,
): Members | undefined {
  if (!isObject(own)) return undefined;
  const entries = Object.entries(own).map(([name, asset]) => {
    const latest = latestAssetAddress(baseUrl, published, name);
    return [name, isObject(asset) ? publicAsset(asset, { latest, runId: published.runId, baseUrl }) : asset] as const;
  });
  return { ...Object.fromEntries(entries), ...maps };
}

interface AssetAddresses {
  readonly latest: string;
  readonly runId: string;
  readonly baseUrl: string;
}

function publicAsset(asset: Members, { latest, runId, baseUrl }: AssetAddresses): Members {
  const { href } = asset;
  if (typeof href !== 'string') return asset;
  const alternate = { latest: { href: latest, title: 'Newest version' } };
  return { ...asset, href: ofRun(href, runId, baseUrl), alternate };
}

function withExtensions(declared: unknown, wanted: readonly string[]): readonly unknown[] {
  const present = listOf(declared);
  return [...present, ...wanted.filter((url) => !present.includes(url))];
}

function credited(properties: Members, { license, licenseUrl, providers, attribution }: Publication): Members {
  const credits = [properties['attribution'], attribution].filter((text) => typeof text === 'string');
  return {
    ...(licenseUrl === undefined ? {} : { license }),
    ...(providers.length === 0 ? {} : { providers }),
    ...properties,
    ...(credits.length === 0 ? {} : { attribution: credits.join('. ') }),
  };
}

const SOURCES: readonly unknown[] = ['derived_from', 'via'];

/**
 * A link to the root gets the catalogue's present title. Keys and signatures are removed from addresses of sources,
 * because older Items may contain them.
 */
function publicLink(link: unknown, { baseUrl, publication }: Ports<'baseUrl' | 'publication'>): unknown {
  if (!isObject(link)) return link;
  const { rel, href } = link;
  if (rel === 'root') return { ...link, title: publication.title };
  if (!SOURCES.includes(rel) || typeof href !== 'string' || href.startsWith(baseUrl)) return link;
  return { ...link, href: publicAddress(href) };
}

interface Versioned {
  readonly properties: Members;
  readonly links: readonly unknown[];
}

function deprecated(item: Versioned & Members, latest: string): Members {
  const link = { rel: 'latest-version', href: latest, type: MEDIA.geojson, title: 'The present version of this Item' };
  return { ...item, properties: { ...item.properties, deprecated: true }, links: [...item.links, link] };
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
