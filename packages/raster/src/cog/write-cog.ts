import { open } from 'node:fs/promises';
import type { WorkContext, WriteCogRequest, WrittenRaster } from '@headwater/core';
import type { ScratchSpace } from '../files/scratch-space.ts';
import { TouchedMask } from '../zonal/touched-mask.ts';
import type { CogFormat } from './cog-image.ts';
import { writeCogRows } from './geotiff-writer.ts';
import { WarpedRows } from './warped-rows.ts';

/** Where scratch rasters are, and how many tiles may be compressed at a time. */
interface WriteCogOptions {
  readonly scratch: ScratchSpace;
  readonly threads: number;
}

/**
 * Warps a scratch raster (nearest) onto the request's grid, keeps pixels that the clip touches, and writes them as a COG:
 * uint8, 512 tiles, deflate, colour table, nodata 0, mode overviews. Memory holds a few strips of rows and the compressed tiles.
 * Throws `input_data` for a CRS that is not known, `storage_full`, and the signal's reason when aborted.
 */
export async function writeCog(
  request: WriteCogRequest,
  context: WorkContext,
  options: WriteCogOptions,
): Promise<WrittenRaster> {
  const { raster, grid, path } = request;
  const mask = new TouchedMask(request.clip, grid);
  const file = await open(options.scratch.pathOf(raster), 'r');
  try {
    const warped = new WarpedRows({ raster, grid, mask }, file, context);
    const rows = (first: number, count: number): Promise<Uint8Array> => warped.rows(first, count);
    const digest = await writeCogRows(path, formatOf(request, options.threads), { type: 'uint8', rows });
    return { path, ...digest, grid, histogram: Array.from(warped.histogram), inside: warped.inside };
  } finally {
    await file.close();
  }
}

function formatOf({ grid, palette, names }: WriteCogRequest, threads: number): CogFormat {
  const labels = names === undefined ? {} : { names };
  return { grid, palette, ...labels, nodata: 0, overviews: 'mode', predictor: 1, tileSize: 512, threads };
}
