/** Path of a Python with GDAL; undefined if there is none. */
export const gdalPython: string | undefined;

/** A file with unusual traits, which a program may reject. */
export interface Variant {
  readonly name: string;
  /** Absolute path. */
  readonly file: string;
  readonly traits: readonly string[];
}

/**
 * Content of a TIFF by GDAL. `${file}.values`: unscaled float64 of all levels, NaN for nodata. `${file}.band1`, ...:
 * one band each.
 */
export interface TiffVariant extends Variant {
  readonly bands: number;
  /** Columns and rows of each level. */
  readonly sizes: readonly (readonly [number, number])[];
  readonly geoTransform: readonly number[];
  /** Lon/lat of the raster's middle. */
  readonly centre: readonly [number, number] | null;
}

/** Content of a file of features by GDAL. */
export interface FeatureVariant extends Variant {
  readonly features: readonly FeatureReading[];
  /** Largest distance between positions, degrees. */
  readonly tolerance: number;
}
/** A feature by GDAL, on WGS 84. */
export interface FeatureReading {
  readonly properties: Readonly<Record<string, string | number | null>>;
  /** Corners, area (square degrees), and points (true: inside of the shape). Null without geometry. */
  readonly shape: {
    readonly corners: readonly (readonly [number, number])[];
    readonly area: number;
    readonly points: readonly (readonly [number, number, boolean])[];
  } | null;
}

/** Generated variants, and the number of all variants. */
export interface Variants<T> {
  readonly folder: string;
  readonly total: number;
  readonly variants: readonly T[];
}
/** Generates variants in a new folder; returns the reason if that is not possible. */
export function gdalVariants(kind: 'tiffs'): Variants<TiffVariant> | { readonly reason: string };
export function gdalVariants(
  kind: 'shapefiles' | 'geopackages',
): Variants<FeatureVariant> | { readonly reason: string };
