/** A Python with GDAL's bindings; undefined without one. */
export const gdalPython: string | undefined;

/** A file, and what of it may be refused. */
export interface Variant {
  readonly name: string;
  /** Absolute path. */
  readonly file: string;
  readonly traits: readonly string[];
}

/**
 * GDAL's reading of a TIFF; the values of its levels, unscaled, NaN for no data, stand in `${file}.values` as float64, those of each band in
 * `${file}.band1` and so on.
 */
export interface TiffVariant extends Variant {
  readonly bands: number;
  /** Columns and rows of each level. */
  readonly sizes: readonly (readonly [number, number])[];
  readonly geoTransform: readonly number[];
  /** Longitude and latitude of the middle. */
  readonly centre: readonly [number, number] | null;
}

/** GDAL's reading of a layer of features. */
export interface FeatureVariant extends Variant {
  readonly features: readonly FeatureReading[];
  /** Largest distance of positions, degrees. */
  readonly tolerance: number;
}
/** GDAL's reading of a feature on WGS 84. */
export interface FeatureReading {
  readonly properties: Readonly<Record<string, string | number | null>>;
  /** Corners, area (square degrees) and points with the answer to whether they lie inside; null without geometry. */
  readonly shape: {
    readonly corners: readonly (readonly [number, number])[];
    readonly area: number;
    readonly points: readonly (readonly [number, number, boolean])[];
  } | null;
}

/** Variants that were made, of `total`. */
export interface Variants<T> {
  readonly folder: string;
  readonly total: number;
  readonly variants: readonly T[];
}
/** Makes variants of a kind in a folder of their own, or gives the reason why not. */
export function gdalVariants(kind: 'tiffs'): Variants<TiffVariant> | { readonly reason: string };
export function gdalVariants(
  kind: 'shapefiles' | 'geopackages',
): Variants<FeatureVariant> | { readonly reason: string };
