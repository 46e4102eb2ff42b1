import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PixelGrid, ScratchRaster, WorkContext } from '@headwater/core';
import type { Plane } from '@headwater/core/pixel-plan';
import type { WriteCogRequest } from '@headwater/core/ports';
import type { Polygon } from 'geojson';
import { createScratchSpace } from '../files/scratch-space.ts';
import type { ScratchSpace } from '../files/scratch-space.ts';
import { bytesOf } from '../pixels/pixel-array.ts';
import { gdalPython, inspectWithGdal, rawLevel, skipWithoutGdal } from './gdal-oracle.test-helper.ts';
import { writeCog } from './write-cog.ts';
import { degreeGrid, STEP } from '../degree-grid.fixture.ts';

const GRID: PixelGrid = degreeGrid({
  west: 78,
  north: 23.5,
  // The sizes are even at each level, because GDAL's overviews of odd sizes differ from ours.
  cols: 1304,
  rows: 776,
});
const PIXELS = GRID.cols * GRID.rows;
const quiet: WorkContext = { signal: new AbortController().signal, progress: () => undefined };
const AROUND: Polygon = {
  type: 'Polygon',
  coordinates: [
    [
      [77, 22],
      [79, 22],
      [79, 24],
      [77, 24],
      [77, 22],
    ],
  ],
};

let folder = '';
let scratch: ScratchSpace;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'write-values-'));
  scratch = createScratchSpace(join(folder, 'scratch'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const NONE = { int16: -32_768, float32: -9999 } as const;
type ValueType = keyof typeof NONE;
/** Heights between -8000 and 8000 m, plus 0 to 9.9 m. One pixel in each 11 x 7 pixels has no data. */
function hills(type: ValueType): Plane {
  const values = Array.from({ length: PIXELS }, (_, i) => {
    const [col, row] = [i % GRID.cols, Math.floor(i / GRID.cols)];
    if (row % 7 === 3 && col % 11 === 5) return NONE[type];
    return 8000 * Math.sin(col / 200) * Math.cos(row / 150) + ((i * 37) % 100) / 10;
  });
  return type === 'int16' ? Int16Array.from(values, Math.round) : Float32Array.from(values);
}

async function stored(data: Plane, grid = GRID): Promise<ScratchRaster> {
  const type = data instanceof Int16Array ? 'int16' : data instanceof Float32Array ? 'float32' : 'uint8';
  const raster = await scratch.create(grid, type);
  writeFileSync(scratch.pathOf(raster), bytesOf(data));
  return raster;
}
const write = (request: Omit<WriteCogRequest, 'grid' | 'clip'> & Partial<WriteCogRequest>) =>
  writeCog({ grid: GRID, clip: [AROUND], ...request }, quiet, { scratch, threads: 2 });

/**
 * Prints the statistics that GDAL computes from the pixels (`own`), and the statistics in the metadata of the file
 * (`fromFile`).
 */
const COMPUTE = `
import json, sys
from osgeo import gdal
gdal.UseExceptions()
d = gdal.Open(sys.argv[1]); b = d.GetRasterBand(1)
m = gdal.GetDriverByName('MEM').Create('', d.RasterXSize, d.RasterYSize, 1, b.DataType)
if b.GetNoDataValue() is not None: m.GetRasterBand(1).SetNoDataValue(b.GetNoDataValue())
m.GetRasterBand(1).WriteArray(b.ReadAsArray())
print(json.dumps({'own': m.GetRasterBand(1).ComputeStatistics(False), 'fromFile': b.GetStatistics(False, False),
                  'percent': m.GetRasterBand(1).GetMetadataItem('STATISTICS_VALID_PERCENT')}))
`;
function gdalStatistics(path: string): { own: number[]; fromFile: number[]; percent: string } {
  return JSON.parse(execFileSync(gdalPython ?? 'python3', ['-c', COMPUTE, path], { encoding: 'utf8' }));
}

describe.skipIf(skipWithoutGdal('writeCog of values'))('writeCog of values, compared with GDAL', () => {
  it.each([
    { type: 'int16', overviews: 'average', predictor: '2', gdal: 'Int16' },
    { type: 'int16', overviews: 'nearest', predictor: '2', gdal: 'Int16' },
    { type: 'float32', overviews: 'average', predictor: '3', gdal: 'Float32' },
    { type: 'float32', overviews: 'nearest', predictor: '3', gdal: 'Float32' },
  ] as const)(
    '$type with overviews by $overviews: a valid COG with every value, its statistics and its overviews',
    async ({ type, overviews, predictor, gdal }) => {
      const data = hills(type);
      const path = join(folder, `${type}-${overviews}.tif`);
      const written = await write({
        raster: await stored(data),
        nodata: NONE[type],
        overviews,
        description: 'height (m)',
        path,
      });
      const rule = overviews === 'nearest' ? 'none' : 'average';
      const report = inspectWithGdal(path, folder, rule);
      expect(report.problems).toEqual([]);
      expect(report).toMatchObject({ epsg: '4326', nodata: NONE[type], type: gdal, predictor, colors: null });
      expect(report.description).toBe('height (m)');
      expect(rawLevel(folder, 'level0').equals(bytesOf(data))).toBe(true);
      expect(report.sizes).toHaveLength(3);
      if (rule !== 'none') for (const level of [1, 2]) expectClose(type, level);
      const { statistics, histogram, inside } = written;
      if (statistics === undefined) throw new Error('no statistics');
      expect(inside).toBe(PIXELS);
      expect(histogram).toEqual([]);
      const { own, fromFile, percent } = gdalStatistics(path);
      const ours = [statistics.minimum, statistics.maximum, statistics.mean, statistics.stddev];
      expect(fromFile).toEqual(ours);
      own.forEach((value, i) => expect(Math.abs((ours[i] ?? 0) - value)).toBeLessThan(1e-6));
      expect(statistics.validPercent).toBeCloseTo(Number(percent), 1);
      expect(statistics.count).toBe(data.filter((value) => value !== NONE[type]).length);
    },
  );

  /** Expects GDAL's pixels. Integers may differ by one per level, because GDAL may round .5 in the other direction. */
  function expectClose(type: ValueType, level: number): void {
    const read = (name: string): Plane => {
      const { buffer } = new Uint8Array(rawLevel(folder, name));
      return type === 'int16' ? new Int16Array(buffer) : new Float32Array(buffer);
    };
    const [ours, theirs] = [read(`level${level}`), read(`gdal${level}`)];
    let worst = 0;
    ours.forEach((value, i) => (worst = Math.max(worst, Math.abs(value - (theirs[i] ?? Number.NaN)))));
    expect(worst).toBeLessThanOrEqual(type === 'int16' ? level : 2e-3);
  }

  it('sets values that are not finite, and pixels outside of the clip or the raster, to nodata', async () => {
    const data = Float32Array.from({ length: PIXELS }, (_, i) => (i % 2 === 0 ? 1.5 : -2.25));
    data.set([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, -0], 10);
    const path = join(folder, 'odd.tif');
    const wider = { ...GRID, west: GRID.west - 20 * STEP, cols: GRID.cols + 20 };
    const west = GRID.west - 9.5 * STEP;
    const [right, low] = [GRID.west + 29.5 * STEP, GRID.north - 9.5 * STEP];
    const clip: Polygon = {
      type: 'Polygon',
      coordinates: [
        [
          [west, 24],
          [right, 24],
          [right, low],
          [west, low],
          [west, 24],
        ],
      ],
    };
    const written = await write({
      raster: await stored(data),
      grid: wider,
      clip: [clip],
      nodata: -9999,
      overviews: 'average',
      path,
    });
    const report = inspectWithGdal(path, folder, 'none');
    expect(report.problems).toEqual([]);
    const pixels = new Float32Array(new Uint8Array(rawLevel(folder, 'level0')).buffer);
    const withData = [...pixels.entries()]
      .filter(([, value]) => value !== -9999)
      .map(([i]) => [Math.floor(i / wider.cols), i % wider.cols]);
    const expected = Array.from({ length: 10 * 30 }, (_, i) => [Math.floor(i / 30), 20 + (i % 30)]);
    expect(withData).toEqual(expected.filter(([row, col]) => row !== 0 || ![30, 31, 32].includes(col ?? 0)));
    expect(Object.is(pixels[33], -0)).toBe(true);
    expect(written).toMatchObject({ inside: 10 * 40, statistics: { minimum: -2.25, maximum: 1.5, count: 297 } });
    expect(report.metadata['STATISTICS_MINIMUM']).toBe('-2.25');
  });

  it('writes a raster of uint8 values with statistics, and a raster of classes without statistics', async () => {
    const data = Uint8Array.from({ length: PIXELS }, (_, i) => i % 200);
    const [values, classes] = [join(folder, 'values.tif'), join(folder, 'classes.tif')];
    const found = await write({ raster: await stored(data), path: values, nodata: 255, overviews: 'average' });
    expect(inspectWithGdal(values, folder, 'none')).toMatchObject({ type: 'Byte', nodata: 255, predictor: '2' });
    expect(found).toMatchObject({ statistics: { minimum: 0, maximum: 199, validPercent: 100 } });
    expect(found.histogram[7]).toBe(Math.ceil((PIXELS - 7) / 200));
    const map = await write({ raster: await stored(data), path: classes, palette: { 1: [1, 2, 3, 255] } });
    expect(map.statistics).toBeUndefined();
    expect(inspectWithGdal(classes, folder, 'none').metadata['STATISTICS_MEAN']).toBeUndefined();
  });
});

describe('writeCog of values', () => {
  it('has no statistics if no pixel has data', async () => {
    const data = new Float32Array(PIXELS).fill(Number.NaN);
    const path = join(folder, 'empty.tif');
    const written = await write({ raster: await stored(data), nodata: -9999, path });
    expect(written.statistics).toBeUndefined();
    expect(readFileSync(path).includes('STATISTICS')).toBe(false);
  });

  it.each([
    ['int16', 40_000, /int16.*40000.*-32768/],
    ['int16', 0.5, /int16.*0\.5/],
    ['float32', 0.1, /float32.*0\.1.*-9999/],
    ['int16', Number.NaN, /int16.*NaN/],
  ] as const)('refuses a nodata value that a pixel of type %s cannot have: %f', async (type, nodata, message) => {
    const raster = await stored(hills(type));
    await expect(write({ raster, nodata, path: join(folder, 'x.tif') })).rejects.toThrow(message);
  });

  it('refuses a palette for types other than uint8', async () => {
    const raster = await stored(hills('int16'));
    await expect(write({ raster, palette: {}, path: join(folder, 'x.tif') })).rejects.toThrow('palette');
  });
});
