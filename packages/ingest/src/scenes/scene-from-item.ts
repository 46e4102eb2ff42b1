import type { PixelGrid, SceneBand } from '@headwater/core/pixel-plan';
import { millisecondsOf } from '@headwater/core/search';
import { publicAddress, type Scene } from '@headwater/core';
import type { Within } from '@headwater/net/files';
import { BAND_NAMES, findBand } from './bands.ts';
import type { ProductFacts } from './baseline.ts';
import { bandScale } from './band-scale.ts';
import { isReadable, resolveHref } from './href.ts';
import { asList, asNumber, asObject, asText, own, type JsonObject } from './json.ts';
import { processingOf } from './processing.ts';

/** Assets of an Item at most, many times those of any product: each band looks through all of them. */
export const MAX_ASSETS = 300;

/** A scene, or why the Item is none. */
export type SceneOrReason = { readonly scene: Scene } | { readonly reason: string };

/**
 * A STAC Item (1.0 or 1.1) of Sentinel-2 L2A or alike -> scene with its bands recognised and scaled; hrefs resolved against `itemHref`
 * (URL or absolute path); local files must lie `within` these folders when they are read. Bands that the Item lacks are absent from the scene. Never throws: what is wrong comes back as a reason.
 */
export function sceneFromItem(value: unknown, itemHref: string, within?: Within): SceneOrReason {
  const item = asObject(value);
  if (item === undefined || own(item, 'type') !== 'Feature')
    return { reason: 'is not a STAC Item (type must be "Feature")' };
  const id = asText(own(item, 'id'));
  const properties = asObject(own(item, 'properties'));
  const assets = asObject(own(item, 'assets'));
  if (id === undefined || properties === undefined || assets === undefined)
    return { reason: 'lacks id, properties or assets' };
  if (Object.keys(assets).length > MAX_ASSETS) return { reason: `has more than ${MAX_ASSETS} assets` };
  const datetime = instantOf(properties);
  if (datetime === undefined) return { reason: 'has neither datetime nor start_datetime' };
  const bbox = bboxOf(item);
  if (bbox === undefined) return { reason: 'has no bbox of 4 or 6 numbers' };
  const found = sceneBands(assets, { id, properties, datetime }, { itemHref, within });
  if (typeof found === 'string') return { reason: found };
  const { bands, offsetUnknown } = found;
  const crs = crsOf(properties, assets);
  if (crs === undefined) return { reason: 'names no CRS (proj:code or proj:epsg)' };
  const grid = gridOf(crs, properties, assets);
  const cloudCover = asNumber(own(properties, 'eo:cloud_cover'));
  return {
    scene: {
      id,
      itemHref: publicAddress(itemHref),
      collection: asText(own(item, 'collection')) ?? '',
      datetime,
      bands,
      crs,
      bbox,
      processing: processingOf(id, properties),
      synthetic: own(properties, 'headwater:synthetic') === true,
      ...(grid === undefined ? {} : { grid }),
      ...(offsetUnknown ? { offsetUnknown } : {}),
      ...(cloudCover === undefined ? {} : { cloudCover }),
    },
  };
}

/** Bands of an Item. `offsetUnknown`: one of them has an offset that nobody knows; it stands there as 0. */
interface FoundBands {
  readonly bands: Readonly<Record<string, SceneBand>>;
  readonly offsetUnknown: boolean;
}

/** Where the hrefs of an Item's assets lead from. */
interface ItemPlace {
  readonly itemHref: string;
  readonly within: Within;
}

function sceneBands(assets: JsonObject, facts: ProductFacts, { itemHref, within }: ItemPlace): FoundBands | string {
  const bands: Record<string, SceneBand> = {};
  let offsetUnknown = false;
  const unreadable: string[] = [];
  for (const band of BAND_NAMES) {
    const found = findBand(assets, band);
    const text = found && asText(own(found.asset, 'href'));
    if (found === undefined || text === undefined) continue;
    const href = resolveHref(itemHref, text);
    if (href === undefined || !isReadable(href)) {
      unreadable.push(`asset ${found.key}: href ${JSON.stringify(publicAddress(text))} is neither http(s) nor a file`);
      continue;
    }
    const { offset, ...scale } = bandScale(band, found.asset, facts);
    offsetUnknown ||= offset === undefined;
    bands[band] = { href, offset: offset ?? 0, ...scale, ...(within === undefined ? {} : { within }) };
  }
  return Object.keys(bands).length > 0
    ? { bands, offsetUnknown }
    : (unreadable[0] ?? 'has no GeoTIFF asset of a known band (B02..B12, SCL or their common names)');
}

/** Acquisition as UTC text: datetime, or the start where it is null. */
function instantOf(properties: JsonObject): string | undefined {
  const text = asText(own(properties, 'datetime')) ?? asText(own(properties, 'start_datetime'));
  const time = text === undefined ? Number.NaN : millisecondsOf(text);
  return Number.isNaN(time) ? undefined : new Date(time).toISOString();
}

/** The lon/lat box of an Item, heights left out. */
export function bboxOf(item: JsonObject): Scene['bbox'] | undefined {
  const list = asList(own(item, 'bbox')).map(asNumber);
  const [w, s, e, n] = list.length === 6 ? [list[0], list[1], list[3], list[4]] : list.length === 4 ? list : [];
  return w === undefined || s === undefined || e === undefined || n === undefined ? undefined : [w, s, e, n];
}

/** CRS of the Item, or of its red or near-infrared asset. */
function crsOf(properties: JsonObject, assets: JsonObject): string | undefined {
  for (const place of [properties, ...tenMetreAssets(assets)]) {
    const code = asText(own(place, 'proj:code'));
    if (code !== undefined && /^EPSG:\d{4,6}$/.test(code)) return code;
    const epsg = asNumber(own(place, 'proj:epsg'));
    if (epsg !== undefined && Number.isInteger(epsg)) return `EPSG:${epsg}`;
  }
  return undefined;
}

/** Native grid of the 10 m bands, where the Item tells it. */
function gridOf(crs: string, properties: JsonObject, assets: JsonObject): PixelGrid | undefined {
  for (const place of [...tenMetreAssets(assets), properties]) {
    const [a, b, west, d, e, north] = asList(own(place, 'proj:transform')).map(asNumber);
    const [rows, cols] = asList(own(place, 'proj:shape')).map(asNumber);
    if (a === undefined || e === undefined || west === undefined || north === undefined) continue;
    if (rows === undefined || cols === undefined || b !== 0 || d !== 0 || a <= 0 || e >= 0) continue;
    return { crs, west, north, pixelWidth: a, pixelHeight: -e, cols, rows };
  }
  return undefined;
}

function tenMetreAssets(assets: JsonObject): readonly JsonObject[] {
  return (['red', 'nir'] as const).flatMap((band) => {
    const found = findBand(assets, band);
    return found === undefined ? [] : [found.asset];
  });
}
