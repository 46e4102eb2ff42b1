import { readFileSync, rmSync } from 'node:fs';
import { isDomainError } from '@headwater/core/errors';
import { afterAll, describe, expect, it } from 'vitest';
import { gdalVariants, type TiffVariant } from '../../../../scripts/gdal-variants.mjs';
import { VARIANTS } from '../../../../scripts/slow-suites.mjs';
import { isLong } from '../../../../scripts/test-length.mjs';
import { valuesAtPixels } from '../compare/values-at.ts';
import { createPixels, sampleBytes, viewPixels } from '../pixels/pixel-array.ts';
import { pointTransform } from '../warp/crs.ts';
import { openRaster } from './open-raster.ts';
import type { RasterFile } from './raster-file.ts';
import { TileDecoder } from './tile-decoder.ts';

/** Traits of files that our reader must refuse, with the error message. */
const REFUSED: ReadonlyMap<string, RegExp> = new Map([
  ['compression', /its compression \(TIFF code \d+\) is not supported; rewrite it/],
  ['64 bit', /its 64 bit u?int samples are not supported; rewrite it/],
  ['bits', /its \d+ bit (uint|float) samples are not supported; rewrite it/],
  ['bands', /it has \d bands/],
  ['complex', /complex/],
  ['side mask', /its mask is in a separate file/],
  ['side values', /\.aux\.xml next to it has scale 0\.1, which /],
  ['north-up', /it is not north-up/],
  ['no georeference', /it has no georeference|its GeoKeys name no EPSG code/],
  ['no code', /its GeoKeys name no EPSG code/],
]);

const created = gdalVariants('tiffs');
if ('reason' in created) console.warn(`comparison of TIFF variants with GDAL: skipped, ${created.reason}`);
const variants = 'reason' in created ? [] : created.variants;
afterAll(() => {
  if ('folder' in created) rmSync(created.folder, { recursive: true, force: true });
});

describe.skipIf('reason' in created)('TIFF variants: the same values as GDAL reads', () => {
  it('have the expected number; the variants of the long test cover every refusal', () => {
    const { all, few } = VARIANTS.tiffs;
    expect([variants.length, 'total' in created && created.total]).toEqual([isLong ? all : few, all]);
    const tried = new Set(variants.flatMap(({ traits }) => traits));
    expect(isLong ? [...REFUSED.keys()].filter((trait) => !tried.has(trait)) : []).toEqual([]);
  });

  it.each(variants)('$name', async (variant) => {
    const refusals = variant.traits.flatMap((trait) => REFUSED.get(trait)?.source ?? []);
    const read = reading(variant);
    if (refusals.length === 0) await read;
    else await expect(read).rejects.toThrow(new RegExp(refusals.join('|')));
  });

  const several = variants.filter(({ bands, traits }) => bands > 1 && !traits.includes('compression'));
  it.each(several)('reads each band by its number: $name', async (variant) => {
    for (let band = 1; band <= variant.bands; band++) {
      const file = await openRaster(variant.file, { band });
      const values = await everyValue(file);
      file.close();
      const theirs = new Float64Array(new Uint8Array(readFileSync(`${variant.file}.band${band}`)).buffer);
      expect(difference(values, theirs), `band ${band}`).toBeUndefined();
    }
  });
});

/** Compares grid, values and overviews as read by our reader and by GDAL. Throws the errors of our reader. */
async function reading(variant: TiffVariant): Promise<void> {
  const decoder = new TileDecoder();
  const file = await openRaster(variant.file, { decoder });
  try {
    checkGrid(file, variant);
    const theirs = theirLevels(variant);
    expect(difference(await everyValue(file), theirs[0])).toBeUndefined();
    await checkWindow(file, decoder);
    for (const [index, level] of file.levels.entries()) {
      if (index === 0) continue;
      const sized = variant.sizes.findIndex(([cols, rows]) => cols === level.cols && rows === level.rows);
      const values = new Float64Array(level.cols * level.rows);
      await file.readValues({ col: 0, row: 0, cols: level.cols, rows: level.rows }, values, index);
      expect(difference(values, theirs[sized]), `level ${index}`).toBeUndefined();
    }
  } finally {
    file.close();
  }
}

function theirLevels({ file, sizes }: TiffVariant): readonly Float64Array[] {
  const bytes = new Uint8Array(readFileSync(`${file}.values`)).buffer;
  let at = 0;
  return sizes.map(([cols, rows]) => {
    const values = new Float64Array(bytes, at, cols * rows);
    at += values.byteLength;
    return values;
  });
}

function everyValue(file: RasterFile): Promise<Float64Array> {
  const { cols, rows } = file.grid;
  const count = { length: cols * rows };
  return valuesAtPixels(file, {
    cols: Int32Array.from(count, (_, i) => i % cols),
    rows: Int32Array.from(count, (_, i) => Math.floor(i / cols)),
  });
}

function difference(ours: Float64Array, theirs: Float64Array = new Float64Array()): object | undefined {
  const close = (a: number, b: number): boolean => Object.is(a, b) || Math.abs(a - b) <= 1e-12 * Math.abs(b);
  if (ours.length !== theirs.length) return { ours: ours.length, theirs: theirs.length };
  const at = ours.findIndex((value, i) => !close(value, theirs[i]!));
  return at < 0 ? undefined : { at, ours: ours[at], theirs: theirs[at] };
}

/** Checks that a window across tiles has the same samples in the kernels' memory and in an array. */
async function checkWindow(file: RasterFile, decoder: TileDecoder): Promise<void> {
  const { cols, rows } = file.grid;
  const window = { col: Math.floor(cols / 5), row: -2, cols: Math.ceil(cols / 2) + 3, rows: rows + 1 };
  const samples = window.cols * window.rows;
  const into = createPixels(file.dtype, samples);
  await file.readWindow(window, into);
  const address = decoder.kernels.alloc(samples * sampleBytes(file.dtype));
  await file.readWindowAt(window, address);
  expect(viewPixels(file.dtype, { buffer: decoder.kernels.buffer(), byteOffset: address }, samples)).toEqual(into);
}

/** Compares the geotransform, and the centre in degrees (WGS 84) if our code can transform the CRS. */
function checkGrid({ grid }: RasterFile, { geoTransform, centre }: TiffVariant): void {
  const { west, north, pixelWidth, pixelHeight, cols, rows } = grid;
  for (const [i, value] of [west, pixelWidth, 0, north, 0, -pixelHeight].entries())
    expect(value).toBeCloseTo(geoTransform[i] ?? Number.NaN, 7);
  const [x, y] = [west + (cols / 2) * pixelWidth, north - (rows / 2) * pixelHeight];
  try {
    const [lon, lat] = pointTransform(grid.crs, 'EPSG:4326')(x, y);
    expect(lon).toBeCloseTo(centre?.[0] ?? Number.NaN, 8);
    expect(lat).toBeCloseTo(centre?.[1] ?? Number.NaN, 8);
  } catch (error) {
    if (!isDomainError(error)) throw error;
    expect(error.message).toContain(`CRS "${grid.crs}" is not supported`);
    expect(['EPSG:4326', 'EPSG:32643', 'EPSG:32743']).not.toContain(grid.crs);
  }
}
