import type { Rgba, ThumbnailRequest } from '@headwater/core';
import { DomainError } from '@headwater/core/errors';
import { writeAtomic } from '../files/atomic-file.ts';
import { openRaster } from '../tiff/open-raster.ts';
import type { RasterFile } from '../tiff/raster-file.ts';
import { encodeIndexedPng } from './indexed-png.ts';
import { shrinkClasses } from './shrink-classes.ts';
import type { ClassRaster } from './shrink-classes.ts';

const TRANSPARENT: Rgba = [0, 0, 0, 0];

/**
 * Writes a preview of a class COG: the smallest overview that is large enough, shrunk by mode to a long side of `size`.
 * Values without a colour are transparent. Never enlarged. Throws `input_data` for pixels that are not uint8.
 */
export async function thumbnail({ path, palette, size, target }: ThumbnailRequest): Promise<void> {
  const file = await openRaster(path);
  try {
    if (file.dtype !== 'uint8')
      throw new DomainError('input_data', `${path}: a preview needs uint8 classes, this is ${file.dtype}.`);
    const classes = await readLevel(file, size);
    const { cols, rows } = fitInto(file.grid, size);
    const small = shrinkClasses(classes, cols, rows);
    const colors = Array.from({ length: 256 }, (_, value) => palette[value] ?? TRANSPARENT);
    const png = encodeIndexedPng({ width: cols, height: rows, pixels: small.data, palette: colors });
    await writeAtomic(target, (sink) => sink.write([png]));
  } finally {
    file.close();
  }
}

/** The smallest level whose long side is at least `size`, else full resolution. */
async function readLevel(file: RasterFile, size: number): Promise<ClassRaster> {
  const enough = file.levels.findLastIndex(({ cols, rows }) => Math.max(cols, rows) >= size);
  const index = Math.max(enough, 0);
  const { cols, rows } = file.levels[index] ?? file.grid;
  const data = new Uint8Array(cols * rows);
  await file.readWindow({ col: 0, row: 0, cols, rows }, data, index);
  return { data, cols, rows };
}

/** Size with the same proportions and a long side of at most `size`, at least one pixel each way. */
function fitInto(
  { cols, rows }: { readonly cols: number; readonly rows: number },
  size: number,
): { cols: number; rows: number } {
  const scale = Math.min(1, size / Math.max(cols, rows));
  return { cols: Math.max(1, Math.round(cols * scale)), rows: Math.max(1, Math.round(rows * scale)) };
}
