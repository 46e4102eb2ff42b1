import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { WorkContext, Zone } from '@headwater/core';
import { findPeers, peerEnvironment } from '../../../../scripts/peers.mjs';
import { sized } from '../../../../scripts/test-length.mjs';
import { writeGeoTiff } from '../cog/geotiff-writer.ts';
import { degreeGrid, STEP } from '../degree-grid.fixture.ts';
import { createKernels } from '../pixels/kernels.ts';
import { createPixels, type Dtype } from '../pixels/pixel-array.ts';
import { coverageOf } from './coverage.ts';
import { ZoneDistribution } from './distribution.ts';
import { runsIn, sumRuns, sumRunsReference } from './run-sums.ts';
import { ascendingOrder } from './value-order.ts';
import { zonalValues } from './zonal-values.ts';

const GRID = degreeGrid({ west: 75, north: 24, cols: 90, rows: 70 });
const quiet: WorkContext = { signal: new AbortController().signal, progress: () => undefined };
const DTYPES: readonly Dtype[] = ['uint8', 'int8', 'uint16', 'int16', 'uint32', 'int32', 'float32', 'float64'];
const NODATA = 101;
/** Number of distinct values. 8-bit values repeat, because the order of equal values must not affect a quantile. */
const valuesOf = (type: Dtype): number => (type.endsWith('int8') ? 97 : 6299);
/** Factors of the values, so that values of wide types have many digits. Default: 1. */
const DIGITS: Partial<Record<Dtype, number>> = { uint32: 600_001, int32: 300_007, float64: 1.000_000_007 };

const triangle = (id: string, points: readonly (readonly [number, number])[]): Zone => {
  const ring = [...points, ...points.slice(0, 1)].map(([col, row]) => [
    GRID.west + col * STEP,
    GRID.north - row * STEP,
  ]);
  return { id, geometry: { type: 'Polygon', coordinates: [ring] } };
};
const ZONES = [
  triangle('large', [
    [3.3, 2.2],
    [80.7, 30.1],
    [20.4, 66.6],
  ]),
  triangle('small', [
    [40.2, 40.1],
    [41.1, 40.9],
    [40.4, 41.7],
  ]),
  triangle('over the edge', [
    [-20, 10],
    [60, 90],
    [30, -5],
  ]),
  triangle('away', [
    [200, 10],
    [210, 10],
    [205, 20],
  ]),
];

let folder = '';
const pathOf = (type: Dtype): string => join(folder, `${type}.tif`);
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'zonal-distribution-'));
  for (const type of DTYPES) {
    const scale = DIGITS[type] ?? 1;
    const data = createPixels(type, GRID.cols * GRID.rows).map((_, i) =>
      i % 13 === 0 ? NODATA : scale * ((i * 37) % valuesOf(type)),
    );
    await writeGeoTiff(pathOf(type), {
      grid: GRID,
      data,
      nodata: NODATA,
      overviews: 'none',
      predictor: 1,
      tileSize: 32,
    });
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('sums of runs', () => {
  it('the kernel has the same sums and ranges as the reference', () => {
    const kernels = createKernels();
    const point = fc.tuple(fc.double({ min: -5, max: 60, noNaN: true }), fc.double({ min: -5, max: 50, noNaN: true }));
    const cases = fc.record({
      points: fc.array(point, { minLength: 3, maxLength: 12 }),
      window: fc.record({ row: fc.integer({ min: 0, max: 40 }), rows: fc.integer({ min: 1, max: 30 }) }),
      gaps: fc.integer({ min: 1, max: 9 }),
      least: fc.constantFrom(0, 1e-6, 0.5),
    });
    const grid = { ...GRID, cols: 55, rows: 45 };
    const check = ({
      points,
      window: part,
      gaps,
      least,
    }: typeof cases extends fc.Arbitrary<infer C> ? C : never): void => {
      const { geometry } = triangle('any', points);
      const coverage = coverageOf(geometry, grid);
      const window = { col: coverage.left, cols: Math.max(0, coverage.right - coverage.left), ...part };
      const runs = runsIn(coverage, window);
      const pixels = window.cols * window.rows;
      const data = Float32Array.from({ length: pixels }, (_, i) =>
        i % gaps === 1 ? Number.NaN : Math.sin(i * 7.7) * 1e5,
      );
      const start = { pixels: 3, min: 1, max: 2, least };
      const [own, wanted] = [{ ...start }, { ...start }];
      const mark = kernels.mark();
      const address = kernels.alloc(4 * pixels);
      kernels.f32(address, pixels).set(data);
      const sums = sumRuns(kernels, { ...window, address }, { part: runs, range: own });
      kernels.reset(mark);
      expect(sums).toEqual(sumRunsReference({ ...window, data }, runs, wanted));
      expect(own).toEqual(wanted);
    };
    fc.assert(fc.property(cases, check), { seed: 20_261_129, numRuns: sized(200, 5000) });
  });
});

describe('ascendingOrder', () => {
  it('sorts few and many values of any sign, and leaves equal values in their order', async () => {
    const kinds: readonly ((i: number) => number)[] = [
      (i) => Math.imul(i, 2_654_435_761) / 3,
      (i) => Math.fround(1e-40 * Math.imul(i, 2_654_435_761)),
      (i) => (i * 37) % 11,
      (i) => [1e300, -1e300, 5e-324, -5e-324, 0, Infinity, -Infinity][i % 7]!,
      () => 7,
    ];
    for (const length of [0, 1, 4096, 4097, 70_000])
      for (const kind of kinds) {
        const values = Float64Array.from({ length }, (_, i) => kind(i));
        const wanted = Uint32Array.from(values.keys()).sort((a, b) => {
          const [x, y] = [values[a]!, values[b]!];
          return x < y ? -1 : x > y ? 1 : a - b;
        });
        // The arrays are compared as bytes, because the test runner takes seconds for typed arrays.
        const found = await ascendingOrder(values, quiet.signal);
        expect([length, String(kind), Buffer.from(found.buffer).equals(Buffer.from(wanted.buffer))]).toEqual([
          length,
          String(kind),
          true,
        ]);
      }
  });
});

describe('quantiles and histograms', () => {
  it.each(DTYPES)('agree with the mean and the area of %s samples', async (path) => {
    const scale = DIGITS[path] ?? 1;
    const bins = valuesOf(path);
    const histogram = { from: -0.5 * scale, to: (bins - 0.5) * scale, bins };
    const result = await zonalValues({ path: pathOf(path), zones: ZONES, quantiles: [0, 0.5, 1], histogram }, quiet);
    for (const id of ['large', 'small', 'over the edge']) {
      const { areaHa = 0, mean, min, max, quantiles, histogram: areas = [] } = result[id] ?? {};
      expect([quantiles?.[0], quantiles?.[2]]).toEqual([min, max]);
      expect(areas.reduce((a, b) => a + b, 0) / areaHa).toBeCloseTo(1, 6);
      const centres = areas.reduce((sum, ha, bin) => sum + ha * bin * scale, 0) / areaHa;
      expect(centres / (mean ?? 0)).toBeCloseTo(1, 5);
    }
    expect(result['away']).toMatchObject({ mean: null, quantiles: [null, null, null] });
  });

  it('refuse quantiles outside of 0 to 1 and impossible bins, and name them in the error', async () => {
    const path = pathOf('int16');
    const values = (more: object) => zonalValues({ path, zones: ZONES, ...more }, quiet);
    await expect(values({ quantiles: [0.5, 50] })).rejects.toThrow('quantiles: 50 is not a number from 0 to 1');
    await expect(values({ histogram: { from: 1, to: 1, bins: 5 } })).rejects.toThrow('histogram: 5 bins from 1 to 1');
    await expect(values({ histogram: { from: 0, to: 1, bins: 1e9 } })).rejects.toThrow('1 to 65536 bins');
  });

  it('refuse too many bins of all zones together; zones with the same id count once', async () => {
    const [zone] = ZONES.slice(3);
    const zones = Array.from({ length: 257 }, (_, i): Zone => ({ ...zone!, id: `z${i}` }));
    const values = (more: readonly Zone[]) =>
      zonalValues({ path: pathOf('int16'), zones: more, histogram: { from: 0, to: 1, bins: 65_536 } }, quiet);
    await expect(values(zones)).rejects.toThrow(
      'histogram: 257 zones of 65536 bins each exceed 16777216 bins; request fewer bins, or fewer zones at a time',
    );
    const found = await values(zones.map(({ geometry }) => ({ id: 'same', geometry })));
    expect(found['same']?.histogram).toEqual(Array.from({ length: 65_536 }, () => 0));
  });

  it('of many values let the event loop continue, and stop if the signal is aborted', async () => {
    const [cols, rows] = [1024, 1024];
    const zone = new ZoneDistribution({ quantiles: [0, 0.25, 1], histogram: undefined, values: 0 });
    const data = Float64Array.from({ length: cols * rows }, (_, i) => Math.imul(i, 2_654_435_761) / 7);
    const whole = {
      starts: Int32Array.from({ length: rows + 1 }, (_, i) => i),
      from: new Int32Array(rows),
      to: new Int32Array(rows).fill(cols),
      fraction: new Float64Array(rows).fill(1),
    };
    const window = { row: 0, rows, col: 0, cols };
    zone.add({ ...window, data }, { ...window, ...whole }, { rowAreas: new Float64Array(rows).fill(1), least: 0 });
    const controller = new AbortController();
    let [turns, isDone] = [0, false];
    const count = (): void => {
      turns += 1;
      if (!isDone) setImmediate(count);
    };
    setImmediate(count);
    const { quantiles } = await zone.result(1, controller.signal);
    isDone = true;
    const sorted = data.toSorted();
    const at = 0.25 * (data.length - 1);
    const [low, high] = [sorted[Math.floor(at)]!, sorted[Math.ceil(at)]!];
    expect(quantiles).toEqual([sorted[0], expect.closeTo(low + (at % 1) * (high - low), 3), sorted.at(-1)]);
    expect(turns).toBeGreaterThan(10);
    const stopped = zone.result(1, controller.signal);
    controller.abort(new Error('enough'));
    await expect(stopped).rejects.toThrow('enough');
  });
});

/** Results of exactextract, which weights pixels by covered fraction only. */
const JUDGE = `
import json, sys
import rasterio
from exactextract import exact_extract
from exactextract.raster import NumPyRasterSource
request = json.load(sys.stdin)
with rasterio.open(request["path"]) as d:
    values, b = d.read(1), d.bounds
    nodata = values.dtype.type(d.nodata).item()
source = NumPyRasterSource(values, nodata=nodata, xmin=b.left, ymin=b.bottom, xmax=b.right, ymax=b.top, srs_wkt=None)
names = [f"quantile(q={q})" for q in request["quantiles"]]
for f in exact_extract(source, request["zones"], [*names, "min", "max", "mean"], include_cols=["uid"]):
    print(json.dumps(f["properties"]))
`;

const peers = findPeers({ modules: ['numpy', 'rasterio', 'exactextract'] });
if ('reason' in peers) console.warn(`comparison of quantiles with exactextract: skipped, ${peers.reason}`);

describe.skipIf('reason' in peers)('quantiles, compared with exactextract', () => {
  it.each(DTYPES.filter((type) => !type.endsWith('int8')))('are equal for %s samples', async (type) => {
    const quantiles = [0.05, 0.25, 0.5, 0.9, 0.99];
    const features = ZONES.slice(0, 3).map(({ id, geometry }) => ({
      type: 'Feature',
      properties: { uid: id },
      geometry,
    }));
    const ours = await zonalValues({ path: pathOf(type), zones: ZONES, quantiles }, quiet);
    writeFileSync(join(folder, 'judge.py'), JUDGE);
    const input = JSON.stringify({ path: pathOf(type), zones: features, quantiles });
    const python = 'python' in peers ? peers.python : '';
    const judged = spawnSync(python, [join(folder, 'judge.py')], { input, encoding: 'utf8', env: peerEnvironment() });
    expect(judged.stderr).toBe('');
    const lines = judged.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, number>);
    expect(lines).toHaveLength(3);
    for (const { uid, min, max, mean = Number.NaN, ...found } of lines) {
      const own = ours[String(uid)];
      expect([own?.min, own?.max]).toEqual([min, max]);
      expect((own?.mean ?? 0) / mean).toBeCloseTo(1, 3);
      quantiles.forEach((q, i) => {
        const theirs = found[`quantile_${Math.round(100 * q)}`] ?? Number.NaN;
        // exactextract truncates quantiles of integers, so ours may be larger by less than one.
        const value = own?.quantiles?.[i] ?? Number.NaN;
        expect((type.startsWith('float') ? value : Math.floor(value)) / theirs).toBeCloseTo(1, 5);
      });
    }
  });
});
