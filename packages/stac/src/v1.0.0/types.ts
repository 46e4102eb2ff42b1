import type { Asset, Catalog, ClassObject, Collection, Item, ItemProperties, Provider, Statistics } from '../types.ts';

/** Information that STAC 1.0.0 cannot express completely. */
export interface Loss {
  /** JSON pointer (RFC 6901) into the document of STAC 1.1.0. */
  readonly pointer: string;
  /** Stable id of the loss: `statistics.count`, `proj.code`, `license`. */
  readonly rule: string;
  /** Value in STAC 1.1.0. */
  readonly lost: unknown;
  /** Value in STAC 1.0.0; undefined if there is none. */
  readonly replacement: unknown;
  readonly reason: string;
}

/** A document of STAC 1.0.0 and its losses, in document order. */
export interface Downgraded<Document> {
  readonly document: Document;
  readonly losses: readonly Loss[];
}

/** A provider with a mutable list of roles, as the types of STAC 1.0.0 clients require. */
export type ProviderV100 = Provider & { roles?: NonNullable<Provider['roles']>[number][] };

/** Properties of an Item in STAC 1.0.0. `proj:epsg` is an EPSG number or null (projection v1.1). */
export type PropertiesV100 = ItemProperties & { providers?: ProviderV100[]; 'proj:epsg'?: number | null };

/** A band of `raster:bands` (raster v1.1). */
export type RasterBandV100 = {
  data_type?: NonNullable<Asset['data_type']>;
  nodata?: NonNullable<Asset['nodata']>;
  unit?: string;
  statistics?: Omit<Statistics, 'count'>;
  sampling?: 'area' | 'point';
  spatial_resolution?: number;
  'classification:classes'?: ClassObject[];
};

/** An asset in STAC 1.0.0: pixel fields in `raster:bands`, band names in `eo:bands`. */
export type AssetV100 = Omit<
  Asset,
  'bands' | 'data_type' | 'nodata' | 'raster:sampling' | 'raster:spatial_resolution'
> & {
  'raster:bands'?: RasterBandV100[];
  'eo:bands'?: { name: string; description?: string }[];
};

type V100 = { stac_version: '1.0.0' };

/** An Item in STAC 1.0.0; fits `StacItem` of stac-ts. */
export type ItemV100 = Omit<Item, 'stac_version' | 'stac_extensions' | 'properties' | 'assets'> &
  V100 & {
    stac_extensions: string[];
    properties: PropertiesV100;
    assets: { data: AssetV100 } & Record<string, AssetV100>;
  };

/** A Collection in STAC 1.0.0. */
export type CollectionV100 = Omit<Collection, 'stac_version' | 'providers'> & V100 & { providers?: ProviderV100[] };

/** A Catalog in STAC 1.0.0. */
export type CatalogV100 = Omit<Catalog, 'stac_version'> & V100;

/** Licence for STAC 1.0.0. `other` and licences with `+` become `proprietary`. */
export function licenseV100(losses: Loss[], pointer: string, license: string): string {
  if (/^[\w.-]+$/.test(license) && license !== 'other') return license;
  const reason = 'STAC 1.0.0 has no "other" and no "+" in a licence; read the licence link';
  losses.push({ pointer, rule: 'license', lost: license, replacement: 'proprietary', reason });
  return 'proprietary';
}

/** EPSG number of a `proj:code`. Any other code becomes null and is added to `losses`. */
export function epsgV100(losses: Loss[], pointer: string, code: unknown): number | null {
  const number = typeof code === 'string' ? /^EPSG:(\d+)$/.exec(code)?.[1] : undefined;
  if (number !== undefined) return Number(number);
  const reason = 'projection v1.1 has codes of EPSG only; add WKT2 or PROJJSON';
  losses.push({ pointer, rule: 'proj.code', lost: code, replacement: null, reason });
  return null;
}
