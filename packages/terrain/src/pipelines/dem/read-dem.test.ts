import type { PixelGrid } from '@headwater/core';
import { DEFAULT_REMEDIES } from '@headwater/core/pipelines';
import type { ReadRequest } from '@headwater/core/ports';
import { expect, it } from 'vitest';
import { evenMargins } from './dem-grid.ts';
import { readDem } from './read-dem.ts';

const dem: PixelGrid = {
  crs: 'EPSG:4326',
  west: 77,
  north: 19,
  pixelWidth: 1 / 10_800,
  pixelHeight: 1 / 10_800,
  cols: 21_600,
  rows: 21_600,
};
const work = { signal: new AbortController().signal, progress: () => {} };
const raster = { href: '/dem.tif' };
const elevation = {
  demFor: async () => ({ title: 'Fine heights', license: 'CC0-1.0', attribution: 'Survey', rasters: [raster] }),
};

it('uses larger pixels for a large place, so that the thread that computes them does not run out of memory', async () => {
  const requests: ReadRequest[] = [];
  const pixels = {
    gridOf: async () => ({ ...dem, type: 'float32' as const, nodata: null }),
    read: async (request: ReadRequest) => {
      requests.push(request);
      return { key: 'heights', grid: request.grid };
    },
  };
  const ports = { elevation, pixels, remedies: DEFAULT_REMEDIES };
  await readDem([77.5, 18, 78.25, 18.72], { ports, work, margins: evenMargins(2100) });
  const [request] = requests;
  expect((request?.grid.cols ?? 0) * (request?.grid.rows ?? 0)).toBeLessThanOrEqual(20_000_000);
  expect(request?.resampling).toBe('average');
});

it('passes the abort signal of the run to the elevation catalogue and to the reading of file headers', async () => {
  const signals: unknown[] = [];
  const catalogue = { demFor: async (_: unknown, signal?: AbortSignal) => void signals.push(signal) };
  const ports = { pixels: { gridOf: expect.fail, read: expect.fail }, remedies: DEFAULT_REMEDIES };
  const box = [77.5, 18, 78.25, 18.72] as const;
  await expect(
    readDem(box, { ports: { ...ports, elevation: catalogue }, work, margins: evenMargins(1) }),
  ).rejects.toThrow(/No elevations/);
  const gridOf = (_path: string, _source?: object, signal?: AbortSignal): never => {
    signals.push(signal);
    throw new Error('enough');
  };
  const pixels = { ...ports.pixels, gridOf };
  await expect(readDem(box, { ports: { ...ports, pixels, elevation }, work, margins: evenMargins(1) })).rejects.toThrow(
    'enough',
  );
  expect(signals).toEqual([work.signal, work.signal, work.signal]);
});
