import { encode } from 'fast-png';
import type { Rgba } from '@headwater/core';
import type { ThumbnailRequest } from '@headwater/core/ports';
import { DomainError } from '@headwater/core/errors';
import { writeAtomic } from '@headwater/net/files';
import { checkPlain } from '../tiff/check-plain.ts';
import { openRaster } from '../tiff/open-raster.ts';
import type { RasterFile } from '../tiff/raster-file.ts';
import { encodeIndexedPng } from './indexed-png.ts';
import { shrinkClasses } from './shrink-classes.ts';
import { colorValues, shrinkValues } from './value-colors.ts';

const TRANSPARENT: Rgba = [0, 0, 0, 0];

/**
 * Writes a preview of a COG: the smallest overview that is large enough, shrunk to a long side of `size`, never enlarged. Classes are
 * shrunk by mode, values without a colour transparent; with a ramp values are averaged, those without data transparent. Throws
 * `input_data` for classes that are not uint8 and for a ramp without a stop.
 */
export async function thumbnail(request: ThumbnailRequest): Promise<void> {
  const file = await openRaster(request.path);
  try {
    const png = request.ramp === undefined ? await classPng(file, request) : await valuePng(file, request);
    await writeAtomic(request.target, (sink) => sink.write([png]));
  } finally {
    file.close();
  }
}

async function classPng(
  file: RasterFile,
  { path, palette, size }: Extract<ThumbnailRequest, { palette: object }>,
): Promise<Uint8Array> {
  if (file.dtype !== 'uint8')
    throw new DomainError('input_data', `${path}: a preview needs uint8 classes, this is ${file.dtype}. Give a ramp.`);
  checkPlain(file.layout, 'previews of classes');
  const level = levelFor(file, size);
  const classes = { ...level, data: new Uint8Array(level.cols * level.rows) };
  await file.readWindow({ col: 0, row: 0, ...level }, classes.data, level.index);
  const { cols, rows } = fitInto(file.grid, size);
  const small = shrinkClasses(classes, cols, rows);
  const colors = Array.from({ length: 256 }, (_, value) => palette[value] ?? TRANSPARENT);
  return encodeIndexedPng({ width: cols, height: rows, pixels: small.data, palette: colors });
}

async function valuePng(
  file: RasterFile,
  { path, ramp, size }: Extract<ThumbnailRequest, { ramp: object }>,
): Promise<Uint8Array> {
  if (ramp.length === 0)
    throw new DomainError('input_data', `${path}: a preview of values needs a ramp of one stop or more.`);
  const level = levelFor(file, size);
  const values = { ...level, data: new Float32Array(level.cols * level.rows) };
  await file.readValues({ col: 0, row: 0, ...level }, values.data, level.index);
  const { cols, rows } = fitInto(file.grid, size);
  const data = colorValues(shrinkValues(values, cols, rows), ramp);
  return encode({ width: cols, height: rows, data, channels: 4 });
}

/** The smallest level whose long side is at least `size`, else full resolution. */
function levelFor(file: RasterFile, size: number): { index: number; cols: number; rows: number } {
  const index = Math.max(
    file.levels.findLastIndex(({ cols, rows }) => Math.max(cols, rows) >= size),
    0,
  );
  const { cols, rows } = file.levels[index] ?? file.grid;
  return { index, cols, rows };
}

/** Size with the same proportions and a long side of at most `size`, at least one pixel each way. */
function fitInto(
  { cols, rows }: { readonly cols: number; readonly rows: number },
  size: number,
): { cols: number; rows: number } {
  const scale = Math.min(1, size / Math.max(cols, rows));
  return { cols: Math.max(1, Math.round(cols * scale)), rows: Math.max(1, Math.round(rows * scale)) };
}
