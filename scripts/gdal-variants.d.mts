/** Path of a Python with GDAL's bindings; undefined without one. */
export const gdalPython: string | undefined;

/** A file, with the traits for which a reader may reject it. */
export interface Variant {
  readonly name: string;
  /** Absolute path. */
  readonly file: string;
  readonly traits: readonly string[];
}

/**
 * GDAL's reading of a TIFF.
 * The file `${file}.values` has the unscaled values of its levels as float64, NaN for nodata; `${file}.band1` and so on have those of each
 * band.
 */
export interface TiffVariant extends Variant {
  readonly bands: number;
  /** Columns and rows of each level. */
  readonly sizes: readonly (readonly [number, number])[];
  readonly geoTransform: readonly number[];
  /** Longitude and latitude of the middle. */
  readonly centre: readonly [number, number] | null;
}

/** GDAL's reading of a file of features. */
export interface FeatureVariant extends Variant {
  readonly features: readonly FeatureReading[];
  /** Largest allowed distance between positions, degrees. */
  readonly tolerance: number;
}
/** GDAL's reading of a feature on WGS 84. */
export interface FeatureReading {
  readonly properties: Readonly<Record<string, string | number | null>>;
  /** Corners, area (square degrees), and points with true if they are inside; null without geometry. */
  readonly shape: {
    readonly corners: readonly (readonly [number, number])[];
    readonly area: number;
    readonly points: readonly (readonly [number, number, boolean])[];
  } | null;
}

/** The generated variants, out of `total`. */
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
