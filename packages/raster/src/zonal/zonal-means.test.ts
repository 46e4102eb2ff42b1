import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { outputGrid, type PixelEngine, type ScratchRaster, type WorkContext, type Zone } from '@headwater/core';
import { projectedBox } from '@headwater/core/geo';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { writeGeoTiff } from '../cog/geotiff-writer.ts';
import { createPixelEngine } from '../engine.ts';
import { openRaster } from '../tiff/open-raster.ts';

const BOX = [75, 21.98, 75.02, 22] as const;
const GRID = outputGrid(BOX);
const NODATA = -32_768;
const GROUPS = { crop: [8, 9, 10, 11], tree: [6], none: [13] };
const quiet: WorkContext = { signal: new AbortController().signal, progress: () => {} };
const classes = Uint8Array.from({ length: GRID.cols * GRID.rows }, (_, i) => (i >> 5) % 13);

let folder = '';
let engine: PixelEngine;
let rasters: readonly ScratchRaster[];
const path = (name: string): string => join(folder, `${name}.tif`);

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'zonal-means-'));
  engine = createPixelEngine({ scratchDir: join(folder, 'scratch'), threads: 1 });
  await writeGeoTiff(path('classes'), { grid: GRID, data: classes, overviews: 'none', predictor: 1, tileSize: 64 });
  const [west, south, east, north] = projectedBox('EPSG:32643', BOX);
  const size = { cols: Math.ceil((east - west) / 10), rows: Math.ceil((north - south) / 10) };
  const utm = { crs: 'EPSG:32643', west, north, pixelWidth: 10, pixelHeight: 10, ...size };
  const read = async (name: string, valueAt: (col: number, row: number) => number): Promise<ScratchRaster> => {
    const data = Int16Array.from({ length: utm.cols * utm.rows }, (_, i) =>
      valueAt(i % utm.cols, Math.floor(i / utm.cols)),
    );
    const format = { overviews: 'none', predictor: 2, tileSize: 64, nodata: NODATA } as const;
    await writeGeoTiff(path(name), { grid: utm, data, ...format });
    return engine.read({ path: path(name), grid: utm, type: 'int16', resampling: 'nearest', nodata: NODATA }, quiet);
  };
  rasters = [
    await read('first', (col, row) => Math.round(3000 * Math.sin(col / 9) + 10 * row)),
    await read('second', (col, row) => (col % 7 === 0 ? NODATA : col * row - 5000)),
  ];
});
afterAll(async () => {
  await engine.close();
  rmSync(folder, { recursive: true, force: true });
});

function triangle(id: string, ...corners: readonly (readonly [number, number])[]): Zone {
  const ring = [...corners, ...corners.slice(0, 1)].map(([x, y]) => [BOX[0] + 0.02 * x, BOX[1] + 0.02 * y]);
  return { id, geometry: { type: 'Polygon', coordinates: [ring] } };
}
const ZONES = [
  triangle('large', [0.05, 0.1], [0.9, 0.2], [0.4, 0.95]),
  triangle('over the edge', [0.8, -0.2], [1.3, 0.5], [0.7, 0.6]),
];

/**
 * Computes the same means with `zonalValues` from a file. The file has the raster on the grid of the classes, with
 * nodata outside of the group.
 */
async function byFiles(raster: ScratchRaster, codes: readonly number[]) {
  const clip = ZONES.map(({ geometry }) => geometry);
  const cog = { raster, grid: GRID, clip, nodata: NODATA, overviews: 'nearest', path: path('warped') } as const;
  await engine.writeCog(cog, quiet);
  const file = await openRaster(path('warped'));
  const data = new Int16Array(classes.length);
  await file.readWindow({ col: 0, row: 0, cols: GRID.cols, rows: GRID.rows }, data);
  file.close();
  const masked = data.map((value, i) => (codes.includes(classes[i] ?? 0) ? value : NODATA));
  const format = { overviews: 'none', predictor: 2, tileSize: 64, nodata: NODATA } as const;
  await writeGeoTiff(path('masked'), { grid: GRID, data: masked, ...format });
  return engine.zonalValues({ path: path('masked'), zones: ZONES }, quiet);
}

it('averages rasters of another CRS by zone and group: the means equal the means from written files', async () => {
  const request = { path: path('classes'), zones: ZONES, groups: GROUPS, rasters, nodata: NODATA };
  const means = await engine.zonalMeans(request, quiet);
  for (const name of ['crop', 'tree'] as const) {
    for (const [day, raster] of rasters.entries()) {
      const expected = await byFiles(raster, GROUPS[name]);
      for (const { id } of ZONES) {
        const [ours, theirs] = [means[id]?.[name]?.[day] ?? Number.NaN, expected[id]?.mean ?? Number.NaN];
        expect(Math.abs(ours - theirs), `${id} ${name} ${day}`).toBeLessThan(1e-9 * Math.abs(theirs));
      }
    }
  }
  expect(means['large']?.['none']).toEqual([null, null]);
});

it('refuses a raster of values as the raster of classes, and stops when it is aborted', async () => {
  const request = { zones: ZONES, groups: GROUPS, rasters, nodata: NODATA };
  await expect(engine.zonalMeans({ ...request, path: path('first') }, quiet)).rejects.toThrow(
    /need uint8 .* this raster is int16/,
  );
  const stopped = { ...quiet, signal: AbortSignal.abort(new Error('enough')) };
  await expect(engine.zonalMeans({ ...request, path: path('classes') }, stopped)).rejects.toMatchObject({
    code: 'cancelled',
  });
});
