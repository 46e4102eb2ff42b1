import type { BandName } from '@headwater/core/pixel-plan';
import { carriesOffset, type ProductFacts } from './baseline.ts';
import { asList, asNumber, asObject, own, type JsonObject } from './json.ts';

/** Offset (added to the DN), scale (reflectance per DN) and nodata of a band. */
export interface BandScale {
  /** Undefined where the Item does not tell and the day of the product leaves it open. */
  readonly offset: number | undefined;
  readonly scale: number;
  readonly nodata: number | null;
}

/** Sentinel-2 L2A: reflectance = (DN + offset) / 10000. */
const DEFAULT_SCALE = 0.0001;
const BASELINE_OFFSET = -1000;
/** Under these names providers say that they took the offset off. */
const APPLIED = ['earthsearch:boa_offset_applied', 'sentinel:boa_offset_applied'] as const;

/**
 * How DNs of a band become reflectance. In this order: the provider says that it took the offset off already
 * (`earthsearch:boa_offset_applied: true`): 0; the Item's own `raster:offset`/`raster:scale` (asset, `bands`, `raster:bands`); the processing
 * baseline, from a property or the product's name (>= 04.00: -1000 DN); a day before that baseline: 0; else nobody knows. Scene
 * classification is never scaled. STAC offsets are reflectance; the result is in DN.
 */
export function bandScale(band: BandName, asset: JsonObject, facts: ProductFacts): BandScale {
  const said = rasterFields(asset);
  if (band === 'scl') return { offset: 0, scale: 1, nodata: said.nodata };
  const scale = said.scale ?? DEFAULT_SCALE;
  return { offset: offsetOf(said.offset, scale, facts), scale, nodata: said.nodata };
}

function offsetOf(said: number | undefined, scale: number, facts: ProductFacts): number | undefined {
  const applied = APPLIED.map((key) => own(facts.properties, key)).find((value) => typeof value === 'boolean');
  if (applied === true) return 0;
  if (applied !== false && said !== undefined) return Math.round(said / scale);
  if (said !== undefined && said !== 0) return Math.round(said / scale);
  // "Not taken off" leaves it there in every product that may carry one.
  const carries = carriesOffset(facts) ?? (applied === false ? true : undefined);
  if (carries === undefined) return undefined;
  return carries ? BASELINE_OFFSET : 0;
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
