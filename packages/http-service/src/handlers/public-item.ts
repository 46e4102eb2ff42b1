import { isObject, type PublishedItem } from '@headwater/core';
import { EXTENSIONS } from '@headwater/stac';
import { latestAssetAddress, ofRun, withBase } from '../wire/addresses.ts';

const ALTERNATE_ASSETS = 'https://stac-extensions.github.io/alternate-assets/v1.2.0/schema.json';

/**
 * The Item as it is served: real addresses for the stored stand-in, and the version that publishing gave it. Each asset's `href`
 * answers the bytes of this version, so that a download that a recompute overtakes stays whole; its alternate `latest` answers
 * the newest version for as long as the Item is published.
 */
export function publicItem(published: PublishedItem, baseUrl: string): PublishedItem['item'] {
  const served = withBase(published.item, baseUrl);
  const properties = isObject(served['properties']) ? served['properties'] : {};
  return {
    ...served,
    stac_extensions: withExtensions(served['stac_extensions'], [EXTENSIONS.version, ALTERNATE_ASSETS]),
    properties: { ...properties, version: String(published.version) },
    assets: publicAssets(published, served['assets'], baseUrl),
  };
}

function publicAssets(
  published: PublishedItem,
  assets: unknown,
  baseUrl: string,
): Readonly<Record<string, unknown>> | undefined {
  if (!isObject(assets)) return undefined;
  const entries = Object.entries(assets).map(([name, asset]) => {
    const latest = latestAssetAddress(baseUrl, published, name);
    return [name, isObject(asset) ? publicAsset(asset, { latest, runId: published.runId, baseUrl }) : asset] as const;
  });
  return Object.fromEntries(entries);
}

interface AssetAddresses {
  readonly latest: string;
  readonly runId: string;
  readonly baseUrl: string;
}

function publicAsset(
  asset: Readonly<Record<string, unknown>>,
  { latest, runId, baseUrl }: AssetAddresses,
): Readonly<Record<string, unknown>> {
  const { href } = asset;
  if (typeof href !== 'string') return asset;
  const alternate = { latest: { href: latest, title: 'Newest version' } };
  return { ...asset, href: ofRun(href, runId, baseUrl), alternate };
}

function withExtensions(declared: unknown, wanted: readonly string[]): readonly unknown[] {
  const present: readonly unknown[] = Array.isArray(declared) ? declared : [];
  return [...present, ...wanted.filter((url) => !present.includes(url))];
}
