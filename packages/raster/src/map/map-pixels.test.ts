import { execFileSync, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AssetFile, PixelGrid } from '@headwater/core';
import { fromUtm } from '@headwater/core/geo';
import type { MapGrid, MapSamples } from '@headwater/core/ports';
import { decode } from 'fast-png';
import { afterAll, describe, expect, it } from 'vitest';
import { createPixels, type Dtype, viewPixels } from '../pixels/pixel-array.ts';
import { openRaster } from '../tiff/open-raster.ts';
import type { CogFormat, CogPixels } from '../cog/cog-image.ts';
import { writeGeoTiff } from '../cog/geotiff-writer.ts';
import { createMapPixels } from './map-pixels.ts';

const folder = mkdtempSync(join(tmpdir(), 'map-pixels-'));
const pixels = createMapPixels();
afterAll(async () => {
  await pixels.close();
  rmSync(folder, { recursive: true });
});

const DEGREES: PixelGrid = {
  crs: 'EPSG:4326',
  west: 85.4,
  north: 25.3,
  pixelWidth: 0.0011,
  pixelHeight: 0.0009,
  cols: 300,
  rows: 280,
};
const UTM: PixelGrid = {
  crs: 'EPSG:32645',
  west: 300_000,
  north: 2_800_000,
  pixelWidth: 20,
  pixelHeight: 25,
  cols: 330,
  rows: 290,
};

let files = 0;
async function fileOf(grid: PixelGrid, data: CogPixels, format: Partial<CogFormat> = {}): Promise<string> {
  const path = join(folder, `file-${(files += 1)}.tif`);
  await writeGeoTiff(path, { grid, data, nodata: 0, overviews: 'nearest', predictor: 1, tileSize: 64, ...format });
  return path;
}

const classes = (grid: PixelGrid): Uint8Array =>
  Uint8Array.from({ length: grid.cols * grid.rows }, (_, i) => 1 + ((i * 7 + Math.floor(i / grid.cols) * 13) % 251));

const mercator = (longitude: number, latitude: number): readonly [number, number] => [
  (longitude * Math.PI * 6_378_137) / 180,
  6_378_137 * Math.asinh(Math.tan((latitude * Math.PI) / 180)),
];

function mercatorGrid([west, south, east, north]: readonly [number, number, number, number]): MapGrid {
  const [[left, bottom], [right, top]] = [mercator(west, south), mercator(east, north)];
  const [cols, rows] = [256, 200];
  const size = { pixelWidth: (right - left) / cols, pixelHeight: (top - bottom) / rows };
  return { crs: 'EPSG:3857', west: left, north: top, ...size, cols, rows };
}

const degreeGrid = ([west, north]: readonly [number, number], pixel: number, side = 128): MapGrid => ({
  crs: 'EPSG:4326',
  west,
  north,
  pixelWidth: pixel,
  pixelHeight: pixel,
  cols: side,
  rows: side,
});

/** Distance from an edge, in pixels, within which interpolated centres may be on the wrong side. */
const EDGE = 0.05;

describe('samples on a target grid', () => {
  it('returns the pixel that contains each centre, and nodata outside', async () => {
    const grid: PixelGrid = { crs: 'EPSG:4326', west: 10, north: 50, pixelWidth: 1, pixelHeight: 1, cols: 3, rows: 2 };
    const raster = await pixels.open(await fileOf(grid, Uint8Array.of(1, 2, 3, 4, 5, 6), { nodata: 255 }));
    const target = { ...degreeGrid([9, 51], 1, 4), rows: 4, cols: 5 };
    expect([...(await raster.samples(target))]).toEqual(
      [
        [255, 255, 255, 255, 255],
        [255, 1, 2, 3, 255],
        [255, 4, 5, 6, 255],
        [255, 255, 255, 255, 255],
      ].flat(),
    );
    expect([...(await raster.samples(degreeGrid([100, 10], 1, 2)))]).toEqual([255, 255, 255, 255]);
  });

  it('reads a raster across the antimeridian for targets with longitudes beyond 180 or below -180', async () => {
    const grid: PixelGrid = { crs: 'EPSG:4326', west: 178, north: 1, pixelWidth: 1, pixelHeight: 1, cols: 4, rows: 1 };
    const raster = await pixels.open(await fileOf(grid, Uint8Array.of(1, 2, 3, 4)));
    const row = { cols: 6, rows: 1 };
    expect([...(await raster.samples({ ...degreeGrid([177, 1], 1), ...row }))]).toEqual([0, 1, 2, 3, 4, 0]);
    expect([...(await raster.samples({ ...degreeGrid([-183, 1], 1), ...row }))]).toEqual([0, 1, 2, 3, 4, 0]);
    expect([...(await raster.samples({ ...degreeGrid([-180, 1], 1), ...row }))]).toEqual([3, 4, 0, 0, 0, 0]);
    const world = await raster.samples({ ...degreeGrid([-180, 1], 1), cols: 360, rows: 1 });
    expect([world[0], world[1], world[2], world[357], world[358], world[359]]).toEqual([3, 4, 0, 0, 1, 2]);
  });

  it.each([DEGREES, UTM])('returns the pixel at each centre of a target in a UTM zone, from $crs', async (grid) => {
    const west = grid === UTM ? UTM.west - 1000 : 338_000;
    const size = { pixelWidth: 400, pixelHeight: 300, cols: 90, rows: 80 };
    const target: MapGrid = { crs: 'EPSG:32645', west, north: UTM.north, ...size };
    const data = classes(grid);
    const sampleAt = (x: number, y: number): number => {
      const [col, row] = [Math.floor(x), Math.floor(y)];
      return col >= 0 && row >= 0 && col < grid.cols && row < grid.rows ? data[row * grid.cols + col]! : 0;
    };
    const raster = await pixels.open(await fileOf(grid, data, { overviews: 'none' }));
    const samples = await raster.samples(target);
    let inside = 0;
    for (let i = 0; i < samples.length; i += 1) {
      const x = west + ((i % size.cols) + 0.5) * size.pixelWidth;
      const y = target.north - (Math.floor(i / size.cols) + 0.5) * size.pixelHeight;
      const [atX, atY] = grid === UTM ? [x, y] : fromUtm({ zone: 45, south: false }, x, y);
      const [col, row] = [(atX - grid.west) / grid.pixelWidth, (grid.north - atY) / grid.pixelHeight];
      inside += Number(sampleAt(col, row) !== 0);
      // A centre near the edge between two pixels may be in either pixel.
      const near = [-EDGE, EDGE].flatMap((dx) => [-EDGE, EDGE].map((dy) => sampleAt(col + dx, row + dy)));
      expect(near).toContain(samples[i]);
    }
    expect(inside).toBeGreaterThan(300);
  });

  it('reads the overview whose pixels are as large as those of the target', async () => {
    const grid: PixelGrid = { ...DEGREES, pixelWidth: 0.001, pixelHeight: 0.001, cols: 256, rows: 256 };
    const path = await fileOf(grid, classes(grid));
    const raster = await pixels.open(path);
    const file = await openRaster(path);
    const half = new Uint8Array(128 * 128);
    await file.readWindow({ col: 0, row: 0, cols: 128, rows: 128 }, half, 1);
    file.close();
    expect(await raster.samples(degreeGrid([grid.west, grid.north], 0.002))).toEqual(half);
  });

  it('serves several reads at a time, and returns the same samples with a very small cache', async () => {
    const path = await fileOf(DEGREES, classes(DEGREES));
    const other = await fileOf(UTM, classes(UTM));
    const grids = [0.0003, 0.0011, 0.004].map((pixel) => degreeGrid([85.42, 25.28], pixel));
    const far = degreeGrid([85.01, 25.29], 0.0002);
    const small = createMapPixels({ files: 1, tileBytes: 1 });
    const readAll = async (from: typeof small): Promise<readonly MapSamples[]> => {
      const [first, second] = [await from.open(path), await from.open(other)];
      return await Promise.all([...grids.map((grid) => first.samples(grid)), second.samples(far), second.samples(far)]);
    };
    const [wide, narrow] = await Promise.all([readAll(pixels), readAll(small)]);
    expect(narrow).toEqual(wide);
    expect(wide.every((each) => each.some((value) => value > 0))).toBe(true);
    await small.close();
  });

  it('refuses to read a large file without overviews for a small image of a large area, and names the remedy', async () => {
    const limited = createMapPixels({ readPixels: 40_000 });
    const wide = degreeGrid([DEGREES.west, DEGREES.north], 0.004, 64);
    const refusal = { code: 'validation', message: expect.stringContaining('with overviews') as string };
    const whole = { col: 0, row: 0, cols: 300, rows: 280, width: 30, height: 28 };
    for (const overviews of ['none', 'nearest'] as const) {
      const path = await fileOf(DEGREES, classes(DEGREES), { overviews, tileSize: 16 });
      const raster = await limited.open(path);
      if (overviews === 'none') await expect(raster.samples(wide)).rejects.toMatchObject(refusal);
      else expect(await raster.samples(wide)).toEqual(await (await pixels.open(path)).samples(wide));
      if (overviews === 'none') await expect(raster.geoTiff(whole)).rejects.toMatchObject(refusal);
      else expect(await raster.geoTiff(whole)).toEqual(await (await pixels.open(path)).geoTiff(whole));
      // A small area is read from the full resolution.
      expect((await raster.samples(degreeGrid([85.5, 25.2], 0.001, 32))).some((value) => value > 0)).toBe(true);
    }
    await limited.close();
  });

  it('refuses to read a file that was replaced, and reads the new file after it is opened again', async () => {
    const grid: PixelGrid = { crs: 'EPSG:4326', west: 10, north: 50, pixelWidth: 1, pixelHeight: 1, cols: 1, rows: 1 };
    const path = await fileOf(grid, Uint8Array.of(1));
    const old = await pixels.open(path);
    renameSync(await fileOf(grid, Uint8Array.of(2)), path);
    await expect(old.samples(degreeGrid([10, 50], 1, 1))).rejects.toThrow('was replaced');
    expect([...(await (await pixels.open(path)).samples(degreeGrid([10, 50], 1, 1)))]).toEqual([2]);
  });

  it('reads only parts of a remote file, and reads other files while a remote read waits', async () => {
    const grid: PixelGrid = { ...DEGREES, pixelWidth: 0.001, pixelHeight: 0.001, cols: 1024, rows: 1024 };
    const path = await fileOf(grid, classes(grid), { tileSize: 64 });
    const bytes = readFileSync(path);
    let [read, isStuck] = [0, false];
    const stuck = Promise.withResolvers<void>();
    const file: AssetFile = {
      bytes: bytes.length,
      etag: 'e1',
      modified: new Date(0),
      stream: (start, end) =>
        new ReadableStream({
          async pull(controller) {
            if (isStuck) await stuck.promise;
            read += end - start + 1;
            controller.enqueue(bytes.subarray(start, end + 1));
            controller.close();
          },
        }),
    };
    const remote = await pixels.open({ name: 'remote', file });
    const small = degreeGrid([grid.west + 0.3, grid.north - 0.3], 0.001, 32);
    const own = await pixels.open(path);
    expect(await remote.samples(small)).toEqual(await own.samples(small));
    expect(read).toBeLessThan(bytes.length / 2);
    isStuck = true;
    const other = degreeGrid([grid.west + 0.8, grid.north - 0.8], 0.001, 32);
    const waiting = remote.samples(other);
    const expected = await own.samples(other);
    stuck.resolve();
    expect(await waiting).toEqual(expected);
  });

  it('refuses a file that is not a raster', async () => {
    const path = join(folder, 'text.tif');
    writeFileSync(path, 'no raster');
    await expect(pixels.open(path)).rejects.toMatchObject({ code: 'input_data' });
    await expect(pixels.open(join(folder, 'missing.tif'))).rejects.toMatchObject({ code: 'input_data' });
  });

  it('refuses a file in an unknown CRS, and names the CRS', async () => {
    const path = await fileOf({ ...UTM, crs: 'EPSG:32645' }, classes(UTM));
    // The last GeoKey (3072) contains the code of the CRS.
    const bytes = readFileSync(path);
    const key = bytes.indexOf(Buffer.from(Uint16Array.of(3072, 0, 1, 32_645).buffer));
    bytes.writeUInt16LE(7755, key + 6);
    writeFileSync(path, bytes);
    await expect(pixels.open(path)).rejects.toMatchObject({
      code: 'input_data',
      message: expect.stringMatching(`^${path}: CRS "EPSG:7755" is not supported: .+ gdalwarp`),
    });
  });
});

describe('a part as GeoTIFF', () => {
  const palette = { 1: [255, 0, 0, 255], 2: [0, 255, 0, 255] } as const;

  it('has the samples, grid, nodata and colours of the part', async () => {
    const raster = await pixels.open(await fileOf(DEGREES, classes(DEGREES), { palette, names: { 1: 'a & b' } }));
    const path = join(folder, 'cut.tif');
    writeFileSync(path, await raster.geoTiff({ col: 10, row: 20, cols: 100, rows: 90 }));
    const cut = await pixels.open(path);
    expect(cut.grid).toMatchObject({ cols: 100, rows: 90, crs: 'EPSG:4326' });
    expect(cut.grid.west).toBeCloseTo(DEGREES.west + 10 * DEGREES.pixelWidth, 12);
    expect(cut.grid.north).toBeCloseTo(DEGREES.north - 20 * DEGREES.pixelHeight, 12);
    expect(cut.nodata).toBe(0);
    expect(cut.colors?.slice(1, 3)).toEqual([palette[1], palette[2]]);
    const file = await openRaster(path);
    const read = new Uint8Array(100 * 90);
    await file.readWindow({ col: 0, row: 0, cols: 100, rows: 90 }, read);
    file.close();
    const all = classes(DEGREES);
    expect(read).toEqual(Uint8Array.from(read, (_, i) => all[(20 + Math.floor(i / 100)) * 300 + 10 + (i % 100)]!));
    expect(readFileSync(path, 'latin1')).toContain('CATEGORY_1');
  });

  it('is enlarged or shrunk by nearest neighbour', async () => {
    const grid: PixelGrid = { crs: 'EPSG:4326', west: 10, north: 50, pixelWidth: 1, pixelHeight: 1, cols: 4, rows: 1 };
    const raster = await pixels.open(await fileOf(grid, Int16Array.of(-5, 6, 7, 8), { nodata: -9 }));
    const read = async (cols: number, width: number): Promise<readonly number[]> => {
      const path = join(folder, `scaled-${width}.tif`);
      writeFileSync(path, await raster.geoTiff({ col: 0, row: 0, cols, rows: 1, width, height: 1 }));
      const file = await openRaster(path);
      const out = new Int16Array(width);
      await file.readWindow({ col: 0, row: 0, cols: width, rows: 1 }, out);
      file.close();
      return [...out];
    };
    expect(await read(2, 4)).toEqual([-5, -5, 6, 6]);
    expect(await read(4, 2)).toEqual([6, 8]);
  });
});

describe('PNG', () => {
  it('encodes indices with a palette, and colours without a palette', async () => {
    const palette = [
      [0, 0, 0, 0],
      [1, 2, 3, 255],
    ] as const;
    const indexed = decode(await pixels.png({ width: 2, height: 1, pixels: Uint8Array.of(1, 0), palette }));
    expect([[...indexed.data], indexed.palette]).toEqual([[1, 0], palette.map((each) => [...each])]);
    const bytes = Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8);
    const colored = decode(await pixels.png({ width: 1, height: 2, pixels: bytes, palette: null }));
    expect([colored.channels, [...colored.data]]).toEqual([4, [...bytes]]);
  });
});

const hasGdal = spawnSync('gdalwarp', ['--version']).status === 0;
if (!hasGdal) console.warn('map pixels against GDAL: skipped, no gdalwarp (Debian: gdal-bin)');

/** Runs a command of GDAL, and returns the samples that it writes to a file without a header. */
function gdal<T extends Dtype>(
  command: string,
  args: readonly string[],
  { type, count }: { type: T; count: number },
): CogPixels {
  const out = join(folder, `${command}.raw`);
  rmSync(out, { force: true });
  execFileSync(command, ['-q', '-of', 'ENVI', ...args, out]);
  const { buffer } = new Uint8Array(readFileSync(out));
  return viewPixels(type, { buffer, byteOffset: 0 }, count);
}

describe.skipIf(!hasGdal)('compared with GDAL', () => {
  const targets: readonly (readonly [name: string, source: PixelGrid, target: MapGrid])[] = [
    ['degrees onto degrees', DEGREES, degreeGrid([85.38, 25.31], 0.00107)],
    ['degrees onto degrees, enlarged', DEGREES, degreeGrid([85.5, 25.2], 0.000_217)],
    ['degrees onto EPSG:3857', DEGREES, mercatorGrid([85.39, 25.1, 85.71, 25.32])],
    ['UTM onto degrees', UTM, degreeGrid([85.0, 25.31], 0.000_31)],
    ['UTM onto EPSG:3857', UTM, mercatorGrid([85.0, 25.24, 85.09, 25.32])],
  ];

  it.each(targets)('has the samples of gdalwarp: %s', async (_, source, target) => {
    const path = await fileOf(source, classes(source));
    const samples = await (await pixels.open(path)).samples(target);
    const { crs, west, north, pixelWidth, pixelHeight, cols, rows } = target;
    const box = [west, north - rows * pixelHeight, west + cols * pixelWidth, north].map(String);
    const place = ['-te', ...box, '-ts', String(cols), String(rows)];
    const args = ['-overwrite', '-r', 'near', '-et', '0', '-ovr', 'NONE', '-t_srs', crs, ...place, path];
    const expected = gdal('gdalwarp', args, { type: 'uint8', count: cols * rows });
    const differing = Array.from(samples).filter((value, i) => value !== expected[i]).length;
    expect(samples.filter((value) => value > 0).length).toBeGreaterThan(8000);
    // Coordinates of UTM rasters are interpolated, with an error of up to an eighth of a pixel.
    expect(differing / samples.length).toBeLessThan(source === UTM ? 0.01 : 1e-9);
  });

  it.each([
    ['uint8', 1],
    ['int8', 2],
    ['uint16', 2],
    ['int16', 2],
    ['uint32', 2],
    ['int32', 2],
    ['float32', 3],
    ['float64', 1],
  ] as const)('cuts a part of %s that GDAL reads', async (type, predictor) => {
    const data = createPixels(type, DEGREES.cols * DEGREES.rows);
    for (let i = 0; i < data.length; i += 1) data[i] = type.startsWith('float') ? i / 7 : i % 120;
    const path = await fileOf(DEGREES, data, { predictor, nodata: 7, overviews: 'none' });
    const cut = join(folder, 'part.tif');
    writeFileSync(cut, await (await pixels.open(path)).geoTiff({ col: 31, row: 17, cols: 111, rows: 99 }));
    const shape = { type, count: 111 * 99 };
    const ours = gdal('gdal_translate', [cut], shape).slice();
    expect(ours).toEqual(gdal('gdal_translate', ['-srcwin', '31', '17', '111', '99', path], shape));
    const report: unknown = JSON.parse(execFileSync('gdalinfo', ['-json', cut], { encoding: 'utf8' }));
    expect(report).toMatchObject({ bands: [{ noDataValue: 7, block: [256, 256] }], size: [111, 99] });
  });

  it.each(['PIXEL', 'BAND'])(
    'draws the first of two bands (INTERLEAVE=%s), and cuts no part of them',
    async (order) => {
      const first = classes(DEGREES);
      const paths = [await fileOf(DEGREES, first), await fileOf(DEGREES, first.toReversed())];
      const [list, both] = [join(folder, 'both.vrt'), join(folder, `both-${order}.tif`)];
      execFileSync('gdalbuildvrt', ['-q', '-separate', '-overwrite', list, ...paths]);
      const vrt = readFileSync(list, 'utf8');
      writeFileSync(
        list,
        vrt.replace(/(<VRTRasterBand [^>]*band="1"[^>]*>)/, '$1<Description>Dry &amp; wet</Description>'),
      );
      execFileSync('gdal_translate', ['-q', '-co', 'TILED=YES', '-co', `INTERLEAVE=${order}`, list, both]);
      const target = degreeGrid([85.4, 25.3], 0.001);
      const raster = await pixels.open(both);
      expect(raster.bands).toEqual(['Dry & wet', null]);
      expect(await raster.samples(target)).toEqual(await (await pixels.open(paths[0] ?? '')).samples(target));
      await expect(raster.geoTiff({ col: 0, row: 0, cols: 10, rows: 10 })).rejects.toMatchObject({
        code: 'validation',
        message: expect.stringContaining('2 bands'),
      });
    },
  );
});

it.skipIf(!existsSync('/proc/self/fd'))(
  'closes removed files when another file is opened, which frees their space on the disk',
  async () => {
    const own = createMapPixels();
    const open = (): readonly string[] =>
      readdirSync('/proc/self/fd').flatMap((fd) => {
        const link = readlinkOf(fd);
        return link.startsWith(folder) ? [link] : [];
      });
    const draw = async (path: string): Promise<MapSamples> =>
      await (await own.open(path)).samples({ ...DEGREES, crs: 'EPSG:4326' });
    const paths = [await fileOf(DEGREES, classes(DEGREES)), await fileOf(DEGREES, classes(DEGREES))];
    for (const path of paths) await draw(path);
    expect(open()).toEqual(expect.arrayContaining(paths));
    for (const path of paths) rmSync(path);
    const next = await fileOf(DEGREES, classes(DEGREES));
    await draw(next);
    expect(open().filter((link) => link.endsWith('(deleted)') && paths.some((path) => link.startsWith(path)))).toEqual(
      [],
    );
    expect(open()).toContain(next);
    await own.close();
  },
);

function readlinkOf(fd: string): string {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`);
  } catch {
    return '';
  }
}
