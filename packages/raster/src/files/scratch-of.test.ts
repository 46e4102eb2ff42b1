import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Plane } from '@headwater/core/pixel-plan';
import { expect, it } from 'vitest';
import { boxPolygon } from '../../../../scripts/boxes.mjs';
import { degreeGrid, STEP } from '../degree-grid.fixture.ts';
import { testEngine } from '../plan/test-engine.fixture.ts';
import { quiet } from '../plan/test-plans.fixture.ts';
import { openRaster } from '../tiff/open-raster.ts';

const { engine, folder, scratchDir } = testEngine();
const grid = degreeGrid({ west: 78, north: 18, cols: 3, rows: 2 });
const clip = [boxPolygon({ west: 78, north: 18, east: 78 + 3 * STEP, south: 18 - 2 * STEP })];

// The values are parts of larger buffers. Only these parts may be written.
it.each<readonly [string, Plane, Plane]>([
  ['uint8', Uint8Array.of(9, 0, 1, 2, 3, 254, 255, 9).subarray(1, 7), new Uint8Array(6)],
  ['int16', Int16Array.of(9, -32_768, -1, 0, 1, 2, 32_767, 9).subarray(1, 7), new Int16Array(6)],
  ['float32', Float32Array.of(9, -0.5, 0, 1e-30, 1e30, Number.NaN, 7, 9).subarray(1, 7), new Float32Array(6)],
])('values of type %s become a raster with the same values', async (type, values, read) => {
  const raster = await engine.fromValues({ grid, values });
  const path = join(folder, `${type}.tif`);
  const nodata = type === 'float32' ? Number.NaN : 0;
  await engine.writeCog({ raster, grid, clip, nodata, overviews: 'nearest', path }, quiet());
  await engine.release([raster]);
  const file = await openRaster(path);
  await file.readWindow({ col: 0, row: 0, cols: 3, rows: 2 }, read);
  expect([file.dtype, read]).toEqual([type, values]);
  file.close();
});

it('scratchOf refuses fewer values than pixels, and leaves no file', async () => {
  await expect(engine.fromValues({ grid, values: new Uint8Array(5) })).rejects.toMatchObject({
    code: 'input_data',
    message: '5 values for 3 x 2 pixels; there must be one for each pixel, row by row',
  });
  expect(await readdir(scratchDir)).toEqual([]);
});
