import { basename, resolve } from 'node:path';
import { type ElevationSource, isDomainError, type PixelEngine, type RasterHeader } from '@headwater/core';
import { gridsOver } from './coverage.ts';
import { type DemFile, type DemFolder, demFolders } from './dem-folders.ts';
import { readNotice } from './dem-notice.ts';

/** Where `openElevation` looks. */
export interface ElevationOptions {
  /** Folder of GeoTIFFs, or of folders of them, each of one data set with a `dem.json` beside them. */
  readonly folder: string;
  /** Reads headers. */
  readonly pixels: Pick<PixelEngine, 'gridOf'>;
  /** Told once for each file that cannot be used, and why. */
  readonly warn: (message: string) => void;
}

/**
 * Elevations of GeoTIFFs on the own disk, looked up at each call: files may come and go. The first folder, by name, whose files have
 * all of a box gives them. Files that the engine cannot read, such as those neither in EPSG:4326 nor in UTM, are told and left out.
 */
export function openElevation({ folder: given, pixels, warn }: ElevationOptions): ElevationSource {
  const folder = resolve(given);
  const headers = new Map<string, RasterHeader | undefined>();
  const headerOf = async ({ path, version }: DemFile): Promise<RasterHeader | undefined> => {
    const key = `${path}\n${version}`;
    if (!headers.has(key)) headers.set(key, await readHeader(path, { pixels, warn }));
    return headers.get(key);
  };
  return {
    async demFor(box) {
      for (const each of await demFolders(folder)) {
        const files = await usable(each, headerOf);
        const over = gridsOver(
          box,
          files.map(({ header }) => header),
        );
        if (over === undefined) continue;
        const rasters = over.flatMap((index) => files.slice(index, index + 1).map(({ file }) => file));
        const told = rasters.map(({ path, version }) => ({ href: path, version }));
        return { rasters: told, ...(await readNotice(each.path)) };
      }
      return undefined;
    },
  };
}

async function usable(
  { files }: DemFolder,
  headerOf: (file: DemFile) => Promise<RasterHeader | undefined>,
): Promise<readonly { readonly file: DemFile; readonly header: RasterHeader }[]> {
  const read = await Promise.all(files.map(async (file) => ({ file, header: await headerOf(file) })));
  return read.flatMap(({ file, header }) => (header === undefined ? [] : [{ file, header }]));
}

async function readHeader(
  path: string,
  { pixels, warn }: Pick<ElevationOptions, 'pixels' | 'warn'>,
): Promise<RasterHeader | undefined> {
  try {
    return await pixels.gridOf(path);
  } catch (error) {
    if (!isDomainError(error)) throw error;
    warn(`Elevation file ${basename(path)} is not used: ${error.message}`);
    return undefined;
  }
}
