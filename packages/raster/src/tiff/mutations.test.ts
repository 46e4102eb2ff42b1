import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sized } from '../../../../scripts/test-length.mjs';
import { writeGeoTiff } from '../cog/geotiff-writer.ts';
import { readMutations } from './mutations.fixture.ts';
import { gdalRewrite, hasGdal } from './test-samples.fixture.ts';

const folder = mkdtempSync(join(tmpdir(), 'headwater-mutations-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const grid = { crs: 'EPSG:32643', west: 5e5, north: 26e5, pixelWidth: 10, pixelHeight: 10, cols: 96, rows: 96 };
const options = (...pairs: readonly string[]): readonly string[] => pairs.flatMap((pair) => ['-co', pair]);

/** Byte orders, layouts, compressions and masks that our writer does not write. */
const GDAL_KINDS: Readonly<Record<string, readonly string[]>> = {
  big: options('BIGTIFF=YES', 'COMPRESS=LZW', 'TILED=YES', 'BLOCKXSIZE=32', 'BLOCKYSIZE=32'),
  msb: options('ENDIANNESS=BIG', 'COMPRESS=DEFLATE', 'BLOCKYSIZE=7'),
  zstd: ['-ot', 'Float32', ...options('COMPRESS=ZSTD', 'PREDICTOR=3')],
  lerc: ['-ot', 'Float32', ...options('COMPRESS=LERC_DEFLATE', 'TILED=YES', 'BLOCKXSIZE=32', 'BLOCKYSIZE=32')],
  double: ['-ot', 'Float64', ...options('COMPRESS=PACKBITS', 'ENDIANNESS=BIG')],
  strips: options('COMPRESS=LZW', 'PREDICTOR=2'),
  plain: ['-a_nodata', '1003', '-a_scale', '0.5', '-a_offset', '-7'],
  masked: ['-b', '1', '-mask', '1', '--config', 'GDAL_TIFF_INTERNAL_MASK', 'YES', ...options('COMPRESS=DEFLATE')],
  alpha: ['-b', '1', '-b', '1', '-colorinterp_2', 'alpha', ...options('COMPRESS=DEFLATE', 'INTERLEAVE=PIXEL')],
  bands: [
    '-b',
    '1',
    '-b',
    '1',
    '-colorinterp_2',
    'alpha',
    ...options('COMPRESS=DEFLATE', 'INTERLEAVE=BAND', 'TILED=YES'),
  ],
};

const files: string[] = [];
beforeAll(async () => {
  const pathOf = (name: string): string => join(folder, `${name}.tif`);
  const size = 96 * 96;
  const common = { grid, tileSize: 32, nodata: 0 } as const;
  const words = Uint16Array.from({ length: size }, (_, i) => 1000 + (i % 7));
  await writeGeoTiff(pathOf('words'), { ...common, overviews: 'average', predictor: 2, data: words });
  const floats = Float32Array.from(words, (word) => word / 7);
  const statistics = { count: 9216, minimum: 1, maximum: 2, mean: 1, stddev: 1, validPercent: 100 };
  const measured = { statistics: () => statistics, description: 'a' };
  await writeGeoTiff(pathOf('floats'), {
    ...common,
    ...measured,
    overviews: 'nearest',
    predictor: 3,
    data: floats,
    bigTiff: true,
  });
  const classes = { palette: { 1: [1, 2, 3, 255] }, names: { 1: 'tree' }, data: Uint8Array.from(words) } as const;
  await writeGeoTiff(pathOf('classes'), { ...common, ...classes, overviews: 'mode', predictor: 1 });
  files.push(pathOf('words'), pathOf('floats'), pathOf('classes'));
  if (!hasGdal()) return;
  for (const [kind, args] of Object.entries(GDAL_KINDS)) {
    gdalRewrite(pathOf('words'), pathOf(kind), args);
    files.push(pathOf(kind));
  }
});

const MIB = 2 ** 20;

describe('mutations of headers and tiles', () => {
  it('are read, or refused with the name of the file, within a second and in little memory', async () => {
    const count = sized(1000, 200_000);
    const report = await readMutations(files, { folder, first: 1, count });
    expect(report.faults).toEqual([]);
    expect(report.read + report.refused).toBe(count);
    expect(Math.min(report.read, report.refused)).toBeGreaterThan(count / 10);
    expect(report.mapped).toBeGreaterThan(count / 50);
    expect({ seed: report.slowest, isSlow: report.slowestMs > 1000 }).toEqual({ seed: report.slowest, isSlow: false });
    expect(report.grewBytes).toBeLessThan(256 * MIB);
  }, 3_600_000);
});
