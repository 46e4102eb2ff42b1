import type { PixelGrid } from '@headwater/core/pixel-plan';

/**
 * A GeoTIFF with a strip: some whole rows of the part of an image that a plan reads. Its bands have the order in which
 * they were requested from Earth Engine.
 */
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
  /** Strips of whole rows, from north to south. */
  readonly strips: readonly StripFile[];
  /** Index of the band in the file of each strip, from 0. */
  readonly band: number;
}

/** Reads and writes GeoTIFFs. `packages/server` implements it with `@headwater/raster`. */
export interface SceneFiles {
  /** Returns the values of the first band. Throws if the file is damaged or does not match the strip. */
  readonly check: (strip: StripFile) => Promise<Uint8Array | Uint16Array>;
  /** Writes the band of some strips as one tiled GeoTIFF. */
  readonly join: (band: BandFile) => Promise<void>;
}
