/** Path of a Python that has GDAL's bindings; undefined if there is none. */
export const gdalPython: string | undefined;

/** A file that GDAL made. Some of its `traits` are reasons why a reader must refuse it. */
export interface Variant {
  readonly name: string;
  /** Absolute path. */
  readonly file: string;
  readonly traits: readonly string[];
}

/**
 * Content that GDAL reads from a TIFF. `${file}.values` has the values of band 1 at all levels; `${file}.band1`, ...
 * have the values of each band at full size. Values are float64 with scale and offset applied; masked pixels are NaN.
 */
export interface TiffVariant extends Variant {
  readonly bands: number;
  /** Columns and rows of each level. */
  readonly sizes: readonly (readonly [number, number])[];
  readonly geoTransform: readonly number[];
  /** Lon/lat of the raster's middle. */
  readonly centre: readonly [number, number] | null;
}

/** Content that GDAL reads from a file of features. */
export interface FeatureVariant extends Variant {
  readonly features: readonly FeatureReading[];
  /** Largest difference in longitude or latitude from a position that GDAL reads, degrees. */
  readonly tolerance: number;
}
/** Content that GDAL reads from a feature, on WGS 84. */
export interface FeatureReading {
  readonly properties: Readonly<Record<string, string | number | null>>;
  /**
   * Corners, area (square degrees) and points; null without geometry. The boolean of a point is true inside of the
   * shape.
   */
  readonly shape: {
    readonly corners: readonly (readonly [number, number])[];
    readonly area: number;
    readonly points: readonly (readonly [number, number, boolean])[];
  } | null;
}

/** Generated variants. `total` also counts the variants that a short run does not generate. */
export interface Variants<T> {
  readonly folder: string;
  readonly total: number;
  readonly variants: readonly T[];
}
/** Generates variants in a new folder, or returns the reason why that is not possible. */
export function gdalVariants(kind: 'tiffs'): Variants<TiffVariant> | { readonly reason: string };
export function gdalVariants(
  kind: 'shapefiles' | 'geopackages',
): Variants<FeatureVariant> | { readonly reason: string };
