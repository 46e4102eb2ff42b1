import type { Within } from '@headwater/net/files';
import { publicAddress, type Box } from '@headwater/core';
import { isTiff } from '../scenes/bands.ts';
import { isReadable, resolveHref } from '../scenes/href.ts';
import { asList, asObject, asText, own, type JsonObject } from '../scenes/json.ts';
import { bboxOf, MAX_ASSETS } from '../scenes/scene-from-item.ts';
import type { DemNotice } from './dem-notice.ts';

/** Keys of an asset with elevations; earlier keys are preferred. Copernicus uses `data`. */
const KEYS = ['elevation', 'dem', 'data'] as const;

/** Tile with the id of its Collection ('' for none), or the reason why the Item has no tile. */
export type TileOrReason = { readonly tile: DemTile; readonly collection: string } | { readonly reason: string };

/**
 * Finds the GeoTIFF of elevations in a STAC Item (1.0 or 1.1): an asset of `KEYS`, or the only asset with role `data`.
 * Never throws.
 */
export function demFromItem(value: unknown, itemHref: string, within?: Within): TileOrReason {
  const item = asObject(value);
  const assets = item && asObject(own(item, 'assets'));
  if (item === undefined || own(item, 'type') !== 'Feature' || assets === undefined)
    return { reason: 'is not a STAC Item with assets; correct it, or the link to it' };
  if (Object.keys(assets).length > MAX_ASSETS) return { reason: `has more than ${MAX_ASSETS} assets; remove some` };
  const bbox = bboxOf(item);
  if (bbox === undefined) return { reason: 'has no bbox of 4 or 6 numbers; add it' };
  const asset = demAsset(assets);
  const text = asset && asText(own(asset, 'href'));
  if (asset === undefined || text === undefined)
    return {
      reason: `has no GeoTIFF asset named ${KEYS.join(' or ')}, and none or several with the role data; name the asset with the elevations "${KEYS[0]}"`,
    };
  const href = ofBucket(text) ?? resolveHref(itemHref, text);
  if (href === undefined || !isReadable(href))
    return {
      reason: `href ${JSON.stringify(publicAddress(text))} is not an http(s) address or a readable file; correct it`,
    };
  const properties = asObject(own(item, 'properties')) ?? {};
  const tile = {
    href,
    bbox,
    itemVersion: JSON.stringify([own(properties, 'updated'), own(asset, 'file:checksum'), own(asset, 'updated')]),
    within,
    synthetic: own(properties, 'headwater:synthetic') === true,
  };
  return { tile, collection: asText(own(item, 'collection')) ?? '' };
}

function demAsset(assets: JsonObject): JsonObject | undefined {
  const tiffs = Object.entries(assets).flatMap(([key, value]) => {
    const asset = asObject(value);
    return asset !== undefined && isTiff(asset) ? [{ key: key.toLowerCase(), asset }] : [];
  });
  for (const name of KEYS) {
    const named = tiffs.find(({ key }) => key === name);
    if (named !== undefined) return named.asset;
  }
  const data = tiffs.filter(({ asset }) => asList(own(asset, 'roles')).includes('data'));
  return data.length === 1 ? data[0]?.asset : undefined;
}

/** The https address of a file with an `s3:` address, as Earth Search lists Copernicus tiles. */
function ofBucket(href: string): string | undefined {
  const [, bucket, key] = /^s3:\/\/([a-z0-9][a-z0-9-]{1,61}[a-z0-9])\/(.+)$/.exec(href) ?? [];
  return bucket === undefined || key === undefined ? undefined : `https://${bucket}.s3.amazonaws.com/${encodeURI(key)}`;
}

/** File of elevations. */
export interface DemTile {
  /** Absolute path, or http(s) address. */
  readonly href: string;
  /** Bounding box from the Item. */
  readonly bbox?: Box;
  /** Version from the Item; '' without an Item. */
  readonly itemVersion: string;
  /** Allowed folders of a local file; undefined: all folders. */
  readonly within?: Within;
  readonly synthetic: boolean;
}

/** Tiles of one data set with one notice (title, license, credit), because a published Item has only one notice. */
export interface DemSet {
  readonly tiles: readonly DemTile[];
  /** Notice of the data set, read on use. */
  readonly notice: () => Promise<DemNotice>;
}
