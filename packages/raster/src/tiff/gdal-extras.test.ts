import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { writeGeoTiff } from '../cog/geotiff-writer.ts';
import { classBlocks } from '../compare/class-blocks.ts';
import { openRaster } from './open-raster.ts';

const folder = mkdtempSync(join(tmpdir(), 'headwater-mask-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const path = join(folder, 'a.tif');
const grid = { crs: 'EPSG:32643', west: 5e5, north: 26e5, pixelWidth: 10, pixelHeight: 10, cols: 4, rows: 3 };
beforeEach(async () => {
  const data = new Float32Array(grid.cols * grid.rows);
  await writeGeoTiff(path, { grid, overviews: 'none', tileSize: 16, predictor: 1, data, nodata: -9999 });
});

it('refuses a file with a mask in a separate file', async () => {
  writeFileSync(`${path}.msk`, '');
  await expect(openRaster(path)).rejects.toThrow(
    'a.tif: its mask is in a separate file (a.tif.msk), which is not supported; include it with `gdal_translate -of COG`',
  );
  rmSync(`${path}.msk`);
  (await openRaster(path)).close();
});

it.each([
  ['-inf\0', -Infinity],
  ['+inf\0', Infinity],
])('reads the nodata value %j', async (text, expected) => {
  const bytes = readFileSync(path);
  bytes.write(text, bytes.indexOf('-9999'));
  writeFileSync(path, bytes);
  const file = await openRaster(path);
  file.close();
  expect(file.nodata).toBe(expected);
});

const LEAST = -3.4028234663852886e38;

it.each(['-3.40282e+38', '-3.402823e+38', '-3.4028235e+38', '-3.403e+38'])(
  'treats the least float32 as nodata, with any number of digits in the nodata value: %s',
  async (text) => {
    const data = Float32Array.from({ length: 12 }, (_, i) => (i < 4 ? LEAST : i - 8));
    await writeGeoTiff(path, { grid, overviews: 'none', tileSize: 16, predictor: 1, data, nodata: LEAST });
    const bytes = readFileSync(path);
    bytes.write(text.padEnd(String(LEAST).length), bytes.indexOf(String(LEAST)));
    writeFileSync(path, bytes);
    const file = await openRaster(path);
    const values = new Float32Array(12);
    await file.readValues({ col: 0, row: 0, cols: 4, rows: 3 }, values);
    const codes = classBlocks(file);
    for await (const { map } of codes.blocks()) expect([...map.subarray(0, 5)]).toEqual([255, 255, 255, 255, 0]);
    file.close();
    expect([...values]).toEqual([...Array<number>(4).fill(Number.NaN), ...data.subarray(4)]);
  },
);

it.each(['nan', '99999', '1.5'])(
  'ignores the nodata value %s of integers, because no sample can have it',
  async (text) => {
    const data = Int16Array.from({ length: 12 }, (_, i) => i);
    await writeGeoTiff(path, { grid, overviews: 'none', tileSize: 16, predictor: 1, data, nodata: -9999 });
    const bytes = readFileSync(path);
    bytes.write(text.padEnd(5), bytes.indexOf('-9999'));
    writeFileSync(path, bytes);
    const file = await openRaster(path);
    const values = new Float64Array(5);
    await file.readValues({ col: 0, row: 2, cols: 5, rows: 1 }, values);
    const sparse = new Float64Array(5);
    file.levels[0]?.byteCounts.fill(0);
    await file.readValues({ col: 0, row: 2, cols: 5, rows: 1 }, sparse);
    file.close();
    expect(file.nodata).toBeNull();
    expect([...values]).toEqual([8, 9, 10, 11, Number.NaN]);
    expect([...sparse]).toEqual([0, 0, 0, 0, Number.NaN]);
  },
);
