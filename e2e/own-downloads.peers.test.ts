import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { writePlace } from '@headwater/ingest';
import { openRaster, type PixelArray, writeGeoTiff } from '@headwater/raster';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { safeImage, safeMetadata, safeName } from '../packages/ingest/src/own-scenes/safe.fixture.ts';
import { skipWithoutGdal } from '../packages/raster/src/cog/gdal-oracle.test-helper.ts';
import { startSmallService } from '../packages/server/src/small-service.fixture.ts';
import { sceneId, scenesAround, smallPlace, writeScenes } from '../packages/server/src/small-world.fixture.ts';
import { runCommand } from './server-process.ts';

/** Before 25 January 2022, ESA's files had no offset of reflectances, so the command needs no option for this year. */
const YEAR = 2019;
const SCENES = scenesAround(YEAR);
const REQUEST = { state: 'Virtapradesh', district: 'Nirmalgarh', block: 'Jalsrota', start_year: YEAR, end_year: YEAR };
const BANDS = ['B02', 'B03', 'B04', 'B08', 'B11', 'SCL'] as const;
const metresOf = (band: string): number => (band === 'B11' || band === 'SCL' ? 20 : 10);
/** Offset of processing baseline 05.09 in the SAFE folders. */
const ADDED = 1000;

async function samplesOf(path: string): Promise<PixelArray<'uint8' | 'uint16'>> {
  const raster = await openRaster(path);
  const { cols, rows } = raster.grid;
  const out = raster.dtype === 'uint8' ? new Uint8Array(cols * rows) : new Uint16Array(cols * rows);
  await raster.readWindow({ col: 0, row: 0, cols, rows }, out);
  raster.close();
  return out;
}

async function putSafe(folder: string, day: string, from: string): Promise<void> {
  const product = { sensing: `${day}T052000`, baseline: '05.09' };
  for (const band of BANDS) {
    const source = join(from, `${band}.tif`);
    const { grid } = await openRaster(source);
    const samples = await samplesOf(source);
    const draft = join(folder, 'draft.tif');
    const data = band === 'SCL' ? samples : samples.map((value) => value + ADDED);
    await writeGeoTiff(draft, { grid, data, overviews: 'none', predictor: 1, tileSize: 256 });
    const target = join(folder, safeName(product), safeImage(product, band, metresOf(band)));
    await mkdir(dirname(target), { recursive: true });
    const lossless = ['-of', 'JP2OpenJPEG', '-co', 'QUALITY=100', '-co', 'REVERSIBLE=YES'];
    execFileSync('gdal_translate', ['-q', '--config', 'GDAL_PAM_ENABLED', 'NO', ...lossless, draft, target]);
    await rm(draft);
  }
  await writeFile(join(folder, safeName(product), 'MTD_MSIL2A.xml'), safeMetadata(product));
}

describe.skipIf(skipWithoutGdal('own downloads'))('own downloads', () => {
  let dir = '';
  beforeAll(async () => void (dir = await mkdtemp(join(tmpdir(), 'headwater-own-'))));
  afterAll(() => rm(dir, { recursive: true, force: true }));

  it('give, after make-catalog and check-data, the same map as the scenes from which they were made', async () => {
    const [direct, own, downloads] = [join(dir, 'direct'), join(dir, 'own'), join(dir, 'my downloads')];
    await writeScenes(direct, SCENES);
    await mkdir(downloads);
    for (const [index, scene] of SCENES.entries()) {
      const [from, day] = [join(direct, 'eo/small', sceneId(scene)), scene.date.replaceAll('-', '')];
      if (index % 6 === 0) await putSafe(downloads, day, from);
      else
        for (const band of BANDS) {
          const target = join(downloads, `R${metresOf(band)}m`, `T43QGV_${day}T052000_${band}_${metresOf(band)}m.tif`);
          await mkdir(dirname(target), { recursive: true });
          await writeFile(target, await readFile(join(from, `${band}.tif`)));
        }
    }
    await writePlace(join(own, 'places/jalsrota'), smallPlace('Jalsrota'));

    const made = await runCommand({ dataDir: own, args: ['make-catalog', downloads] });
    expect(made.output).toMatch(/make-catalog: 50 %, \d+ of 288: /);
    expect(made.output).toMatch(/48 scenes in the catalogue; 288 files converted, 0 converted before/);
    expect(made.code).toBe(0);
    const checked = await runCommand({ dataDir: own, args: ['check-data'] });
    expect(checked.output).toMatch(/^ {2}2019-2020: 48 scenes; 36 dates in the year itself$/m);
    expect(checked.code).toBe(0);

    expect(await mapsOf(own)).toEqual(await mapsOf(direct));
  });

  async function mapsOf(dataDir: string): Promise<Readonly<Record<string, readonly number[]>>> {
    const service = await startSmallService({ places: [smallPlace('Jalsrota')] });
    try {
      service.useScenes(dataDir);
      const { status, body } = await service.compute(REQUEST);
      expect([status, body['status']]).toEqual([200, 'success']);
      const files = await readdir(join(service.dir, 'assets'), { recursive: true });
      const maps: Record<string, readonly number[]> = {};
      for (const file of files.filter((name) => name.endsWith('.tif')))
        maps[file.split('/').at(-1) ?? ''] = [...(await samplesOf(join(service.dir, 'assets', file)))];
      expect(Object.keys(maps).length).toBeGreaterThan(0);
      expect(new Set(Object.values(maps)[0]).size).toBeGreaterThan(3);
      return maps;
    } finally {
      await service.close();
    }
  }
});
