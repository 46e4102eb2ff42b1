import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PixelGrid, WorkContext, ZonalAreas } from '@headwater/core';
import type { MultiPolygon, Polygon } from 'geojson';
import { findPeers, peerEnvironment } from '../../../../scripts/peers.mjs';
import { pixelAreasM2 } from '@headwater/core/geo';
import { writeGeoTiff } from '../cog/geotiff-writer.ts';
import { zonal, zonalMany } from './zonal.ts';
import { degreeGrid, STEP } from '../degree-grid.fixture.ts';

const GRID: PixelGrid = degreeGrid({
  west: 75,
  north: 24,
  cols: 500,
  rows: 400,
});
const quiet: WorkContext = { signal: new AbortController().signal, progress: () => undefined };
/** Squares of 16 x 16 pixels with the classes 1 to 4, and a band of class 0. */
const classAt = (row: number, col: number): number =>
  row >= 200 && row < 210 ? 0 : 1 + (((row >> 4) + 2 * (col >> 4)) & 3);

let folder = '';
let path = '';
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'zonal-'));
  path = join(folder, 'classes.tif');
  const data = Uint8Array.from({ length: GRID.cols * GRID.rows }, (_, i) =>
    classAt(Math.floor(i / GRID.cols), i % GRID.cols),
  );
  await writeGeoTiff(path, { grid: GRID, data, nodata: 0, overviews: 'mode', predictor: 1, tileSize: 128 });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const ring = (...points: readonly (readonly [number, number])[]): number[][] =>
  [...points, ...points.slice(0, 1)].map(([col, row]) => [GRID.west + col * STEP, GRID.north - row * STEP]);
type Box = readonly [c0: number, r0: number, c1: number, r1: number];
const rectangle = ([c0, r0, c1, r1]: Box): number[][] => ring([c0, r0], [c1, r0], [c1, r1], [c0, r1]);
const areas = pixelAreasM2(GRID);
const total = (result: ZonalAreas, id: string): number => (result[id] ?? []).reduce((sum, ha) => sum + ha, 0);
const of = async (geometry: Polygon | MultiPolygon): Promise<readonly number[]> =>
  (await zonal({ path, zones: [{ id: 'z', geometry }] }, quiet))['z'] ?? [];

function expected([c0, r0, c1, r1]: Box): number[] {
  const sums = Array.from({ length: 256 }, () => 0);
  const share = (from: number, to: number, i: number): number => Math.max(0, Math.min(to, i + 1) - Math.max(from, i));
  for (let row = 0; row < GRID.rows; row += 1) {
    for (let col = 0; col < GRID.cols; col += 1) {
      const value = classAt(row, col);
      sums[value] = (sums[value] ?? 0) + (share(r0, r1, row) * share(c0, c1, col) * (areas[row] ?? 0)) / 1e4;
    }
  }
  return sums;
}

function difference(actual: readonly number[], wanted: readonly number[]): number {
  if (actual.length !== 256) return Number.POSITIVE_INFINITY;
  return Math.max(...actual.map((ha, value) => Math.abs(ha - (wanted[value] ?? 0))));
}

describe('zonal', () => {
  it.each<[string, Box]>([
    ['whole pixels', [10, 20, 30, 50]],
    ['half pixels', [10.5, 20.5, 11.5, 21.5]],
    ['a quarter of one pixel', [7.25, 7.25, 7.75, 7.75]],
    ['the band of class 0 and tile borders', [100.3, 120.7, 300.1, 260.2]],
    ['all of the raster', [0, 0, 500, 400]],
    ['a polygon over the left and upper edge', [-20.5, -3.5, 40.25, 30.75]],
    ['a polygon over the right and lower edge', [480.5, 380.25, 900, 500]],
    ['a polygon around the raster', [-50, -50, 600, 600]],
  ])('weights %s by covered fraction and ellipsoidal area', async (_, box) => {
    expect(difference(await of({ type: 'Polygon', coordinates: [rectangle(box)] }), expected(box))).toBeLessThan(1e-9);
  });

  it('halves pixels along a diagonal', async () => {
    const actual = await of({ type: 'Polygon', coordinates: [ring([4, 4], [8, 8], [4, 8])] });
    const wanted = [4, 5, 6, 7].reduce((sum, row) => sum + ((row - 4 + 0.5) * (areas[row] ?? 0)) / 1e4, 0);
    expect(actual.reduce((sum, ha) => sum + ha, 0)).toBeCloseTo(wanted, 10);
  });

  it('subtracts holes and adds parts, for both directions of rings', async () => {
    const hole = rectangle([20.5, 30.5, 25, 40]).toReversed();
    const wanted = expected([10, 20, 60, 80]).map(
      (ha, i) => ha - (expected([20.5, 30.5, 25, 40])[i] ?? 0) + (expected([300, 300, 310.5, 310])[i] ?? 0),
    );
    for (const turned of [hole, hole.toReversed()]) {
      const coordinates = [[rectangle([10, 20, 60, 80]), turned], [rectangle([300, 300, 310.5, 310])]];
      expect(difference(await of({ type: 'MultiPolygon', coordinates }), wanted)).toBeLessThan(1e-9);
    }
  });

  it('counts each part of the raster once if two polygons share a winding border', async () => {
    const seam: [number, number][] = Array.from({ length: 81 }, (_, i) => [250 + 40 * Math.sin(i * 1.7), i * 5]);
    const zones = [
      { id: 'west', geometry: { type: 'Polygon' as const, coordinates: [ring([0, 0], ...seam, [0, 400])] } },
      { id: 'east', geometry: { type: 'Polygon' as const, coordinates: [ring([500, 0], ...seam, [500, 400])] } },
    ];
    const result = await zonal({ path, zones }, quiet);
    expect(total(result, 'west') + total(result, 'east')).toBeCloseTo(
      expected([0, 0, 500, 400]).reduce((a, b) => a + b),
      8,
    );
  });

  it('returns zeros for a zone outside of the raster, and adds zones with the same id', async () => {
    const zones = [
      { id: 'away', geometry: { type: 'Polygon' as const, coordinates: [rectangle([600, 10, 700, 20])] } },
      { id: 'two', geometry: { type: 'Polygon' as const, coordinates: [rectangle([0, 0, 5, 5])] } },
      { id: 'two', geometry: { type: 'Polygon' as const, coordinates: [rectangle([5, 0, 10, 5])] } },
    ];
    const result = await zonal({ path, zones }, quiet);
    expect(total(result, 'away')).toBe(0);
    expect(difference(result['two'] ?? [], expected([0, 0, 10, 5]))).toBeLessThan(1e-9);
  });

  it('returns the areas of several rasters', async () => {
    const zones = [
      { id: 'z', geometry: { type: 'Polygon' as const, coordinates: [rectangle([1.5, 2.5, 99.5, 70.25])] } },
    ];
    const [first, second] = await zonalMany([path, path], zones, quiet);
    expect(first).toEqual(second);
    expect(difference(first?.['z'] ?? [], expected([1.5, 2.5, 99.5, 70.25]))).toBeLessThan(1e-9);
  });

  it('refuses a raster in another CRS and coordinates that are not numbers', async () => {
    const utm = join(folder, 'utm.tif');
    const grid = { ...GRID, crs: 'EPSG:32643', cols: 16, rows: 16 };
    await writeGeoTiff(utm, { grid, data: new Uint8Array(256), overviews: 'none', predictor: 1, tileSize: 16 });
    await expect(zonal({ path: utm, zones: [] }, quiet)).rejects.toThrow(/EPSG:4326.*EPSG:32643/);
    await expect(
      of({
        type: 'Polygon',
        coordinates: [
          [
            [75, 24],
            [75.01, Number.NaN],
            [75.01, 23.9],
            [75, 24],
          ],
        ],
      }),
    ).rejects.toThrow('finite number');
  });

  it('stops when aborted', async () => {
    const zones = [{ id: 'z', geometry: { type: 'Polygon' as const, coordinates: [rectangle([0, 0, 500, 400])] } }];
    const context = { ...quiet, signal: AbortSignal.abort(new Error('cancelled')) };
    await expect(zonal({ path, zones }, context)).rejects.toThrow('cancelled');
  });
});

const peers = findPeers({ modules: ['numpy', 'rasterio', 'exactextract'] });
if ('reason' in peers) console.warn(`comparison of zonal with exactextract: skipped, ${peers.reason}`);

describe.skipIf('reason' in peers)('zonal, compared with exactextract', () => {
  it('equals exactextract within 1e-6 for polygons of many shapes', async () => {
    const shapes = Array.from({ length: 30 }, (_, k) => ({
      id: `12_${k}`,
      geometry: star(50 + 75 * (k % 6), 40 + 80 * Math.floor(k / 6), k),
    }));
    const result = await zonal({ path, zones: shapes }, quiet);
    const features = shapes.map(({ id, geometry }) => ({ type: 'Feature', properties: { uid: id }, geometry }));
    writeFileSync(join(folder, 'zones.geojson'), JSON.stringify({ type: 'FeatureCollection', features }));
    const rows = Object.entries(result).flatMap(([id, list]) => list.map((ha, value) => `${id},${value},${ha}`));
    writeFileSync(join(folder, 'ours.csv'), ['uid,class,area_ha', ...rows, ''].join('\n'));
    const { python, folder: scripts } = 'python' in peers ? peers : { python: '', folder: '' };
    const args = [
      join(scripts, 'exact_areas.py'),
      path,
      join(folder, 'zones.geojson'),
      '--judge',
      join(folder, 'ours.csv'),
    ];
    const judged = spawnSync(python, args, { encoding: 'utf8', env: peerEnvironment() });
    expect(judged.stderr).toBe('');
    expect(JSON.parse(judged.stdout)).toMatchObject({ bad: 0 });
  });
});

/** Star with 120 points and a hole. Near the edge, a part is outside of the raster. */
function star(col: number, row: number, seed: number): Polygon {
  const points = (radius: number): [number, number][] =>
    Array.from({ length: 120 }, (_, i) => {
      const r = radius * (1 + 0.35 * Math.sin(i * 2.3 + seed) * Math.cos(i * 0.7 * seed));
      return [col + r * Math.cos((i * Math.PI) / 60), row + r * Math.sin((i * Math.PI) / 60)];
    });
  return { type: 'Polygon', coordinates: [ring(...points(55)), ring(...points(9))] };
}
