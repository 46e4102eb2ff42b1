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

/** How a file may be reached. */
export interface FileAccess {
  readonly network?: Network;
  /** Folders that a local file must lie in. */
  readonly within?: Within;
}

/** Opens a path, file: URL or http(s) URL and parses its headers; `band` (from 1) names the one of several that is read. Throws `input_data` with file, problem, remedy, `unavailable` where its server does not answer. */
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

/** Opens a file whose layout is known (sent from another thread) without parsing it again. */
export function openLayout(layout: TiffLayout, decoder: TileDecoder, access: FileAccess = {}): RasterFile {
  const source = isHttp(layout.href)
    ? resumeHttpSource(layout.href, layout.size, access.network)
    : openFileSource(layout.href, access.within);
  return new OpenRaster(layout, source, decoder);
}
