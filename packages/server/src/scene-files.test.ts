import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openRaster, type PixelWindow, writeCogRows } from '@headwater/raster';
import { expect, it, onTestFinished } from 'vitest';
import { decode } from './scene-files.ts';

const GRID = { crs: 'EPSG:32643', west: 0, north: 0, pixelWidth: 10, pixelHeight: 10, cols: 40, rows: 600 };
const FIRST = 100;

it.each([
  [256, [156, 256, 88]],
  [16, [28, ...Array.from({ length: 7 }, () => 64), 24]],
])('decode reads a window of a file with tiles of %i rows without decoding a tile twice', async (tileSize, heights) => {
  const folder = await mkdtemp(join(tmpdir(), 'headwater-scene-files-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, 'band.tif');
  const valuesFrom = (first: number, count: number) =>
    Uint16Array.from({ length: count * GRID.cols }, (_, index) => first * GRID.cols + index);
  const target = { grid: GRID, nodata: 0, overviews: 'none', tileSize, level: 1, threads: 1, predictor: 2 } as const;
  await writeCogRows(path, target, { type: 'uint16', rows: async (first, count) => valuesFrom(first, count) });
  const file = await openRaster(path);
  onTestFinished(() => file.close());
  const read: PixelWindow[] = [];
  let decoded = 0;
  const counted = {
    tile: file.tile,
    readWindow: async (window: PixelWindow, out: Uint16Array | Uint8Array): Promise<number> => {
      read.push(window);
      const pixels = await file.readWindow(window, out);
      decoded += pixels;
      return pixels;
    },
  };
  const whole = { row: FIRST, cols: GRID.cols, rows: 500 };
  const values = new Uint16Array(whole.rows * whole.cols);
  await decode(counted, whole, values);
  expect(values).toEqual(valuesFrom(FIRST, whole.rows));
  expect(read.map(({ rows }) => rows)).toEqual(heights);
  const once = await file.readWindow({ col: 0, ...whole }, new Uint16Array(values.length));
  expect(decoded).toBe(once);
});
