import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PixelGrid } from '@headwater/core';
import { openRaster } from '../tiff/open-raster.ts';
import { inspectWithGdal, rawLevel, skipWithoutGdal } from './gdal-oracle.test-helper.ts';
import { writeGeoTiff } from './geotiff-writer.ts';
import type { CogImage, CogPixels } from './cog-image.ts';

const LONLAT = {
  crs: 'EPSG:4326',
  west: 75.000123,
  north: 24.5,
  pixelWidth: 8.983152841195215e-5,
  pixelHeight: 8.983152841195215e-5,
};
const UTM = { crs: 'EPSG:32643', west: 500_000, north: 2_600_000, pixelWidth: 10, pixelHeight: 20 };
const sized = (grid: Omit<PixelGrid, 'cols' | 'rows'>, cols: number, rows: number): PixelGrid => ({
  ...grid,
  cols,
  rows,
});

function classes(cols: number, rows: number): Uint8Array {
  let seed = 12_345;
  const random = (): number => (seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0) / 2 ** 32;
  return Uint8Array.from({ length: cols * rows }, (_, i) => {
    const [x, y] = [i % cols, Math.floor(i / cols)];
    return random() < 0.2 ? Math.floor(random() * 5) : ((x >> 4) + 3 * (y >> 5)) % 13;
  });
}

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'cog-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const arrays = {
  uint16: (values: number[]) => Uint16Array.from(values),
  int16: (values: number[]) => Int16Array.from(values),
  float32: (values: number[]) => Float32Array.from(values),
};
const bytes = (data: CogPixels): Buffer => Buffer.from(data.buffer, data.byteOffset, data.byteLength);
const classImage = (grid: PixelGrid, tileSize = 128): CogImage => ({
  grid,
  data: classes(grid.cols, grid.rows),
  nodata: 0,
  palette: { 0: [0, 0, 0, 0], 1: [255, 0, 0, 255], 12: [169, 168, 167, 255] },
  names: { 1: 'built-up & <more>', 12: 'shrub' },
  description: 'land "cover"',
  overviews: 'mode',
  predictor: 1,
  tileSize,
});

describe.skipIf(skipWithoutGdal('writeGeoTiff'))('writeGeoTiff, read by GDAL', () => {
  it('writes a valid COG of classes with palette, nodata, CRS, names and the same mode overviews as GDAL', async () => {
    const image = classImage(sized(LONLAT, 1024, 768));
    const path = join(folder, 'classes.tif');
    await writeGeoTiff(path, image);
    const report = inspectWithGdal(path, folder, 'mode');
    expect(report.problems).toEqual([]);
    expect(report).toMatchObject({ epsg: '4326', nodata: 0, type: 'Byte', layout: 'COG', description: 'land "cover"' });
    expect(report.metadata).toEqual({ CATEGORY_1: 'built-up & <more>', CATEGORY_12: 'shrub' });
    expect(report.geoTransform).toEqual([75.000123, 8.983152841195215e-5, 0, 24.5, 0, -8.983152841195215e-5]);
    expect(report.sizes).toEqual([
      [1024, 768],
      [512, 384],
      [256, 192],
      [128, 96],
    ]);
    expect([0, 1, 12].map((value) => report.colors?.[value])).toEqual([
      [0, 0, 0, 0],
      [255, 0, 0, 255],
      [169, 168, 167, 255],
    ]);
    expect(rawLevel(folder, 'level0').equals(bytes(image.data))).toBe(true);
    for (const i of [1, 2, 3]) expect(rawLevel(folder, `level${i}`).equals(rawLevel(folder, `gdal${i}`))).toBe(true);
  });

  it.each([
    [1, 1],
    [127, 5],
    [129, 128],
    [513, 257],
    [1021, 333],
  ])('writes %i x %i pixels, which are not a multiple of the tile size', async (cols, rows) => {
    const image = classImage(sized(LONLAT, cols, rows));
    const path = join(folder, `odd-${cols}.tif`);
    await writeGeoTiff(path, image);
    const report = inspectWithGdal(path, folder, 'none');
    expect(report.problems).toEqual([]);
    expect(rawLevel(folder, 'level0').equals(bytes(image.data))).toBe(true);
    report.sizes.slice(1).forEach(([width, height], i) => {
      const [below = [0, 0]] = report.sizes.slice(i);
      expect([width, height]).toEqual([Math.ceil(below[0] / 2), Math.ceil(below[1] / 2)]);
    });
  });

  it.each([
    ['uint16', 'UInt16', (i: number) => (i % 97 === 0 ? 0 : (i * 7919) % 65_536)],
    ['int16', 'Int16', (i: number) => ((i * 7919) % 65_536) - 32_768],
    ['float32', 'Float32', (i: number) => Math.fround(Math.sin(i) * 1e4)],
  ] as const)('writes %s with predictor 2 in UTM, overviews by average', async (kind, type, value) => {
    const data = arrays[kind](Array.from({ length: 512 * 256 }, (_, at) => value(at)));
    const path = join(folder, `${kind}.tif`);
    await writeGeoTiff(path, {
      grid: sized(UTM, 512, 256),
      data,
      nodata: 0,
      overviews: 'average',
      predictor: 2,
      tileSize: 128,
    });
    const report = inspectWithGdal(path, folder, 'average');
    expect(report.problems).toEqual([]);
    expect(report).toMatchObject({
      epsg: '32643',
      type,
      predictor: '2',
      geoTransform: [500_000, 10, 0, 2_600_000, 0, -20],
    });
    expect(rawLevel(folder, 'level0').equals(bytes(data))).toBe(true);
    // GDAL rounds half away from zero, and this package half up. So only the overviews of uint16 are compared, because
    // its values are not negative.
    const comparable = kind === 'uint16';
    expect(!comparable || rawLevel(folder, 'level1').equals(rawLevel(folder, 'gdal1'))).toBe(true);
  });

  it('writes BigTIFF on request', async () => {
    const image = { ...classImage(sized(LONLAT, 600, 500)), bigTiff: true };
    const path = join(folder, 'big.tif');
    await writeGeoTiff(path, image);
    expect(readFileSync(path)[2]).toBe(43);
    expect(inspectWithGdal(path, folder, 'none')).toMatchObject({
      problems: [],
      epsg: '4326',
      nodata: 0,
      layout: 'COG',
    });
    expect(rawLevel(folder, 'level0').equals(bytes(image.data))).toBe(true);
  });

  it('needs very few bytes for tiles of one class', async () => {
    const flat = { ...classImage(sized(LONLAT, 512, 512)), data: new Uint8Array(512 * 512).fill(6) };
    const { bytes: size } = await writeGeoTiff(join(folder, 'flat.tif'), flat);
    expect(size).toBeLessThan(20_000);
  });
});

describe('writeGeoTiff', () => {
  it('reports the size and sha-256 of the file, replaces an existing file, and leaves no other file', async () => {
    const own = mkdtempSync(join(folder, 'own-'));
    const path = join(own, 'a.tif');
    await writeGeoTiff(path, classImage(sized(LONLAT, 300, 200)));
    const digest = await writeGeoTiff(path, classImage(sized(LONLAT, 400, 200)));
    expect(digest).toEqual({
      bytes: statSync(path).size,
      sha256: createHash('sha256').update(readFileSync(path)).digest('hex'),
    });
    expect(readdirSync(own)).toEqual(['a.tif']);
  });

  it('writes the same bytes with any number of threads', async () => {
    const image = classImage(sized(LONLAT, 700, 500));
    const digests = [1, 2, 5].map((threads) => writeGeoTiff(join(folder, `t${threads}.tif`), { ...image, threads }));
    expect(new Set((await Promise.all(digests)).map(({ sha256 }) => sha256)).size).toBe(1);
  });

  it('writes files that this package reads with the same pixels and the expected levels', async () => {
    const image = classImage(sized(LONLAT, 300, 200), 64);
    const path = join(folder, 'own-read.tif');
    await writeGeoTiff(path, image);
    const file = await openRaster(path);
    const out = new Uint8Array(300 * 200);
    await file.readWindow({ col: 0, row: 0, cols: 300, rows: 200 }, out);
    expect(file.levels.map(({ cols, rows }) => [cols, rows])).toEqual([
      [300, 200],
      [150, 100],
      [75, 50],
      [38, 25],
    ]);
    file.close();
    expect(Buffer.from(out).equals(bytes(image.data))).toBe(true);
  });

  it.each([
    ['an unknown CRS', { grid: sized({ ...UTM, crs: 'EPSG:3857' }, 64, 64) }, /EPSG:3857.*gdalwarp/],
    ['a tile size that is not a multiple of 16', { tileSize: 100 }, /multiple of 16/],
    ['a palette for 16 bits', { data: new Uint16Array(64 * 64) }, /palette needs uint8/],
  ])('refuses %s and leaves no file', async (_, change, message) => {
    const own = mkdtempSync(join(folder, 'refused-'));
    const image = { ...classImage(sized(LONLAT, 64, 64)), ...change };
    await expect(writeGeoTiff(join(own, 'x.tif'), image)).rejects.toThrow(message);
    expect(readdirSync(own)).toEqual([]);
  });
});
