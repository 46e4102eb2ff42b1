/** Elevation of an area, in metres above the geoid or ellipsoid that the source names. */
export interface Elevation {
  /** One raster or several that meet at their edges, each with one band. */
  readonly rasters: readonly ElevationRaster[];
  /** Of the source, as Items that are made from it name it, e.g. `Copernicus DEM GLO-30`. */
  readonly title: string;
  /** SPDX identifier, or `other`. */
  readonly license: string;
  /** The credit that the licence asks for. */
  readonly attribution: string;
  /** True where a program made the heights; absent = measured. */
  readonly synthetic?: boolean;
}

/** A raster of elevations that the pixel engine can read; the file itself says which pixels have none, and how its samples become metres. */
export interface ElevationRaster {
  /** Absolute path of a local file, or http(s) address of a COG. */
  readonly href: string;
  /** Text that changes with the file's content, such as its size and time; left out where the address stands for the content. */
  readonly version?: string;
}

/** Where elevations come from. */
export interface ElevationSource {
  /**
   * Elevation of a lon/lat box (west, south, east, north); undefined where the source does not have all of it. Rejects with the signal's
   * reason when that aborts, and asks nobody any more.
   */
  demFor(box: readonly [number, number, number, number], signal?: AbortSignal): Promise<Elevation | undefined>;
}
