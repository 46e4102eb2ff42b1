import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Polygon } from 'geojson';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PixelGrid, WorkContext, Zone } from '@headwater/core';
import type { ZoneValues } from '@headwater/core/ports';
import { findPeers, peerEnvironment } from '../../../../scripts/peers.mjs';
import { degreeGrid, STEP } from '../degree-grid.fixture.ts';
import { writeGeoTiff } from '../cog/geotiff-writer.ts';
import { pixelAreasM2 } from '@headwater/core/geo';
import { zonal } from './zonal.ts';
import { zonalPairs } from './zonal-pairs.ts';
import { zonalValues } from './zonal-values.ts';

const GRID: PixelGrid = degreeGrid({
  west: 75,
  north: 24,
  cols: 400,
  rows: 300,
});
const PIXELS = GRID.cols * GRID.rows;
const quiet: WorkContext = { signal: new AbortController().signal, progress: () => undefined };
const areas = pixelAreasM2(GRID);
const heightAt = (i: number): number => {
  const [row, col] = [Math.floor(i / GRID.cols), i % GRID.cols];
  if ((row % 3 === 1 && col % 5 === 2) || (row < 20 && col < 20)) return -9999;
  return Math.fround(500 + 3 * Math.sin(col / 17) + row / 100);
};

let folder = '';
const path = (name: string): string => join(folder, `${name}.tif`);
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'zonal-values-'));
  const heights = Array.from({ length: PIXELS }, (_, i) => heightAt(i));
  const common = { grid: GRID, tileSize: 64, overviews: 'average' } as const;
  await writeGeoTiff(path('float32'), { ...common, data: Float32Array.from(heights), nodata: -9999, predictor: 3 });
  await writeGeoTiff(path('int16'), {
    ...common,
    data: Int16Array.from(heights, Math.round),
    nodata: -9999,
    predictor: 2,
  });
  const odd = Float32Array.from(heights, (height, i) => (height === -9999 ? ODD[i % 3]! : height));
  await writeGeoTiff(path('odd'), { ...common, data: odd, predictor: 3 });
  const classes = { ...common, nodata: 0, overviews: 'mode', predictor: 1 } as const;
  await writeGeoTiff(path('a'), { ...classes, data: Uint8Array.from(heights, (_, i) => classAt(i)) });
  await writeGeoTiff(path('b'), { ...classes, data: Uint8Array.from(heights, (_, i) => partAt(i)), tileSize: 128 });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const ODD = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
const classAt = (i: number): number => ((i % GRID.cols) >> 3) % 5;
const partAt = (i: number): number => (i % 91 === 0 ? 255 : 1 + ((Math.floor(i / GRID.cols) >> 4) & 1));

type Box = readonly [c0: number, r0: number, c1: number, r1: number];
const ring = (points: readonly (readonly [number, number])[]): number[][] =>
  [...points, ...points.slice(0, 1)].map(([col, row]) => [GRID.west + col * STEP, GRID.north - row * STEP]);
const box = (id: string, [c0, r0, c1, r1]: Box): Zone => ({
  id,
  geometry: {
    type: 'Polygon',
    coordinates: [
      ring([
        [c0, r0],
        [c1, r0],
        [c1, r1],
        [c0, r1],
      ]),
    ],
  },
});

/** Calls `visit` with each covered pixel and its covered area (m2), computed independently of the tested code. */
function eachPixel([c0, r0, c1, r1]: Box, visit: (i: number, m2: number) => void): void {
  const share = (from: number, to: number, i: number): number => Math.max(0, Math.min(to, i + 1) - Math.max(from, i));
  for (let row = 0; row < GRID.rows; row += 1) {
    for (let col = 0; col < GRID.cols; col += 1) {
      const fraction = share(r0, r1, row) * share(c0, c1, col);
      if (fraction > 0) visit(row * GRID.cols + col, fraction * (areas[row] ?? 0));
    }
  }
}

function expected(at: Box, valueAt: (i: number) => number): ZoneValues {
  let [m2, sum, pixels, min, max] = [0, 0, 0, Infinity, -Infinity];
  eachPixel(at, (i, area) => {
    const value = valueAt(i);
    if (value === -9999) return;
    [m2, sum, pixels] = [m2 + area, sum + area * value, pixels + 1];
    [min, max] = [Math.min(min, value), Math.max(max, value)];
  });
  return { areaHa: m2 / 1e4, mean: sum / m2, sum, min, max, pixels };
}

function expectSame(actual: ZoneValues | undefined, wanted: ZoneValues): void {
  if (actual === undefined) throw new Error('the zone is missing');
  expect([actual.min, actual.max, actual.pixels]).toEqual([wanted.min, wanted.max, wanted.pixels]);
  for (const key of ['areaHa', 'mean', 'sum'] as const) {
    expect(Math.abs((actual[key] ?? Number.NaN) - (wanted[key] ?? 0)) / Math.abs(wanted[key] ?? 1)).toBeLessThan(1e-9);
  }
}

const BOXES: readonly [string, Box][] = [
  ['whole pixels over tile borders', [10, 20, 190, 150]],
  ['shares of pixels', [33.25, 40.5, 34.75, 44.125]],
  ['part of one pixel', [50.25, 60.25, 50.5, 60.75]],
  ['more than the raster', [-20, -20, 500, 400]],
];

describe('zonalValues', () => {
  it.each(BOXES)('weights values by covered fraction and ellipsoidal area: %s', async (id, at) => {
    const request = { path: path('float32'), zones: [box(id, at)] };
    expectSame((await zonalValues(request, quiet))[id], expected(at, heightAt));
    const whole = await zonalValues({ ...request, path: path('int16') }, quiet);
    expectSame(
      whole[id],
      expected(at, (i) => Math.round(heightAt(i))),
    );
  });

  it('treats floats that are not finite as nodata', async () => {
    const [, at] = BOXES[0]!;
    expectSame((await zonalValues({ path: path('odd'), zones: [box('z', at)] }, quiet))['z'], expected(at, heightAt));
  });

  it('returns no mean without data, and adds zones with the same id', async () => {
    const zones = [
      box('none', [0, 0, 20, 20]),
      box('away', [600, 0, 700, 20]),
      box('two', [100, 100, 120, 120]),
      box('two', [120, 100, 140, 120]),
    ];
    const result = await zonalValues({ path: path('float32'), zones }, quiet);
    const empty = { areaHa: 0, mean: null, sum: 0, min: null, max: null, pixels: 0 };
    expect([result['none'], result['away']]).toEqual([empty, empty]);
    expectSame(result['two'], expected([100, 100, 140, 120], heightAt));
  });

  it('refuses another CRS, and stops when it is aborted', async () => {
    const utm = { ...GRID, crs: 'EPSG:32643', cols: 16, rows: 16 };
    const data = new Float32Array(256);
    await writeGeoTiff(path('utm'), { grid: utm, data, overviews: 'none', predictor: 3, tileSize: 16 });
    await expect(zonalValues({ path: path('utm'), zones: [] }, quiet)).rejects.toThrow(
      'this raster is float32 in EPSG:32643',
    );
    const context = { ...quiet, signal: AbortSignal.abort(new Error('cancelled')) };
    await expect(zonalValues({ path: path('int16'), zones: [] }, context)).rejects.toThrow('cancelled');
  });
});

describe('zonalPairs', () => {
  it.each(BOXES)('returns the area of each class of one raster within each class of the other: %s', async (id, at) => {
    const wanted = new Map<string, number>();
    eachPixel(at, (i, m2) => {
      const key = `${partAt(i)} ${classAt(i)}`;
      wanted.set(key, (wanted.get(key) ?? 0) + m2 / 1e4);
    });
    const actual = (await zonalPairs({ path: path('a'), by: path('b'), zones: [box(id, at)] }, quiet))[id] ?? [];
    expect(actual.map(({ by, value }) => `${by} ${value}`).toSorted()).toEqual([...wanted.keys()].toSorted());
    for (const { by, value, areaHa } of actual) expect(areaHa).toBeCloseTo(wanted.get(`${by} ${value}`) ?? 0, 10);
    expect(actual).toEqual(actual.toSorted((p, q) => p.by - q.by || p.value - q.value));
  });

  it('adds up to the areas of the classes', async () => {
    const zones = [star(200, 150, 3)];
    const pairs = (await zonalPairs({ path: path('a'), by: path('b'), zones }, quiet))['12_3'] ?? [];
    const classes = (await zonal({ path: path('a'), zones }, quiet))['12_3'] ?? [];
    classes.forEach((ha, value) => {
      const sum = pairs.filter((pair) => pair.value === value).reduce((total, pair) => total + pair.areaHa, 0);
      expect(sum).toBeCloseTo(ha, 8);
    });
  });

  it('accepts a raster if the program that wrote it rounded its coordinates', async () => {
    const rounded = { ...GRID, west: GRID.west + 1e-11, north: GRID.north - 1e-11 };
    const data = new Uint8Array(PIXELS).fill(7);
    await writeGeoTiff(path('rounded'), { grid: rounded, data, overviews: 'none', predictor: 1, tileSize: 64 });
    const zones = [star(200, 150, 3)];
    const pairs = (await zonalPairs({ path: path('a'), by: path('rounded'), zones }, quiet))['12_3'] ?? [];
    const classes = (await zonal({ path: path('a'), zones }, quiet))['12_3'] ?? [];
    for (const { by, value, areaHa } of pairs) {
      expect(by).toBe(7);
      expect(areaHa).toBeCloseTo(classes[value] ?? 0, 8);
    }
    expect(pairs.length).toBeGreaterThan(1);
  });

  it('refuses two rasters on different grids, and rasters of values', async () => {
    const shifted = { ...GRID, west: GRID.west + STEP };
    const data = new Uint8Array(PIXELS);
    await writeGeoTiff(path('shifted'), { grid: shifted, data, overviews: 'none', predictor: 1, tileSize: 64 });
    const pairs = (by: string) => zonalPairs({ path: path('a'), by: path(by), zones: [] }, quiet);
    await expect(pairs('shifted')).rejects.toThrow('its grid is not that of');
    await expect(pairs('int16')).rejects.toThrow('need uint8 pixels');
  });
});

/** Results of exactextract with the same areas as weights, in float64. */
const JUDGE = `
import json, sys
import numpy as np, rasterio
from exactextract import exact_extract
from exactextract.raster import NumPyRasterSource
request = json.load(sys.stdin)
with rasterio.open(request["path"]) as d:
    values, b, nodata = d.read(1).astype("float64"), d.bounds, d.nodata
areas = np.repeat(np.array(request["areas"])[:, None], values.shape[1], axis=1)
box = dict(xmin=b.left, ymin=b.bottom, xmax=b.right, ymax=b.top, srs_wkt=None)
data = values != nodata
sources = [NumPyRasterSource(np.where(data, values * areas, 0), name="sum", **box),
           NumPyRasterSource(np.where(data, areas, 0), name="area", **box),
           NumPyRasterSource(values, name="value", nodata=nodata, **box)]
out = exact_extract(sources[:2], request["zones"], ["sum"], include_cols=["uid"])
ends = exact_extract(sources[2], request["zones"], ["min", "max"], include_cols=["uid"])
print(json.dumps({o["properties"]["uid"]: {**o["properties"], **e["properties"]} for o, e in zip(out, ends)}))
`;

const peers = findPeers({ modules: ['numpy', 'rasterio', 'exactextract'] });
if ('reason' in peers) console.warn(`comparison of zonalValues with exactextract: skipped, ${peers.reason}`);

describe.skipIf('reason' in peers)('zonalValues, compared with exactextract', () => {
  it('equals exactextract within 1e-6 for polygons of many shapes', async () => {
    const zones = Array.from({ length: 20 }, (_, k) => star(40 + 80 * (k % 5), 40 + 75 * Math.floor(k / 5), k));
    const ours = await zonalValues({ path: path('float32'), zones }, quiet);
    const features = zones.map(({ id, geometry }) => ({ type: 'Feature', properties: { uid: id }, geometry }));
    const input = JSON.stringify({ path: path('float32'), areas: [...areas], zones: features });
    writeFileSync(join(folder, 'judge.py'), JUDGE);
    const python = 'python' in peers ? peers.python : '';
    const judged = spawnSync(python, [join(folder, 'judge.py')], { input, encoding: 'utf8', env: peerEnvironment() });
    expect(judged.stderr).toBe('');
    const found: Record<string, Record<string, number>> = JSON.parse(judged.stdout);
    for (const { id } of zones) {
      const [own, theirs] = [ours[id], found[id]];
      if (own === undefined || theirs === undefined) throw new Error(`zone ${id} is missing`);
      const [sum, area] = [theirs['sum_sum'] ?? Number.NaN, theirs['area_sum'] ?? Number.NaN];
      expect(Math.abs(own.sum - sum) / sum).toBeLessThan(1e-6);
      expect(Math.abs(own.areaHa - area / 1e4) / own.areaHa).toBeLessThan(1e-6);
      expect(Math.abs((own.mean ?? 0) - sum / area)).toBeLessThan(1e-3);
      expect([own.min, own.max]).toEqual([theirs['min'] ?? theirs['value_min'], theirs['max'] ?? theirs['value_max']]);
    }
  });
});

/** Star with 120 points and a hole. Near the edge, a part is outside of the raster. */
function star(col: number, row: number, seed: number): Zone & { readonly geometry: Polygon } {
  const points = (radius: number): [number, number][] =>
    Array.from({ length: 120 }, (_, i) => {
      const r = radius * (1 + 0.35 * Math.sin(i * 2.3 + seed) * Math.cos(i * 0.7 * seed));
      return [col + r * Math.cos((i * Math.PI) / 60), row + r * Math.sin((i * Math.PI) / 60)];
    });
  return { id: `12_${seed}`, geometry: { type: 'Polygon', coordinates: [ring(points(55)), ring(points(9))] } };
}
