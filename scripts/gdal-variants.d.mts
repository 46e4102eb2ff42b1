/** Path of a Python with GDAL's bindings; undefined if there is none. */
export const gdalPython: string | undefined;

/** A file, with its unusual traits. A program may reject a file with such a trait. */
export interface Variant {
  readonly name: string;
  /** Absolute path. */
  readonly file: string;
  readonly traits: readonly string[];
}

/**
 * The content that GDAL reads from a TIFF. The file `${file}.values` has the unscaled values of all levels as float64, NaN for nodata. The
 * files `${file}.band1`, `${file}.band2`, ... have the values of one band each.
 */
export interface TiffVariant extends Variant {
  readonly bands: number;
  /** Columns and rows of each level. */
  readonly sizes: readonly (readonly [number, number])[];
  readonly geoTransform: readonly number[];
  /** Longitude and latitude of the middle of the raster. */
  readonly centre: readonly [number, number] | null;
}

/** The content that GDAL reads from a file of features. */
export interface FeatureVariant extends Variant {
  readonly features: readonly FeatureReading[];
  /** Largest allowed distance between positions, degrees. */
  readonly tolerance: number;
}
/** The content that GDAL reads from a feature, on WGS 84. */
export interface FeatureReading {
  readonly properties: Readonly<Record<string, string | number | null>>;
  /** Corners, area (square degrees), and points; the last member of a point is true if the point is inside of the shape. Null without geometry. */
  readonly shape: {
    readonly corners: readonly (readonly [number, number])[];
    readonly area: number;
    readonly points: readonly (readonly [number, number, boolean])[];
  } | null;
}

/** The generated variants, and the number `total` of all variants that exist. */
export interface Variants<T> {
  readonly folder: string;
  readonly total: number;
  readonly variants: readonly T[];
}
/** Generates variants of a kind in a new folder; returns the reason if that is not possible. */
export function gdalVariants(kind: 'tiffs'): Variants<TiffVariant> | { readonly reason: string };
export function gdalVariants(
  kind: 'shapefiles' | 'geopackages',
): Variants<FeatureVariant> | { readonly reason: string };
