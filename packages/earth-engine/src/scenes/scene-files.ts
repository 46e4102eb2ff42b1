import type { PixelGrid } from '@headwater/core/pixel-plan';

/** A GeoTIFF of a strip: whole rows of a window. The bands have the order of the request. */
export interface StripFile {
  readonly path: string;
  readonly grid: PixelGrid;
  readonly bands: number;
}

/** A band of a scene to write. Without strips, all its pixels are 0. */
export interface BandFile {
  readonly path: string;
  readonly grid: PixelGrid;
  readonly type: 'uint8' | 'uint16';
  /** Strips of whole rows from north to south, and the index of the band in each file. */
  readonly strips: readonly StripFile[];
  readonly band: number;
}

/** Reads and writes GeoTIFFs. Implemented by `packages/raster`. */
export interface SceneFiles {
  /** Returns the values of the first band. Throws if the file is damaged or does not match the strip. */
  readonly check: (strip: StripFile) => Promise<Uint8Array | Uint16Array>;
  /** Writes the band of some strips as one tiled GeoTIFF. */
  readonly join: (band: BandFile) => Promise<void>;
}
