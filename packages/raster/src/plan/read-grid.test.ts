import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PixelGrid } from '@headwater/core';
import type { PlaneType } from '@headwater/core/pixel-plan';
import type { ReadRequest } from '@headwater/core/ports';
import { describe, expect, it } from 'vitest';
import { gdalPython, skipWithoutGdal } from '../cog/gdal-oracle.test-helper.ts';
import type { CogPixels } from '../cog/cog-image.ts';
import { writeGeoTiff } from '../cog/geotiff-writer.ts';
import { testEngine } from './test-engine.fixture.ts';
import { quiet } from './test-plans.fixture.ts';

const { engine, folder, scratchDir } = testEngine();
const SECOND = 1 / 3600;
const DEM: PixelGrid = {
  crs: 'EPSG:4326',
  west: 75.5,
  north: 23.6,
  pixelWidth: SECOND,
  pixelHeight: SECOND,
  cols: 215,
  rows: 195,
};
/** A grid inside of `DEM`, slightly rotated against it. */
const UTM: PixelGrid = {
  crs: 'EPSG:32643',
  west: 553_000,
  north: 2_608_000,
  pixelWidth: 10,
  pixelHeight: 10,
  cols: 340,
  rows: 320,
};
const heightAt = (i: number, cols: number): number =>
  300 + 200 * Math.sin((i % cols) / 31) * Math.cos(Math.floor(i / cols) / 23) + ((i * 31) % 17) / 8;

async function demFile(name: string, grid: PixelGrid, change: (height: number, i: number) => number): Promise<string> {
  const path = join(folder, name);
  const data = Float32Array.from({ length: grid.cols * grid.rows }, (_, i) => change(heightAt(i, grid.cols), i));
  await writeGeoTiff(path, { grid, data, nodata: -32_767, overviews: 'none', predictor: 3, tileSize: 128 });
  return path;
}

const ENDINGS = { uint8: 'u8', int16: 'i16', float32: 'f32' };
async function read(request: Omit<ReadRequest, 'type' | 'nodata'> & Partial<ReadRequest>): Promise<CogPixels> {
  const type: PlaneType = request.type ?? 'float32';
  const raster = await engine.read({ nodata: -9999, ...request, type }, quiet());
  const { buffer } = new Uint8Array(readFileSync(join(scratchDir, `${raster.key}.${ENDINGS[type]}`)));
  await engine.release([raster]);
  if (type === 'uint8') return new Uint8Array(buffer);
  return type === 'int16' ? new Int16Array(buffer) : new Float32Array(buffer);
}

const WARP = `
import sys, json
from osgeo import gdal
gdal.UseExceptions()
sources, out, g, rule, kind = json.loads(sys.argv[1]), sys.argv[2], json.loads(sys.argv[3]), sys.argv[4], sys.argv[5]
gdal.Warp(out, sources, format='ENVI', dstSRS=g['crs'], errorThreshold=0, resampleAlg=rule, width=g['cols'], height=g['rows'],
          workingType=gdal.GDT_Float32, outputType={'float32': gdal.GDT_Float32, 'int16': gdal.GDT_Int16, 'uint8': gdal.GDT_Byte}[kind], dstNodata=-9999 if kind != 'uint8' else 0,
          outputBounds=(g['west'], g['north'] - g['rows'] * g['pixelHeight'], g['west'] + g['cols'] * g['pixelWidth'], g['north']))
`;
function gdalWarp(
  sources: readonly string[],
  { grid, resampling, type = 'float32' }: Pick<ReadRequest, 'grid' | 'resampling'> & { type?: PlaneType },
): CogPixels {
  const out = join(folder, 'warped.bin');
  const rule = { nearest: 'near', bilinear: 'bilinear', average: 'average' }[resampling];
  const args = [JSON.stringify(sources), out, JSON.stringify(grid), rule, type];
  execFileSync(gdalPython ?? 'python3', ['-c', WARP, ...args]);
  const { buffer } = new Uint8Array(readFileSync(out));
  if (type === 'uint8') return new Uint8Array(buffer);
  return type === 'int16' ? new Int16Array(buffer) : new Float32Array(buffer);
}

function largest(values: CogPixels): number {
  let most = Number.NEGATIVE_INFINITY;
  for (const value of values) most = Math.max(most, value);
  return most;
}

/**
 * Returns the share of pixels that differ by more than `by`, the largest difference, and the number of our pixels with
 * data.
 */
function compare(ours: CogPixels, theirs: CogPixels, by: number): { share: number; worst: number; data: number } {
  let [differing, worst, data] = [0, 0, 0];
  ours.forEach((value, i) => {
    const other = theirs[i] ?? Number.NaN;
    if (value !== -9999) data += 1;
    if (Math.abs(value - other) > by) differing += 1;
    if (value !== -9999 && other !== -9999) worst = Math.max(worst, Math.abs(value - other));
  });
  expect(ours.length).toBe(theirs.length);
  return { share: differing / ours.length, worst, data };
}

describe.skipIf(skipWithoutGdal('read'))('read, compared with gdalwarp -et 0', () => {
  const hole = (height: number, i: number): number =>
    Math.hypot((i % DEM.cols) - 100, Math.floor(i / DEM.cols) - 100) < 12 ? -32_767 : height;

  it('nearest: the same pixels except ties', async () => {
    const path = await demFile('near.tif', DEM, hole);
    const rules = { grid: UTM, resampling: 'nearest' } as const;
    const found = compare(await read({ ...rules, path }), gdalWarp([path], rules), 0);
    expect(found.share).toBeLessThan(2e-3);
    expect(found.data).toBeGreaterThan(0.9 * UTM.cols * UTM.rows);
  });

  it('bilinear: the same heights within two centimetres, and data for the same pixels as nearest', async () => {
    const path = await demFile('bilinear.tif', DEM, hole);
    const rules = { grid: UTM, resampling: 'bilinear' } as const;
    const ours = await read({ ...rules, path });
    const found = compare(ours, gdalWarp([path], rules), 0.02);
    expect(found.share).toBeLessThan(1e-3);
    const nearest = await read({ grid: UTM, resampling: 'nearest', path });
    expect([...ours].every((value, i) => (value === -9999) === (nearest[i] === -9999))).toBe(true);
  });

  it('average: the mean of all overlapping pixels, weighted by shared area', async () => {
    const path = await demFile('average.tif', DEM, hole);
    const coarse = { ...UTM, pixelWidth: 150, pixelHeight: 150, cols: 22, rows: 21 };
    const rules = { grid: coarse, resampling: 'average' } as const;
    const found = compare(await read({ ...rules, path }), gdalWarp([path], rules), 1.5);
    expect(found.share).toBeLessThan(0.01);
    expect(found.data).toBeGreaterThan(430);
  });

  it('a pixel comes from the first of the overlapping tiles that has data there', async () => {
    const half = { ...DEM, cols: 120 };
    const east = { ...DEM, west: DEM.west + 95 * SECOND, cols: 120 };
    const paths = [
      await demFile('east.tif', east, (height, i) => (i % 120 < 30 ? -32_767 : height + 1000)),
      await demFile('west.tif', half, (height) => height),
    ];
    const ours = await read({ path: paths, grid: UTM, resampling: 'nearest' });
    // Where files overlap, GDAL uses the last file and our engine the first.
    const theirs = gdalWarp(paths.toReversed(), { grid: UTM, resampling: 'nearest' });
    expect(compare(ours, theirs, 0).share).toBeLessThan(2e-3);
    expect([true, false].every((isEast) => [...ours].some((value) => value > 800 === isEast))).toBe(true);
  });

  it.each([
    ['strips, LZW, predictor 2, int16', 'Int16', ['-co', 'COMPRESS=LZW', '-co', 'PREDICTOR=2'], -9999],
    ['strips, no compression, uint8', 'Byte', ['-a_nodata', '0'], -9999],
    [
      'tiles, deflate, predictor 3, float64',
      'Float64',
      ['-co', 'TILED=YES', '-co', 'COMPRESS=DEFLATE', '-co', 'PREDICTOR=3'],
      -9999,
    ],
    ['strips, deflate, uint16', 'UInt16', ['-co', 'COMPRESS=DEFLATE', '-a_nodata', '0'], -9999],
    [
      'tiles, zstd, float32, big-endian',
      'Float32',
      ['-co', 'TILED=YES', '-co', 'COMPRESS=ZSTD', '-co', 'ENDIANNESS=BIG'],
      -9999,
    ],
  ])('reads %s', async (name, type, options) => {
    const source = await demFile('plain.tif', DEM, (height) => height / 3);
    const path = join(folder, `${name.replaceAll(/\W+/g, '-')}.tif`);
    execFileSync('gdal_translate', ['-q', '-ot', type, ...options, source, path]);
    const rules = { grid: UTM, resampling: 'bilinear' } as const;
    expect(compare(await read({ ...rules, path }), gdalWarp([path], rules), 0.02).share).toBeLessThan(1e-3);
  });

  it('rounds integers and limits them to the range of their type, as GDAL does', async () => {
    const path = await demFile('range.tif', DEM, (height) => (height - 300) * 200);
    for (const type of ['int16', 'uint8'] as const) {
      const rules = { grid: UTM, resampling: 'bilinear', type } as const;
      const ours = await read({ ...rules, path, nodata: type === 'uint8' ? 0 : -9999 });
      const differing = compare(ours, gdalWarp([path], rules), type === 'uint8' ? 1 : 4);
      expect(differing.share).toBeLessThan(2e-3);
      expect(largest(ours)).toBe(type === 'uint8' ? 255 : 32_767);
    }
  });

  it('recognises a nodata value with rounded digits in a float32 file', async () => {
    const source = await demFile('lowest.tif', DEM, hole);
    const path = join(folder, 'lowest-3.4e38.tif');
    execFileSync('gdal_calc.py', [
      '--quiet',
      '-A',
      source,
      `--outfile=${path}`,
      '--calc=numpy.where(A<-9000,-3.4028234663852886e38,A)',
      '--NoDataValue=-3.4028234663852886e+38',
      '--type=Float32',
      '--hideNoData',
    ]);
    const ours = await read({ path, grid: UTM, resampling: 'nearest' });
    expect(largest(ours.map((value) => -value))).toBe(9999);
    expect(compare(ours, await read({ path: source, grid: UTM, resampling: 'nearest' }), 0).share).toBe(0);
    expect((await engine.gridOf(path)).type).toBe('float32');
  });
});

describe('read', () => {
  const rules = { grid: UTM, resampling: 'nearest', type: 'float32', nodata: -9999 } as const;

  it('returns unchanged values if the file has the requested grid', async () => {
    const path = await demFile('same.tif', UTM, (height) => height);
    const ours = await read({ path, grid: UTM, resampling: 'bilinear' });
    const expected = Float32Array.from({ length: UTM.cols * UTM.rows }, (_, i) => heightAt(i, UTM.cols));
    expect(compare(ours, expected, 1e-3).share).toBe(0);
  });

  it.each(['nearest', 'bilinear', 'average'] as const)(
    'causes no seam between the tiles of a terrain model (%s)',
    async (resampling) => {
      const data = Float32Array.from({ length: DEM.cols * DEM.rows }, (_, i) => heightAt(i, DEM.cols));
      const whole = join(folder, 'whole.tif');
      const format = { nodata: -32_767, overviews: 'none', predictor: 3, tileSize: 128 } as const;
      await writeGeoTiff(whole, { ...format, grid: DEM, data });
      // The two lower tiles share a row of pixels with the two upper tiles.
      const [across, down] = [100, 90];
      const corners = [0, 1, 2, 3].map((k) => ({ col: (k & 1) * across, row: (k >> 1) * (down - 1) }));
      const tiles = corners.map(async ({ col, row }, k) => {
        const [cols, rows] = [col === 0 ? across : DEM.cols - across, row === 0 ? down : DEM.rows - down + 1];
        const grid = { ...DEM, west: DEM.west + col * SECOND, north: DEM.north - row * SECOND, cols, rows };
        const part = Float32Array.from(
          { length: cols * rows },
          (_, i) => data[(row + Math.floor(i / cols)) * DEM.cols + col + (i % cols)] ?? 0,
        );
        const path = join(folder, `part${k}.tif`);
        await writeGeoTiff(path, { ...format, grid, data: part });
        return path;
      });
      const grid = resampling === 'average' ? { ...UTM, pixelWidth: 90, pixelHeight: 90, cols: 37, rows: 35 } : UTM;
      const path = await Promise.all(tiles);
      const found = compare(
        await read({ path, grid, resampling }),
        await read({ path: whole, grid, resampling }),
        1e-3,
      );
      // The coordinates of the corners of the files are rounded. So for a pixel centre on an edge, either neighbouring
      // pixel may be read.
      expect(found).toMatchObject({ data: grid.cols * grid.rows });
      expect(found.share).toBeLessThan(1e-4);
    },
  );

  it('returns the grid, the type and the nodata value of a file', async () => {
    const path = await demFile('header.tif', DEM, (height) => height);
    expect(await engine.gridOf(path)).toEqual({ ...DEM, type: 'float32', nodata: -32_767 });
  });

  it('refuses invalid requests with the reason, and leaves no raster', async () => {
    const broken = join(folder, 'broken.tif');
    writeFileSync(broken, 'II*\0not a tiff at all, really not');
    const inside = join(folder, 'inside');
    mkdirSync(inside);
    const path = await demFile('outside.tif', DEM, (height) => height);
    symlinkSync(path, join(inside, 'link.tif'));
    const fine = { ...DEM, crs: 'EPSG:32643', west: 553_000, north: 2_608_000, pixelWidth: 0.5, pixelHeight: 0.5 };
    const tiny = join(folder, 'fine.tif');
    const grid = { ...fine, cols: 4200, rows: 4200 };
    const data = new Uint8Array(grid.cols * grid.rows);
    await writeGeoTiff(tiny, { grid, data, overviews: 'none', predictor: 1, tileSize: 512 });
    const cases: [Partial<ReadRequest>, RegExp][] = [
      [{ path: broken }, /broken\.tif: its TIFF headers cannot be read/],
      [{ path: join(folder, 'none.tif') }, /none\.tif: the file does not exist/],
      [{ path: join(inside, 'link.tif'), within: [inside] }, /link to a file outside/],
      [{ path: [] }, /no file to read/],
      [{ path, nodata: 0.1 }, /nodata: no float32 pixel can have exactly 0\.1/],
      [
        { path: tiny, grid: { ...UTM, pixelWidth: 100, pixelHeight: 100, cols: 21, rows: 21 }, resampling: 'average' },
        /its pixels are too small/,
      ],
      [{ path, grid: { ...UTM, crs: 'EPSG:3857' } }, /CRS "EPSG:3857" is not supported/],
    ];
    for (const [change, message] of cases)
      await expect(engine.read({ path, ...rules, ...change }, quiet())).rejects.toThrow(message);
    await expect(engine.gridOf(join(inside, 'link.tif'), { within: [inside] })).rejects.toThrow('to a file outside');
    expect(readdirSync(scratchDir)).toEqual([]);
  });

  it('stops when it is cancelled', async () => {
    // Small pixels need many small windows, so the work is not finished after the first window.
    const fine = { ...UTM, pixelWidth: 1, pixelHeight: 1, cols: 64, rows: 64 };
    const path = await demFile('cancel.tif', fine, (height) => height);
    const control = new AbortController();
    const context = { signal: control.signal, progress: () => control.abort() };
    const grid = { ...UTM, cols: 1500, rows: 1500 };
    await expect(engine.read({ path, ...rules, grid }, context)).rejects.toMatchObject({ code: 'cancelled' });
    expect(readdirSync(scratchDir)).toEqual([]);
  });
});
