import { publicAddress, type Scene } from '@headwater/core';
import type { PixelGrid, SceneBand, BandName } from '@headwater/core/pixel-plan';
import { millisecondsOf } from '@headwater/core/search';
import type { Within } from '@headwater/net/files';
import { BAND_NAMES, findBand } from './bands.ts';
import { isReadable, resolveHref } from './href.ts';
import { asList, asNumber, asObject, asText, type JsonObject, own } from './json.ts';
import { processingOf } from './processing.ts';

/**
 * First day of processing baseline 04.00 (25 January 2022, ESA), whose digital numbers (DN) contain an offset of 1000.
 */
const OFFSET_SINCE = Date.parse('2022-01-25T00:00:00Z');
const OFFSET_BASELINE = 4;

const BASELINES = ['s2:processing_baseline', 'sentinel:processing_baseline', 'processing:version'] as const;
const PRODUCTS = ['s2:product_uri', 's2:product_id', 'sentinel:product_id', 's2:granule_id'] as const;

interface ProductFacts {
  readonly id: string;
  readonly properties: JsonObject;
  /** Time of acquisition, ISO 8601. */
  readonly datetime: string;
}

/** True if the DNs contain the offset; undefined if unknown. */
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

/** Baseline in a product's name (`_N0400_`), or in a granule's name (`_N04.00`). */
function namedBaseline(id: string, properties: JsonObject): number | undefined {
  for (const name of [...PRODUCTS.map((key) => asText(own(properties, key))), id]) {
    const [, whole, rest] = /_N(\d{2})\.?(\d{2})(?=_|\.|$)/.exec(name ?? '') ?? [];
    if (whole !== undefined && rest !== undefined) return Number(`${whole}.${rest}`);
  }
  return undefined;
}

/** Offset (added to the DN), scale (reflectance per DN) and nodata of a band. */
interface BandScale {
  /** Undefined if unknown. */
  readonly offset: number | undefined;
  readonly scale: number;
  readonly nodata: number | null;
}

/** Sentinel-2 L2A: reflectance = (DN + offset) / 10000. */
const DEFAULT_SCALE = 0.0001;
const BASELINE_OFFSET = -1000;
/** Properties that declare if the offset was subtracted. */
const APPLIED = ['earthsearch:boa_offset_applied', 'sentinel:boa_offset_applied'] as const;

/**
 * Conversion of DNs to reflectance; decision 027 has the rules for the offset. A stated offset of 0 is ignored if the
 * provider declares that no offset was applied. SCL is never scaled.
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
  // If `hasOffset` returns undefined, `applied` decides: an offset that was not applied is still in the values.
  const carries = hasOffset(facts) ?? (applied === false ? true : undefined);
  if (carries === undefined) return undefined;
  return carries ? BASELINE_OFFSET : 0;
}

/** Reads offset, scale and nodata from the fields of STAC 1.0 and 1.1. A scale of zero is ignored. */
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

/** Maximum number of assets in an Item. Limited, because the search for each band tests all assets. */
export const MAX_ASSETS = 300;

/** Scene, or the reason why the Item cannot be used as a scene. */
export type SceneOrReason = { readonly scene: Scene } | { readonly reason: string };

/**
 * Converts a STAC Item (1.0 or 1.1) of Sentinel-2 L2A or similar data to a scene. `within`: allowed folders of local
 * files. Never throws.
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

interface FoundBands {
  readonly bands: Readonly<Record<string, SceneBand>>;
  readonly offsetUnknown: boolean;
}

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

function instantOf(properties: JsonObject): string | undefined {
  const text = asText(own(properties, 'datetime')) ?? asText(own(properties, 'start_datetime'));
  const time = text === undefined ? Number.NaN : millisecondsOf(text);
  return Number.isNaN(time) ? undefined : new Date(time).toISOString();
}

/** Lon/lat box of an Item, without heights. */
export function bboxOf(item: JsonObject): Scene['bbox'] | undefined {
  const list = asList(own(item, 'bbox')).map(asNumber);
  const [w, s, e, n] = list.length === 6 ? [list[0], list[1], list[3], list[4]] : list.length === 4 ? list : [];
  return w === undefined || s === undefined || e === undefined || n === undefined ? undefined : [w, s, e, n];
}

function crsOf(properties: JsonObject, assets: JsonObject): string | undefined {
  for (const place of [properties, ...tenMetreAssets(assets)]) {
    const code = asText(own(place, 'proj:code'));
    if (code !== undefined && /^EPSG:\d{4,6}$/.test(code)) return code;
    const epsg = asNumber(own(place, 'proj:epsg'));
    if (epsg !== undefined && Number.isInteger(epsg)) return `EPSG:${epsg}`;
  }
  return undefined;
}

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
