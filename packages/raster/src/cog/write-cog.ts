import { open } from 'node:fs/promises';
import type { Plane, PlaneType } from '@headwater/core/pixel-plan';
import type { WorkContext, WrittenRaster } from '@headwater/core';
import type { WriteCogRequest } from '@headwater/core/ports';
import { typeOf } from '../pixels/pixel-array.ts';
import type { ScratchSpace } from '../files/scratch-space.ts';
import { checkNodata } from '../pixels/nodata.ts';
import { TouchedMask } from '../zonal/touched-mask.ts';
import { checkFormat } from './cog-image.ts';
import type { CogFormat, RowSource } from './cog-image.ts';
import { writeCogRows } from './geotiff-writer.ts';
import { ClassTally, ValueTally } from './tally.ts';
import { WarpedRows } from './warped-rows.ts';

/** Folder of scratch rasters, and the number of tiles that are compressed at a time. */
interface WriteCogOptions {
  readonly scratch: ScratchSpace;
  readonly threads: number;
}

/** Predictors of value rasters by type, for better compression: neighbours differ little. Class rasters use none, because their values repeat. */
const PREDICTORS = { uint8: 2, int16: 2, float32: 3 } as const satisfies Record<PlaneType, 2 | 3>;

/**
 * Warps a scratch raster (nearest) to the request's grid, sets pixels outside of the clip to nodata, and writes a COG of its type:
 * tiles of 512 x 512, deflate, overviews. With a palette it has class codes and a colour table, otherwise values and statistics. Memory
 * holds a few strips of rows and the compressed tiles. Throws `input_data` for an unknown CRS, and for a palette or a nodata value
 * that the type cannot have, `storage_full`, and the signal's reason when aborted.
 */
export async function writeCog(
  request: WriteCogRequest,
  context: WorkContext,
  options: WriteCogOptions,
): Promise<WrittenRaster> {
  const { raster, grid, path, nodata = 0 } = request;
  const type = typeOf(raster);
  const values = request.palette === undefined ? new ValueTally(nodata) : undefined;
  const format = { ...formatOf(request, options.threads), statistics: () => values?.statistics() };
  checkFormat(format, type);
  checkNodata(nodata, type);
  const classes = new ClassTally();
  const tally = (rows: Plane): void => {
    if (rows instanceof Uint8Array) classes.add(rows);
    values?.add(rows);
  };
  const mask = new TouchedMask(request.clip, grid);
  const file = await open(options.scratch.pathOf(raster), 'r');
  try {
    const warped = new WarpedRows({ raster, grid, mask, nodata, tally }, file, context);
    const rows: RowSource = (first, count) => warped.rows(first, count);
    const digest = await writeCogRows(path, format, { type, rows });
    const histogram = type === 'uint8' ? Array.from(classes.histogram) : [];
    const statistics = values?.statistics();
    const found = { path, ...digest, grid, histogram, inside: warped.inside };
    return statistics === undefined ? found : { ...found, statistics };
  } finally {
    await file.close();
  }
}

function formatOf(
  { raster, grid, palette, names, description, nodata = 0, overviews = 'mode' }: WriteCogRequest,
  threads: number,
): CogFormat {
  return {
    grid,
    nodata,
    overviews,
    ...(palette === undefined ? {} : { palette }),
    ...(names === undefined ? {} : { names }),
    ...(description === undefined ? {} : { description }),
    predictor: palette === undefined ? PREDICTORS[typeOf(raster)] : 1,
    tileSize: 512,
    threads,
  };
}
