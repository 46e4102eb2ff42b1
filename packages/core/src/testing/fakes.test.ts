import { createMemoryAssets } from '@headwater/core/memory';
import { createFakePixels, fakeScene, fakeScenes } from '@headwater/core/testing';
import { describe, expect, it } from 'vitest';

const GRID = { crs: 'EPSG:4326', west: 85, north: 24, pixelWidth: 0.001, pixelHeight: 0.001, cols: 2, rows: 2 };
const WORK = { signal: new AbortController().signal, progress: () => {} };
const BLOCK = { module: 'none', export: 'none', params: {} };

describe('fake pixels', () => {
  it('write rasters of values to the store, with their statistics', async () => {
    const assets = createMemoryAssets();
    const pixels = createFakePixels({ assets });
    const folder = await assets.begin('run', 1);
    const raster = await pixels.fromValues({ grid: GRID, values: Float32Array.of(1, 2, 3, -9) });
    const path = `${folder}/a.tif`;
    const written = await pixels.writeCog({ raster, grid: GRID, clip: [], path, nodata: -9 }, WORK);
    expect(written).toMatchObject({ path, histogram: [], inside: 4 });
    expect(written.statistics).toMatchObject({ minimum: 1, maximum: 3, mean: 2, count: 3, validPercent: 75 });
    expect(await assets.stat('run', 1, 'a.tif')).toMatchObject({ bytes: written.bytes, sha256: written.sha256 });
    expect(await pixels.gridOf(path)).toEqual({ ...GRID, type: 'float32', nodata: -9 });
    expect(
      await pixels.zonalValues({ path, zones: [{ id: 'z', geometry: { type: 'Polygon', coordinates: [] } }] }, WORK),
    ).toEqual({
      z: { areaHa: 3, mean: 2, sum: 60_000, min: 1, max: 3, pixels: 3 },
    });
    expect(pixels.calls.map(({ method }) => method)).toEqual(['fromValues', 'writeCog', 'gridOf', 'zonalValues']);
  });

  it('return the values that the test has set for outputs and files, and list the rasters that are not released', async () => {
    const assets = createMemoryAssets();
    const folder = await assets.begin('run', 1);
    const pixels = createFakePixels({ assets, values: { classes: 7, '/dem.tif': 300 } });
    const outputs = [{ name: 'classes' }, { name: 'other', type: 'int16' as const }];
    const made = await pixels.combine({ kind: 'combine', grid: GRID, inputs: {}, block: BLOCK, outputs }, WORK);
    const read = await pixels.read(
      { path: '/dem.tif', grid: GRID, type: 'int16', resampling: 'nearest', nodata: -1 },
      WORK,
    );
    expect(made).toMatchObject({ classes: { grid: GRID, type: 'uint8' }, other: { type: 'int16' } });
    const [classes, other] = [made['classes'] ?? read, made['other'] ?? read];
    const path = `${folder}/classes.tif`;
    const cog = await pixels.writeCog({ raster: classes, grid: GRID, clip: [], path, palette: {} }, WORK);
    expect(cog.histogram[7]).toBe(4);
    expect(cog).not.toHaveProperty('statistics');
    await pixels.release([classes, other]);
    expect(pixels.held()).toEqual([read.key]);
    await expect(pixels.writeCog({ raster: classes, grid: GRID, clip: [], path }, WORK)).rejects.toThrow('released');
  });

  it('refuse too few values and an unknown file with input_data, as the real engine does', async () => {
    const pixels = createFakePixels({ assets: createMemoryAssets() });
    await expect(pixels.fromValues({ grid: GRID, values: new Uint8Array(3) })).rejects.toMatchObject({
      code: 'input_data',
    });
    await expect(pixels.gridOf('/none.tif')).rejects.toMatchObject({ code: 'input_data' });
  });
});

it('fake scenes are found by box and time', async () => {
  const source = fakeScenes([
    fakeScene('2023-07-01'),
    fakeScene('2023-08-01'),
    fakeScene('2023-07-02', { bbox: [1, 1, 2, 2] }),
  ]);
  const found = await source.search({
    bbox: [85, 24, 85.1, 24.1],
    start: '2023-07-01T00:00:00Z',
    end: '2023-08-01T00:00:00Z',
  });
  expect(found.scenes.map(({ id }) => id)).toEqual(['S2_2023-07-01']);
});
