import type { PixelGrid } from '@headwater/core/pixel-plan';

/** A GeoTIFF of one strip (some whole rows of a window): the bands of one response, in the order of the request. */
export interface StripFile {
  readonly path: string;
  readonly grid: PixelGrid;
  readonly bands: number;
}

/** A band of a scene to write. If the band has no strips, all its pixels are 0. */
export interface BandFile {
  readonly path: string;
  readonly grid: PixelGrid;
  readonly type: 'uint8' | 'uint16';
  /** Strips of whole rows from north to south, and the index of the band in each strip's file. */
  readonly strips: readonly StripFile[];
  readonly band: number;
}

/** Reads and writes GeoTIFFs; the pixel engine's package implements it. */
export interface SceneFiles {
  /**
   * Reads all pixels of a response. Throws an error with the reason if the file is damaged, or has another grid or
   * fewer bands than the strip. Returns the values of the first band.
   */
  readonly check: (strip: StripFile) => Promise<Uint8Array | Uint16Array>;
  /** Writes the band of some strips as one tiled GeoTIFF. */
  readonly join: (band: BandFile) => Promise<void>;
}
