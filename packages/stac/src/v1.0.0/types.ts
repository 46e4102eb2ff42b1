import type { Asset, Catalog, ClassObject, Collection, Item, ItemProperties, Provider, Statistics } from '../types.ts';

/** What the older version cannot say, or says with less. */
export interface Loss {
  /** JSON pointer (RFC 6901) into the document of STAC 1.1.0. */
  readonly pointer: string;
  /** Stable id of the kind of loss: `statistics.count`, `proj.code`, `license`. */
  readonly rule: string;
  /** What stood there. */
  readonly lost: unknown;
  /** What stands for it in the document of STAC 1.0.0; undefined where nothing does. */
  readonly kept: unknown;
  readonly reason: string;
}

/** A document of STAC 1.0.0 and what it lost on the way, in the order of the document. */
export interface Downgraded<Document> {
  readonly document: Document;
  readonly losses: readonly Loss[];
}

/** A provider whose list of roles may be changed, as users of STAC 1.0.0 types expect. */
export type ProviderV100 = Provider & { roles?: NonNullable<Provider['roles']>[number][] };

/** Properties of an Item in STAC 1.0.0: the CRS as a number of EPSG (projection v1.1), null where it has none. */
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

/** An asset in STAC 1.0.0: what its pixels are stands in `raster:bands`, names of bands in `eo:bands`. */
export type AssetV100 = Omit<
  Asset,
  'bands' | 'data_type' | 'nodata' | 'raster:sampling' | 'raster:spatial_resolution'
> & {
  'raster:bands'?: RasterBandV100[];
  'eo:bands'?: { name: string; description?: string }[];
};

type V100 = { stac_version: '1.0.0' };

/** An Item in STAC 1.0.0; fits the type `StacItem` of the package stac-ts. */
export type ItemV100 = Omit<Item, 'stac_version' | 'stac_extensions' | 'properties' | 'assets'> &
  V100 & {
    stac_extensions: string[];
    properties: PropertiesV100;
    assets: { data: AssetV100 } & Record<string, AssetV100>;
  };

/** A Collection in STAC 1.0.0. */
export type CollectionV100 = Omit<Collection, 'stac_version' | 'providers'> & V100 & { providers: ProviderV100[] };

/** A Catalog in STAC 1.0.0. */
export type CatalogV100 = Omit<Catalog, 'stac_version'> & V100;

/** `other` says of a licence what no word of STAC 1.0.0 says. */
export function licenseV100(losses: Loss[], pointer: string, license: string): string {
  if (/^[\w.-]+$/.test(license) && license !== 'other') return license;
  const reason = 'STAC 1.0.0 has no "other" and no "+" in a licence; read the licence link';
  losses.push({ pointer, rule: 'license', lost: license, kept: 'proprietary', reason });
  return 'proprietary';
}

/** The number of an EPSG code; null for a CRS of another authority, which projection v1.1 cannot name by a code. */
export function epsgV100(losses: Loss[], pointer: string, code: unknown): number | null {
  const number = typeof code === 'string' ? /^EPSG:(\d+)$/.exec(code)?.[1] : undefined;
  if (number !== undefined) return Number(number);
  const reason = 'projection v1.1 knows codes of EPSG only; give WKT2 or PROJJSON beside it';
  losses.push({ pointer, rule: 'proj.code', lost: code, kept: null, reason });
  return null;
}
