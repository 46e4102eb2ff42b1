import { writeAtomic } from '@headwater/net/files';
import type { FileDigest } from '@headwater/net/files';
import { checkFormat, pixelTypeOf } from './cog-image.ts';
import type { CogFormat, CogImage, PixelType, RowSource } from './cog-image.ts';
import { HALVES } from './halve.ts';
import { cogHeader } from './layout.ts';
import type { EncodedLevel } from './layout.ts';
import { LevelBuilder } from './level-builder.ts';
import type { BuildContext } from './level-builder.ts';
import { levelsOf } from './levels.ts';
import { TileDeflater } from './tile-deflater.ts';

/** Rows to write, and their pixel type. */
export interface CogSource {
  readonly type: PixelType;
  readonly rows: RowSource;
}

/**
 * Writes an image from memory as a Cloud Optimized GeoTIFF. Throws `input_data` for a format (see `checkFormat`) or CRS
 * that cannot be written, and `storage_full` if the disk is full.
 */
export async function writeGeoTiff(path: string, image: CogImage): Promise<FileDigest> {
  const { data, grid } = image;
  const rows: RowSource = (first, count) => data.subarray(first * grid.cols, (first + count) * grid.cols);
  return writeCogRows(path, image, { type: pixelTypeOf(data), rows });
}

/**
 * Writes rows that are computed on demand, `tileSize` at a time. Keeps all compressed tiles in memory, because
 * overviews are first in the file but complete only at the end.
 */
export async function writeCogRows(path: string, format: CogFormat, source: CogSource): Promise<FileDigest> {
  const parts = await encodeCog(format, source);
  return writeAtomic(path, async (sink) => {
    for (const part of parts) await sink.write(part);
  });
}

/**
 * Encodes a COG in memory: header, then tiles in the order of the file. Throws the errors of `writeGeoTiff`, except
 * errors of the disk.
 */
export async function encodeCog(format: CogFormat, source: CogSource): Promise<(readonly Uint8Array[])[]> {
  checkFormat(format, source.type);
  const levels = await encodeLevels(format, source);
  const header = cogHeader({ format, type: source.type }, levels);
  return [[header], ...levels.toReversed().map(({ tiles }) => tiles)];
}

async function encodeLevels(format: CogFormat, source: CogSource): Promise<EncodedLevel[]> {
  const classes = source.type === 'uint8' && format.predictor === 1;
  const deflater = new TileDeflater({ level: format.level ?? 6, classes }, format.threads ?? 2);
  const halve = HALVES[format.overviews === 'none' ? 'nearest' : format.overviews];
  const builders = buildersOf(format, { format, type: source.type, deflater, halve, free: [] });
  const { rows, cols } = format.grid;
  for (let first = 0; first < rows; first += format.tileSize) {
    const count = Math.min(format.tileSize, rows - first);
    const strip = await source.rows(first, count);
    if (strip.length !== count * cols)
      throw new RangeError(`${strip.length} values for ${count} rows of ${cols} pixels; give one value for each pixel`);
    await builders[0]?.add(strip, count);
  }
  await builders[0]?.finish();
  await deflater.drain();
  return builders;
}

/** Creates the builder of the smallest level first, because each builder passes rows to the next smaller level. */
function buildersOf(format: CogFormat, context: BuildContext): LevelBuilder[] {
  const builders: LevelBuilder[] = [];
  for (const level of levelsOf(format).toReversed()) builders.unshift(new LevelBuilder(level, builders[0], context));
  return builders;
}
