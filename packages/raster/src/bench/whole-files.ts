import type { PixelGrid, Rgba, ZonalAreas } from '@headwater/core';
import type { ZonalRequest } from '@headwater/core/ports';
import { writeGeoTiff } from '../cog/geotiff-writer.ts';
import type { FileDigest } from '@headwater/net/files';
import { zonal } from '../zonal/zonal.ts';

/** Path, palette and threads of `writeClasses`. */
interface WriteClassesTarget {
  readonly palette: Readonly<Record<number, Rgba>>;
  readonly path: string;
  readonly threads: number;
}

/** Writes a class map from memory like `writeCog`: tiles of 512 x 512, deflate level 6, no predictor, nodata 0, mode overviews. */
export function writeClasses(
  data: Uint8Array,
  grid: PixelGrid,
  { palette, path, threads }: WriteClassesTarget,
): Promise<FileDigest> {
  return writeGeoTiff(path, {
    grid,
    data,
    nodata: 0,
    palette,
    overviews: 'mode',
    predictor: 1,
    tileSize: 512,
    level: 6,
    threads,
  });
}

/** Class areas of zones from a COG on disk, decoding included. */
export function zonalOnFile(path: string, zones: ZonalRequest['zones']): Promise<ZonalAreas> {
  return zonal({ path, zones }, { signal: new AbortController().signal, progress: () => undefined });
}
