import type { Rgba } from '@headwater/core';
import { DomainError } from '@headwater/core/errors';
import type { ThumbnailRequest, RampStop } from '@headwater/core/ports';
import { writeAtomic } from '@headwater/net/files';
import { checkPlain } from '../tiff/bad-file.ts';
import { openRaster } from '../tiff/open-raster.ts';
import type { RasterFile } from '../tiff/raster-file.ts';
import { encodeIndexedPng, encodePicture } from './indexed-png.ts';

interface ClassRaster {
  readonly data: Uint8Array;
  readonly cols: number;
  readonly rows: number;
}

/** Each new pixel gets the most frequent value in its area, not counting 0. */
function shrinkClasses(source: ClassRaster, cols: number, rows: number): ClassRaster {
  const data = new Uint8Array(cols * rows);
  const counts = new Uint32Array(256);
  for (let row = 0; row < rows; row += 1) {
    const [top, bottom] = spanOf(row, source.rows / rows);
    for (let col = 0; col < cols; col += 1) {
      const [left, right] = spanOf(col, source.cols / cols);
      data[row * cols + col] = modeOfBox(source, { top, bottom, left, right }, counts);
    }
  }
  return { data, cols, rows };
}

/**
 * Source pixels [from, to) of a target pixel along one axis. Each target pixel has at least one, and no source pixel
 * has two targets.
 */
function spanOf(index: number, scale: number): readonly [number, number] {
  const from = Math.round(index * scale);
  return [from, Math.max(from + 1, Math.round((index + 1) * scale))];
}

interface Box {
  readonly top: number;
  readonly bottom: number;
  readonly left: number;
  readonly right: number;
}

/**
 * Returns the most frequent value of a box, not counting 0. Of equally frequent values, returns the one that reaches
 * the count first. `counts` contains zeros before and after the call.
 */
function modeOfBox({ data, cols }: ClassRaster, box: Box, counts: Uint32Array): number {
  let best = 0;
  let most = 0;
  for (let row = box.top; row < box.bottom; row += 1) {
    for (let at = row * cols + box.left; at < row * cols + box.right; at += 1) {
      const value = data[at]!;
      if (value === 0) continue;
      const count = counts[value]! + 1;
      counts[value] = count;
      if (count > most) [best, most] = [value, count];
    }
  }
  for (let row = box.top; row < box.bottom; row += 1) {
    for (let at = row * cols + box.left; at < row * cols + box.right; at += 1) counts[data[at]!] = 0;
  }
  return best;
}

interface ValueRaster {
  readonly data: Float32Array;
  readonly cols: number;
  readonly rows: number;
}

/** Each new pixel is the mean of the values in its area; NaN without values. */
function shrinkValues(source: ValueRaster, cols: number, rows: number): ValueRaster {
  const [sums, counts] = [new Float64Array(cols * rows), new Uint32Array(cols * rows)];
  for (let row = 0; row < source.rows; row += 1) {
    const base = Math.min(rows - 1, Math.floor((row * rows) / source.rows)) * cols;
    for (let col = 0; col < source.cols; col += 1) {
      const value = source.data[row * source.cols + col]!;
      if (Number.isNaN(value)) continue;
      const at = base + Math.min(cols - 1, Math.floor((col * cols) / source.cols));
      sums[at] = sums[at]! + value;
      counts[at] = counts[at]! + 1;
    }
  }
  return { data: Float32Array.from(sums, (sum, i) => sum / counts[i]!), cols, rows };
}

/** Interpolates colours between stops. Outside of the stops, uses the first or last colour. Nodata is transparent. */
function colorValues({ data }: ValueRaster, ramp: readonly RampStop[]): Uint8Array {
  const stops = ramp.toSorted((a, b) => a.value - b.value);
  const out = new Uint8Array(4 * data.length);
  for (let i = 0; i < data.length; i += 1) {
    const value = data[i]!;
    if (!Number.isNaN(value)) out.set(colorAt(value, stops), 4 * i);
  }
  return out;
}

function colorAt(value: number, stops: readonly RampStop[]): Rgba {
  const above = stops.findIndex((stop) => stop.value >= value);
  const upper = stops.at(above);
  const lower = stops[Math.max(0, above - 1)];
  if (upper === undefined || lower === undefined) throw new RangeError('a ramp of colours needs at least one stop');
  if (above <= 0) return upper.color;
  const share = (value - lower.value) / (upper.value - lower.value);
  const mix = (channel: 0 | 1 | 2 | 3): number =>
    Math.round(lower.color[channel] + (upper.color[channel] - lower.color[channel]) * share);
  return [mix(0), mix(1), mix(2), mix(3)];
}

const TRANSPARENT: Rgba = [0, 0, 0, 0];

/**
 * Writes a preview of a COG with a long side of at most `size` pixels. With a palette, shrinks classes by mode; with a
 * ramp, averages values. Nodata and classes without a colour are transparent. Throws `input_data` for classes that are
 * not uint8, and for a ramp without a stop.
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
    throw new DomainError(
      'input_data',
      `${path}: a palette needs uint8 classes, but this raster is ${file.dtype}. Use a ramp.`,
    );
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
    throw new DomainError('input_data', `${path}: a preview of values needs a ramp of at least one stop.`);
  const level = levelFor(file, size);
  const values = { ...level, data: new Float32Array(level.cols * level.rows) };
  await file.readValues({ col: 0, row: 0, ...level }, values.data, level.index);
  const { cols, rows } = fitInto(file.grid, size);
  const data = colorValues(shrinkValues(values, cols, rows), ramp);
  return await encodePicture({ width: cols, height: rows, pixels: data, palette: null });
}

function levelFor(file: RasterFile, size: number): { index: number; cols: number; rows: number } {
  const index = Math.max(
    file.levels.findLastIndex(({ cols, rows }) => Math.max(cols, rows) >= size),
    0,
  );
  const { cols, rows } = file.levels[index] ?? file.grid;
  return { index, cols, rows };
}

/** The long side has at most `size` pixels, each side at least one. */
function fitInto(
  { cols, rows }: { readonly cols: number; readonly rows: number },
  size: number,
): { cols: number; rows: number } {
  const scale = Math.min(1, size / Math.max(cols, rows));
  return { cols: Math.max(1, Math.round(cols * scale)), rows: Math.max(1, Math.round(rows * scale)) };
}
