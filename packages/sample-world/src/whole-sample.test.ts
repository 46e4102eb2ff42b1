import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readPlaces } from '@headwater/ingest';
import { openRaster } from '@headwater/raster';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { generateSample } from './generate-sample.ts';
import { DEFAULT_SEED } from './sample-frame.ts';

let dir = '';
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'sample-'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

const idle = { signal: new AbortController().signal, progress: (): void => undefined };

describe('generateSample', () => {
  it(
    'writes all files, in less than 65 MB; a second call finds that the sample is complete',
    { timeout: 240_000 },
    async () => {
      // Folder that a killed process left. It is removed, but not the file `mine.txt`.
      await mkdir(join(dir, '.sample-999'));
      await writeFile(join(dir, 'mine.txt'), 'not ours');
      const shares: number[] = [];
      const sample = await generateSample({ ...idle, dataDir: dir, progress: (share) => shares.push(share) });
      expect(sample).toMatchObject({ created: true, startYear: 2021, endYear: 2023, seed: DEFAULT_SEED });
      expect([shares.at(-1), shares.length]).toEqual([1, sample.scenes]);
      expect((await readdir(dir)).sort()).toEqual(['dem', 'eo', 'mine.txt', 'places', 'sample']);
      expect((await readdir(join(dir, 'sample'))).sort()).toEqual([
        'sample.json',
        'truth_2021.tif',
        'truth_2022.tif',
        'truth_2023.tif',
      ]);

      const files = await readdir(dir, { recursive: true, withFileTypes: true });
      const sizes = await Promise.all(
        files.filter((f) => f.isFile()).map(async (f) => (await stat(join(f.parentPath, f.name))).size),
      );
      expect(sizes.reduce((a, b) => a + b)).toBeLessThan(65e6);

      const catalogue = join(dir, 'eo', 'headwater-sample');
      const collection = JSON.parse(await readFile(join(catalogue, 'collection.json'), 'utf8')) as {
        links: { rel: string; href: string }[];
      };
      const items = collection.links.filter(({ rel }) => rel === 'item');
      expect(items).toHaveLength(sample.scenes);
      const item = JSON.parse(await readFile(join(catalogue, items[70]!.href), 'utf8')) as {
        id: string;
        assets: object;
        properties: object;
      };
      expect(Object.keys(item.assets)).toEqual(['B02', 'B03', 'B04', 'B08', 'B11', 'B12', 'SCL']);
      expect(item.properties).toMatchObject({ 'headwater:synthetic': true, 'proj:code': 'EPSG:32644' });
      const band = await openRaster(join(catalogue, 'items', item.id, 'B11.tif'));
      expect([band.dtype, band.grid.pixelWidth, band.nodata, band.tile.cols]).toEqual(['uint16', 20, 0, 512]);
      band.close();

      const { bundles, problems } = await readPlaces(join(dir, 'places'));
      expect([problems, bundles.map((b) => [b.tehsil, b.mws.length, b.villages.length])]).toEqual([
        [],
        [[sample.tehsil, sample.mws, 12]],
      ]);

      const before = await stat(join(catalogue, 'catalog.json'));
      expect(await generateSample({ ...idle, dataDir: dir })).toEqual({ ...sample, created: false });
      expect((await stat(join(catalogue, 'catalog.json'))).mtimeMs).toBe(before.mtimeMs);
    },
  );
});
