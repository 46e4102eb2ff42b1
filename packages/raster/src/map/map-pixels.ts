import type { MapPixels } from '@headwater/core/ports';
import type { Within } from '@headwater/net/files';
import { encodePicture } from '../png/indexed-png.ts';
import { MapFile } from './map-raster.ts';
import { type ReadLimits, OpenFiles } from './open-files.ts';

/** Options of `createMapPixels`. */
export interface MapPixelsOptions extends Partial<ReadLimits> {
  /** Folders in which files may be opened; default: any folder. */
  readonly within?: Within;
}

/**
 * Opens COGs for a map server. Default limits: 64 open files, 128 MB of decoded tiles, and 134 million pixels for one
 * read (8 times the pixels of the largest map).
 */
export function createMapPixels({
  files = 64,
  tileBytes = 128 * 2 ** 20,
  readPixels = 2 ** 27,
  within,
}: MapPixelsOptions = {}): MapPixels {
  const open = new OpenFiles({ files, tileBytes, readPixels }, within);
  return {
    open: async (file) => new MapFile(await open.know(file), open),
    png: encodePicture,
    close: async () => await open.close(),
  };
}
