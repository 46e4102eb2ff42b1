import type { Within } from '@headwater/net/files';
import { isHttp } from './bad-file.ts';
import { openFileSource } from './file-source.ts';
import { openHttpSource, resumeHttpSource } from './http-source.ts';
import type { Network } from '@headwater/net';
import type { TiffLayout } from './layout.ts';
import { OpenRaster } from './raster-file.ts';
import type { RasterFile } from './raster-file.ts';
import { readLayout } from './read-layout.ts';
import { TileDecoder } from './tile-decoder.ts';

/** Network and folders for opening a file. */
export interface FileAccess {
  readonly network?: Network;
  /** Folders in which a local file is allowed. */
  readonly within?: Within;
}

/**
 * Opens a path, file: URL or http(s) URL and parses its headers; `band` (from 1) selects one of several. Throws `input_data` with file,
 * problem and remedy. Throws `unavailable` if its server does not respond.
 */
export async function openRaster(
  href: string,
  options: FileAccess & { decoder?: TileDecoder; signal?: AbortSignal; band?: number } = {},
): Promise<RasterFile> {
  const source = isHttp(href) ? await openHttpSource(href, options) : openFileSource(href, options.within);
  try {
    return new OpenRaster(await readLayout(source, options.band), source, options.decoder ?? new TileDecoder());
  } catch (error) {
    source.close();
    throw error;
  }
}

/** Opens a file by its layout (sent from another thread), without parsing it again. */
export function openLayout(layout: TiffLayout, decoder: TileDecoder, access: FileAccess = {}): RasterFile {
  const source = isHttp(layout.href)
    ? resumeHttpSource(layout.href, layout.size, access.network)
    : openFileSource(layout.href, access.within);
  return new OpenRaster(layout, source, decoder);
}
