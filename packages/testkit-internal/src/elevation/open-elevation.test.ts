import { cp, mkdir, mkdtemp, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Elevation, PixelGrid } from '@headwater/core';
import { createPixelEngine, writeGeoTiff } from '@headwater/raster';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { openElevation } from '@headwater/ingest';

const root = await mkdtemp(join(tmpdir(), 'elevation-'));
const pixels = createPixelEngine({ scratchDir: join(root, 'scratch'), threads: 1 });
const folder = join(root, 'dem');
let warnings: string[] = [];
const source = openElevation({ folder, pixels, warn: (message) => void warnings.push(message) });

const degrees = (west: number): PixelGrid => ({
  crs: 'EPSG:4326',
  west,
  north: 18,
  pixelWidth: 0.01,
  pixelHeight: 0.01,
  cols: 100,
  rows: 100,
});

async function put(name: string, grid: PixelGrid): Promise<string> {
  const path = join(folder, name);
  const data = new Float32Array(grid.cols * grid.rows).fill(100);
  await writeGeoTiff(path, { grid, data, overviews: 'none', predictor: 3, tileSize: 64 });
  return path;
}

beforeEach(async () => {
  warnings = [];
  await rm(folder, { recursive: true, force: true });
  await mkdir(join(folder, 'tiles'), { recursive: true });
});

afterAll(async () => {
  await pixels.close();
  await rm(root, { recursive: true });
});

it('returns the tiles under a box, or undefined if a part of the box has no tile', async () => {
  expect(await source.demFor([78.9, 17.2, 79.1, 17.4])).toBeUndefined();
  const [west, east] = [await put('tiles/a.tif', degrees(78)), await put('tiles/b.tif', degrees(79))];
  await put('tiles/c.tif', degrees(80));
  const found = await source.demFor([78.9, 17.2, 79.1, 17.4]);
  expect(found?.rasters.map(({ href }) => href)).toEqual([west, east]);
  expect(found).toMatchObject({ license: 'other', title: 'Elevation data of the folder tiles' });
  expect(await source.demFor([77.9, 17.2, 78.1, 17.4])).toBeUndefined();
});

it('returns all tiles of a data set that overlap a box, even if they do not cover it, and no tile of another data set', async () => {
  const [west, east] = [await put('tiles/a.tif', degrees(78)), await put('tiles/b.tif', degrees(79))];
  await mkdir(join(folder, 'world'));
  await put('world/a.tif', { ...degrees(70), cols: 2000 });
  const wide = [78.9, 16.5, 81, 17.4] as const;
  const hrefs = async (title: string) => (await source.demFor(wide, undefined, title))?.rasters.map(({ href }) => href);
  expect(await source.demFor(wide)).toBeUndefined();
  expect(await hrefs('Elevation data of the folder tiles')).toEqual([west, east]);
  expect(await hrefs('Elevation data of the folder world')).toEqual([join(folder, 'world', 'a.tif')]);
  expect(await hrefs('Another model')).toBeUndefined();
});

it('reads title and licence from dem.json in the folder of the tiles; the error for an invalid dem.json names the member', async () => {
  await put('tiles/a.tif', degrees(78));
  const notice = { title: 'A model', license: 'CC-BY-4.0', attribution: '© the author', synthetic: true };
  await writeFile(join(folder, 'tiles', 'dem.json'), JSON.stringify(notice));
  expect(await source.demFor([78.2, 17.2, 78.4, 17.4])).toMatchObject(notice);
  await writeFile(join(folder, 'tiles', 'dem.json'), JSON.stringify({ ...notice, title: 3 }));
  await expect(source.demFor([78.2, 17.2, 78.4, 17.4])).rejects.toMatchObject({
    code: 'input_data',
    message: expect.stringMatching(/tiles\/dem\.json: .*string[^]*title/),
  });
});

it('locates a file in UTM and detects a replaced file', async () => {
  const grid = { ...degrees(234_600), crs: 'EPSG:32644', north: 1_938_600, pixelWidth: 90, pixelHeight: 90 };
  await put('utm.tif', grid);
  const box = [78.52, 17.46, 78.56, 17.5] as const;
  const before = (await source.demFor(box))?.rasters[0]?.version;
  expect(before).toBeDefined();
  await put('utm.tif', { ...grid, cols: 110 });
  expect((await source.demFor(box))?.rasters[0]?.version).not.toBe(before);
  expect(await source.demFor([78.4, 17.46, 78.56, 17.5])).toBeUndefined();
});

it('gives a file the same name and version in another folder, such as the folder of a restored backup', async () => {
  const path = await put('tiles/a.tif', degrees(78));
  const copy = join(root, 'restored', 'dem');
  await cp(folder, copy, { recursive: true });
  // A restored backup sets the time of a file to the middle of the stored millisecond.
  const seconds = (Math.trunc((await stat(path)).mtimeMs) + 0.5) / 1000;
  await utimes(join(copy, 'tiles/a.tif'), seconds, seconds);
  const box = [78.2, 17.2, 78.4, 17.4] as const;
  const restored = openElevation({ folder: copy, pixels, warn: expect.fail });
  const facts = ({ rasters }: Elevation): readonly unknown[] =>
    rasters.map(({ source: name, version }) => [name, version]);
  const [before, after] = [await source.demFor(box), await restored.demFor(box)];
  expect(after && facts(after)).toEqual(before && facts(before));
  expect(after?.rasters[0]?.source).toBe(join('tiles', 'a.tif'));
});

it('skips a file that is not a GeoTIFF, and warns only once', async () => {
  await writeFile(join(folder, 'broken.tif'), 'no tiff');
  expect(await source.demFor([78.2, 17.2, 78.4, 17.4])).toBeUndefined();
  expect(await source.demFor([78.2, 17.2, 78.4, 17.4])).toBeUndefined();
  expect(warnings).toHaveLength(1);
  expect(warnings.join('\n')).toMatch(/broken\.tif is not used/);
});
