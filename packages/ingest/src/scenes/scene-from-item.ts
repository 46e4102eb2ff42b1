import { publicAddress, type Scene } from '@headwater/core';
import type { PixelGrid, SceneBand, BandName } from '@headwater/core/pixel-plan';
import { millisecondsOf } from '@headwater/core/search';
import type { Within } from '@headwater/net/files';
import { BAND_NAMES, findBand } from './bands.ts';
import { isReadable, resolveHref } from './href.ts';
import { asList, asNumber, asObject, asText, type JsonObject, own } from './json.ts';
import { processingOf } from './processing.ts';

/**
 * First day of processing baseline 04.00 (25 January 2022; source: ESA). The digital numbers (DN) of products with this
 * baseline contain an offset of 1000.
 */
const OFFSET_SINCE = Date.parse('2022-01-25T00:00:00Z');
/** First processing baseline whose products contain the offset. */
const OFFSET_BASELINE = 4;

const BASELINES = ['s2:processing_baseline', 'sentinel:processing_baseline', 'processing:version'] as const;
const PRODUCTS = ['s2:product_uri', 's2:product_id', 'sentinel:product_id', 's2:granule_id'] as const;

/** Fields of an Item from which the offset is determined. */
interface ProductFacts {
  readonly id: string;
  readonly properties: JsonObject;
  /** Time of acquisition, ISO 8601. */
  readonly datetime: string;
}

/** True if the product's digital numbers contain the offset, false if they do not, undefined if this is unknown. */
function hasOffset({ id, properties, datetime }: ProductFacts): boolean | undefined {
  const baseline = baselineProperty(properties) ?? namedBaseline(id, properties);
  if (baseline !== undefined) return baseline >= OFFSET_BASELINE;
  return Date.parse(datetime) < OFFSET_SINCE ? false : undefined;
}

function baselineProperty(properties: JsonObject): number | undefined {
  for (const key of BASELINES) {
    const value = own(properties, key);
    if (asNumber(value) !== undefined) return asNumber(value);
    const text = asText(value);
    if (text !== undefined && /^\d{1,2}\.\d{2}$/.test(text)) return Number(text);
  }
  return undefined;
}

/** The baseline in a product's name (`_N0400_`) or a granule's name (`_N04.00`). */
function namedBaseline(id: string, properties: JsonObject): number | undefined {
  for (const name of [...PRODUCTS.map((key) => asText(own(properties, key))), id]) {
    const [, whole, rest] = /_N(\d{2})\.?(\d{2})(?=_|\.|$)/.exec(name ?? '') ?? [];
    if (whole !== undefined && rest !== undefined) return Number(`${whole}.${rest}`);
  }
  return undefined;
}

/** Offset (added to the DN), scale (reflectance per DN) and nodata of a band. */
interface BandScale {
  /** Offset in DN; undefined if neither the Item nor the day of the product determines the offset. */
  readonly offset: number | undefined;
  readonly scale: number;
  readonly nodata: number | null;
}

/** Sentinel-2 L2A: reflectance = (DN + offset) / 10000. */
const DEFAULT_SCALE = 0.0001;
const BASELINE_OFFSET = -1000;
/** Properties in which providers declare that the offset was subtracted. */
const APPLIED = ['earthsearch:boa_offset_applied', 'sentinel:boa_offset_applied'] as const;

/**
 * Conversion of a band's DNs to reflectance. The first rule that applies determines the offset. (1) The provider declares that the offset
 * is already applied (`earthsearch:boa_offset_applied: true`): 0. (2) The Item states an offset (in the asset, `bands` or `raster:bands`):
 * that offset, converted from reflectance to DN. An offset of 0 does not count if the provider declares that the offset is not applied. (3)
 * The processing baseline is known from a property or the product's name: -1000 DN from 04.00 on, otherwise 0. (4) The day is before that
 * baseline: 0. (5) The provider declares that no offset is applied: -1000. Otherwise unknown. Scene classification (SCL) is never scaled.
 */
function bandScale(band: BandName, asset: JsonObject, facts: ProductFacts): BandScale {
  const fields = rasterFields(asset);
  if (band === 'scl') return { offset: 0, scale: 1, nodata: fields.nodata };
  const scale = fields.scale ?? DEFAULT_SCALE;
  return { offset: offsetOf(fields.offset, scale, facts), scale, nodata: fields.nodata };
}

function offsetOf(fromItem: number | undefined, scale: number, facts: ProductFacts): number | undefined {
  const applied = APPLIED.map((key) => own(facts.properties, key)).find((value) => typeof value === 'boolean');
  if (applied === true) return 0;
  if (applied !== false && fromItem !== undefined) return Math.round(fromItem / scale);
  if (fromItem !== undefined && fromItem !== 0) return Math.round(fromItem / scale);
  // If the provider declares the offset as not applied, the values still contain the offset, unless the product is
  // known to have no offset.
  const carries = hasOffset(facts) ?? (applied === false ? true : undefined);
  if (carries === undefined) return undefined;
  return carries ? BASELINE_OFFSET : 0;
}

/** Reads offset, scale and nodata from the fields in which STAC 1.0 and 1.1 store them. A scale of zero is ignored. */
function rasterFields(asset: JsonObject): {
  offset: number | undefined;
  scale: number | undefined;
  nodata: number | null;
} {
  const bands = [own(asset, 'raster:bands'), own(asset, 'bands')].map((list) => asObject(asList(list)[0]));
  const places = [asset, ...bands.filter((b) => b !== undefined)];
  const first = (...keys: readonly string[]): number | undefined =>
    places.flatMap((place) => keys.map((key) => asNumber(own(place, key)))).find((value) => value !== undefined);
  const scale = first('raster:scale', 'scale');
  return {
    offset: first('raster:offset', 'offset'),
    scale: scale === 0 ? undefined : scale,
    nodata: first('nodata', 'raster:nodata') ?? null,
  };
}

/**
 * Maximum number of assets in an Item. The limit is much larger than the number of assets in any product. The number is limited, because the
 * search for each band tests all assets.
 */
export const MAX_ASSETS = 300;

/** A scene, or the reason why the Item is not a scene. */
export type SceneOrReason = { readonly scene: Scene } | { readonly reason: string };

/**
 * Converts a STAC Item (1.0 or 1.1) of Sentinel-2 L2A or similar data to a scene. Resolves hrefs against `itemHref` (URL or absolute
 * path). `within` lists the folders in which local files must be when they are read. The scene contains the bands that were recognised,
 * with their conversion to reflectance. Never throws; returns a problem as a reason.
 */
export function sceneFromItem(value: unknown, itemHref: string, within?: Within): SceneOrReason {
  const item = asObject(value);
  if (item === undefined || own(item, 'type') !== 'Feature')
    return { reason: 'is not a STAC Item (type must be "Feature"); correct it, or the link to it' };
  const id = asText(own(item, 'id'));
  const properties = asObject(own(item, 'properties'));
  const assets = asObject(own(item, 'assets'));
  if (id === undefined || properties === undefined || assets === undefined)
    return { reason: 'lacks id, properties or assets; add them' };
  if (Object.keys(assets).length > MAX_ASSETS) return { reason: `has more than ${MAX_ASSETS} assets; remove some` };
  const datetime = instantOf(properties);
  if (datetime === undefined) return { reason: 'has neither datetime nor start_datetime; add datetime' };
  const bbox = bboxOf(item);
  if (bbox === undefined) return { reason: 'has no bbox of 4 or 6 numbers; add it' };
  const found = sceneBands(assets, { id, properties, datetime }, { itemHref, within });
  if (typeof found === 'string') return { reason: found };
  const { bands, offsetUnknown } = found;
  const crs = crsOf(properties, assets);
  if (crs === undefined) return { reason: 'names no CRS; add proj:code or proj:epsg' };
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

/** Bands of an Item. `offsetUnknown` is true if the offset of a band is unknown; the offset in `bands` is then 0. */
interface FoundBands {
  readonly bands: Readonly<Record<string, SceneBand>>;
  readonly offsetUnknown: boolean;
}

/**
 * Address of an Item, against which the hrefs of the Item's assets are resolved, and the folders in which local files
 * are allowed.
 */
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
      unreadable.push(
        `asset ${found.key}: href ${JSON.stringify(publicAddress(text))} is not an http(s) address or a readable file; correct it`,
      );
      continue;
    }
    const { offset, ...scale } = bandScale(band, found.asset, facts);
    offsetUnknown ||= offset === undefined;
    bands[band] = { href, offset: offset ?? 0, ...scale, ...(within === undefined ? {} : { within }) };
  }
  return Object.keys(bands).length > 0
    ? { bands, offsetUnknown }
    : (unreadable[0] ??
        'has no GeoTIFF asset of a known band; name the assets B02..B12 and SCL, or by their common names');
}

/** Time of acquisition as UTC text: `datetime`, or `start_datetime` if the Item has no `datetime`. */
function instantOf(properties: JsonObject): string | undefined {
  const text = asText(own(properties, 'datetime')) ?? asText(own(properties, 'start_datetime'));
  const time = text === undefined ? Number.NaN : millisecondsOf(text);
  return Number.isNaN(time) ? undefined : new Date(time).toISOString();
}

/** The lon/lat box of an Item, without heights. */
export function bboxOf(item: JsonObject): Scene['bbox'] | undefined {
  const list = asList(own(item, 'bbox')).map(asNumber);
  const [w, s, e, n] = list.length === 6 ? [list[0], list[1], list[3], list[4]] : list.length === 4 ? list : [];
  return w === undefined || s === undefined || e === undefined || n === undefined ? undefined : [w, s, e, n];
}

/** CRS of the Item, or otherwise of the Item's red or near-infrared asset. */
function crsOf(properties: JsonObject, assets: JsonObject): string | undefined {
  for (const place of [properties, ...tenMetreAssets(assets)]) {
    const code = asText(own(place, 'proj:code'));
    if (code !== undefined && /^EPSG:\d{4,6}$/.test(code)) return code;
    const epsg = asNumber(own(place, 'proj:epsg'));
    if (epsg !== undefined && Number.isInteger(epsg)) return `EPSG:${epsg}`;
  }
  return undefined;
}

/** Native grid of the 10 m bands; undefined if the Item does not contain this grid. */
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
