import { isObject } from '@headwater/core/values';
import type { PublishedItem } from '@headwater/core';
import type { Ports } from '../../../deps.ts';
import type { Reply } from '../../../seam/reply.ts';
import { absent } from '../../../wire/absent.ts';
import { fileKeyOf, withBase } from '../../../wire/addresses.ts';
import type { RequestHeaders } from '../../../reading/conditions.ts';
import { seeNewest } from '../../maps/handlers/layer-file.ts';
import { mediaTypeOf } from '../../../answering/media-types.ts';
import { serveFile } from '../../../answering/serve-file.ts';

/** An asset by its place in the catalogue. */
export interface AssetPlace {
  /** Collection path, `state/district/block`. */
  readonly path: string;
  readonly item: string;
  /** Key of the asset in its Item. */
  readonly asset: string;
}

/** Answers the newest version of an Item's asset: our own files here, anything else by its own address. Throws `not_found`. */
export async function latestAsset(
  deps: Ports<'assets' | 'baseUrl' | 'stores'>,
  place: AssetPlace,
  { method, headers }: { readonly method: string; readonly headers: RequestHeaders },
): Promise<Reply> {
  const published = await deps.stores.catalog.item(place.path, place.item);
  if (published === undefined) throw absent('item', { id: place.item });
  const href = hrefOf(published, place.asset, deps.baseUrl);
  if (href === undefined) throw absent('asset', { id: place.item, asset: place.asset });
  const key = fileKeyOf(href, deps.baseUrl);
  if (key === undefined) return seeNewest(href);
  const file = await deps.assets?.open(key);
  if (file === undefined) throw absent('file', { key });
  return serveFile({ file, mediaType: mediaTypeOf(key), isLasting: false }, method, headers);
}

function hrefOf({ item }: PublishedItem, name: string, baseUrl: string): string | undefined {
  const assets = isObject(item['assets']) ? item['assets'] : {};
  const asset = Object.hasOwn(assets, name) ? assets[name] : undefined;
  const href = isObject(asset) ? asset['href'] : undefined;
  return typeof href === 'string' ? withBase(href, baseUrl) : undefined;
}
