import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { writeGeoTiff } from '../cog/geotiff-writer.ts';
import { openRaster } from './open-raster.ts';

const folder = mkdtempSync(join(tmpdir(), 'headwater-mask-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const path = join(folder, 'a.tif');
const grid = { crs: 'EPSG:32643', west: 5e5, north: 26e5, pixelWidth: 10, pixelHeight: 10, cols: 4, rows: 3 };
beforeEach(async () => {
  const data = new Float32Array(grid.cols * grid.rows);
  await writeGeoTiff(path, { grid, overviews: 'none', tileSize: 16, predictor: 1, data, nodata: -9999 });
});

it('a mask in a file of its own is not passed over', async () => {
  writeFileSync(`${path}.msk`, '');
  await expect(openRaster(path)).rejects.toThrow(
    'a.tif: its mask lies in a file of its own (a.tif.msk), which is not read; put it into the file with `gdal_translate -of COG`',
  );
  rmSync(`${path}.msk`);
  (await openRaster(path)).close();
});

it.each([
  ['-inf\0', -Infinity],
  ['+inf\0', Infinity],
])('the nodata value %j is read', async (text, expected) => {
  const bytes = readFileSync(path);
  bytes.write(text, bytes.indexOf('-9999'));
  writeFileSync(path, bytes);
  const file = await openRaster(path);
  file.close();
  expect(file.nodata).toBe(expected);
});
