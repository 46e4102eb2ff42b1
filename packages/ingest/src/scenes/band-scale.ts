import type { BandName } from '@headwater/core/pixel-plan';
import { asList, asNumber, asObject, asText, own, type JsonObject } from './json.ts';

/** Offset (added to the DN), scale (reflectance per DN) and nodata of a band. */
export interface BandScale {
  readonly offset: number;
  readonly scale: number;
  readonly nodata: number | null;
}

/** Sentinel-2 L2A: reflectance = (DN + offset) / 10000. */
const DEFAULT_SCALE = 0.0001;
/** Processing baseline from which raw products carry the offset of -1000 DN (25 January 2022). */
const OFFSET_BASELINE = 4;
const BASELINE_OFFSET = -1000;

/**
 * How DNs of a band become reflectance. In this order: the provider says that it took the offset off already
 * (`earthsearch:boa_offset_applied: true`): 0; the Item's own `raster:offset`/`raster:scale` (asset, `bands`, `raster:bands`); the processing
 * baseline (>= 04.00: -1000 DN); else 0. Scene classification is never scaled. STAC offsets are reflectance; the result is in DN.
 */
export function bandScale(band: BandName, asset: JsonObject, properties: JsonObject): BandScale {
  const said = rasterFields(asset);
  if (band === 'scl') return { offset: 0, scale: 1, nodata: said.nodata };
  const scale = said.scale ?? DEFAULT_SCALE;
  return { offset: offsetOf(said.offset, scale, properties), scale, nodata: said.nodata };
}

function offsetOf(said: number | undefined, scale: number, properties: JsonObject): number {
  const applied = own(properties, 'earthsearch:boa_offset_applied');
  if (applied === true) return 0;
  if (applied !== false && said !== undefined) return Math.round(said / scale);
  if (said !== undefined && said !== 0) return Math.round(said / scale);
  const baseline = baselineOf(properties);
  return baseline !== undefined && baseline >= OFFSET_BASELINE ? BASELINE_OFFSET : 0;
}

function baselineOf(properties: JsonObject): number | undefined {
  const text = asText(own(properties, 's2:processing_baseline')) ?? asText(own(properties, 'processing:version'));
  return text !== undefined && /^\d{2}\.\d{2}$/.test(text) ? Number(text) : undefined;
}

/** Offset, scale and nodata wherever STAC 1.0 or 1.1 puts them. Zero scale is no scale. */
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
