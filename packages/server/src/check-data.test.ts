import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DomainError, type EarthObservation, type ElevationSource, type Scene } from '@headwater/core';
import { openScenes, writePlace } from '@headwater/ingest';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { checkData } from './check-data.ts';
import { scenesAround, smallPlace, writeScenes } from './small-world.fixture.ts';

let dataDir = '';
beforeEach(async () => void (dataDir = await mkdtemp(join(tmpdir(), 'headwater-check-'))));
afterEach(() => rm(dataDir, { recursive: true, force: true }));

async function check(
  earthObservation: EarthObservation = openScenes({ folder: join(dataDir, 'eo') }),
  elevation: ElevationSource = { demFor: () => Promise.resolve(undefined) },
) {
  const lines: string[] = [];
  const now = new Date('2023-01-01T00:00:00Z');
  const isGood = await checkData({
    dataDir,
    earthObservation,
    elevation,
    maxCloudCover: 90,
    now,
    shell: { DATA_DIR: dataDir, DB_HOST: 'db.example' },
    print: (line) => void lines.push(line),
  });
  return { isGood, text: lines.join('\n') };
}
const scene = (id: string, change: Partial<Scene> = {}): Scene => ({
  id,
  itemHref: `https://stac.example.org/${id}`,
  collection: 'c',
  datetime: '2021-08-01T05:30:00Z',
  crs: 'EPSG:32643',
  bbox: [77, 17, 79, 18],
  processing: {},
  synthetic: false,
  bands: Object.fromEntries(
    ['blue', 'green', 'red', 'nir', 'swir16', 'scl'].map((band) => [
      band,
      { href: `https://stac.example.org/${band}.tif`, offset: 0, scale: 0.0001, nodata: 0 },
    ]),
  ),
  ...change,
});

it('lists places, and the usable scenes of each hydrological year', async () => {
  await writePlace(join(dataDir, 'places/one'), smallPlace('Jalsrota'));
  await writeScenes(dataDir, scenesAround(2021));
  const { isGood, text } = await check();
  expect(text).toMatch(/^1 tehsil in .*places/m);
  expect(text).toMatch(/^Jalsrota \(Nirmalgarh, Virtapradesh\): boundary, 2 micro-watersheds, 0 villages$/m);
  // A run also reads the 64 days before and after the year, so it reads all 48 scenes.
  expect(text).toMatch(/^ {2}2021-2022: 48 scenes; 36 dates in the year itself$/m);
  expect(text).toMatch(/^ {2}2022-2023: \d+ scenes; 5 dates in the year itself, which is not over yet$/m);
  expect(isGood).toBe(true);
});

it('reports missing bands, missing files, unknown offsets and invalid Items', async () => {
  await writePlace(join(dataDir, 'places/one'), { ...smallPlace('Jalsrota'), mws: [] });
  const { swir16: _, ...five } = scene('x').bands;
  const gone = { ...scene('x').bands, red: { href: join(dataDir, 'gone.tif'), offset: 0, scale: 1, nodata: 0 } };
  const scenes = [
    scene('a'),
    scene('b', { bands: five }),
    scene('c', { bands: gone }),
    scene('d', { offsetUnknown: true }),
  ];
  const rejected = [{ itemHref: '/eo/e.json', reason: 'names no CRS; add proj:code or proj:epsg' }];
  const { isGood, text } = await check({ search: () => Promise.resolve({ scenes, rejected }) });
  expect(text).toMatch(/no micro-watersheds: rasters only/);
  expect(text).toContain('imported places are not listed here');
  expect(text).toContain(
    '  2021-2022: 4 scenes, 1 of them usable: 1 lacks swir16 (first b); 1 has no file for red (first c); 1 has no known offset (first d); ' +
      '1 date in the year itself in 1 step of 16 days: TOO FEW for a run. A year needs scenes in 3 or more steps of 16 days, and the last step must be at least 4 steps after the first.',
  );
  expect(text).toContain('  1 Item left out, the first is /eo/e.json: names no CRS');
  expect(isGood).toBe(false);
  const two = [scene('d', { offsetUnknown: true }), scene('e', { offsetUnknown: true })];
  const unknown = await check({ search: () => Promise.resolve({ scenes: two, rejected: [] }) });
  expect(unknown.text).toContain('2 have no known offset (first d)');
});

it('marks years with too few scenes, with the needed number; one year with enough scenes is sufficient', async () => {
  await writePlace(join(dataDir, 'places/one'), smallPlace('Jalsrota'));
  const on = (day: string, change: Partial<Scene> = {}): Scene =>
    scene(day, { datetime: `${day}T05:30:00Z`, ...change });
  const enough = ['2019-07-10', '2019-09-10', '2019-11-10', '2020-01-10', '2020-03-10', '2020-05-10'].map((day) =>
    on(day),
  );
  // A run of the year 2020-2021 also reads these two scenes.
  const thin = [on('2021-08-01'), on('2021-10-02', { cloudCover: 91 })];
  const search = (scenes: readonly Scene[]) => check({ search: () => Promise.resolve({ scenes, rejected: [] }) });
  const { isGood, text } = await search([...enough, ...thin]);
  expect(text).toMatch(/^ {2}2019-2020: 6 scenes; 6 dates in the year itself$/m);
  expect(text).toMatch(
    /^ {2}2020-2021: 2 scenes; 0 dates in the year itself in 0 steps of 16 days: TOO FEW for a run. A year needs scenes in 3 or more steps of 16 days, and the last step must be at least 4 steps after the first.$/m,
  );
  expect(text).toMatch(
    /^ {2}2021-2022: 2 scenes, 1 of them too cloudy to be read; 1 date in the year itself in 1 step of 16 days: TOO FEW/m,
  );
  expect(isGood).toBe(true);
  expect((await search(thin)).isGood).toBe(false);
});

it('reports problems of places, and continues after a failed search', async () => {
  expect(await check()).toMatchObject({ isGood: false, text: expect.stringMatching(/no tehsil in .*places.*README/) });
  await mkdir(join(dataDir, 'places'), { recursive: true });
  await writeFile(join(dataDir, 'places/bad.geojson'), '{');
  await writePlace(join(dataDir, 'places/one'), smallPlace('Jalsrota'));
  const search = () => Promise.reject(new DomainError('unavailable', 'The STAC API cannot be searched'));
  const { isGood, text } = await check({ search });
  expect(text).toMatch(/skipped bad\.geojson: this is not JSON/);
  expect(text).toMatch(/^ {2}scenes cannot be searched: The STAC API/m);
  expect(isGood).toBe(false);
  const none = await check({ search: () => Promise.resolve({ scenes: [], rejected: [] }) });
  expect(none.text).toMatch(/^ {2}no scene: /m);
});

it('reports the elevations of a place, the remedy for missing elevations, and the reason of a failed search', async () => {
  await writePlace(join(dataDir, 'places/one'), smallPlace('Jalsrota'));
  const withElevation = (demFor: ElevationSource['demFor']) => check(undefined, { demFor });
  expect((await check()).text).toMatch(
    /^ {2}no elevations that cover the whole place: .*DATA_DIR\/dem.*DEM_STAC_API_URL/m,
  );
  const found = {
    rasters: [{ href: '/a.tif' }, { href: '/b.tif' }],
    title: 'Heights',
    license: 'other',
    attribution: 'x',
  };
  expect((await withElevation(() => Promise.resolve(found))).text).toMatch(/^ {2}elevations: Heights, 2 files$/m);
  const away = new DomainError('unavailable', 'The STAC API does not respond');
  expect((await withElevation(() => Promise.reject(away))).text).toMatch(
    /^ {2}elevations cannot be searched: The STAC API does not respond$/m,
  );
});

it('gives a remedy for each kind of fault', async () => {
  await writePlace(join(dataDir, 'places/one'), smallPlace('Jalsrota'));
  const { swir16: _, ...five } = scene('x').bands;
  const gone = { ...scene('x').bands, red: { href: join(dataDir, 'gone.tif'), offset: 0, scale: 1, nodata: 0 } };
  const remediesOf = async (...scenes: readonly Scene[]) =>
    (await check({ search: () => Promise.resolve({ scenes, rejected: [] }) })).text
      .split('\n')
      .filter((line) => line.startsWith('  remedy'));
  expect(await remediesOf(scene('a', { offsetUnknown: true }))).toEqual([
    expect.stringMatching(
      /remedy for no known offset: .*make-catalog again with --baseline NN\.NN .*--offset 0.*s2:processing_baseline, or raster:offset/,
    ),
    expect.stringMatching(/remedy for too few scenes: download scenes of further dates.*EO_STAC_API_URL/),
  ]);
  expect(await remediesOf(scene('b', { bands: five }), scene('c', { bands: gone }))).toEqual([
    expect.stringMatching(/remedy for missing bands \(.*swir16 B11\): .*npx headwater make-catalog again.*add assets/),
    expect.stringMatching(/remedy for missing files: restore them/),
    expect.stringMatching(/remedy for too few scenes/),
  ]);
});

it('reports files in eo/ that no catalogue names, and downloads from which a catalogue was made', async () => {
  await writePlace(join(dataDir, 'places/one'), smallPlace('Jalsrota'));
  await writeScenes(dataDir, scenesAround(2021).slice(0, 2));
  const eo = join(dataDir, 'eo');
  expect((await check()).text).not.toMatch(/NOT READ|not needed/);
  const put = async (path: string): Promise<void> => {
    await mkdir(join(eo, path, '..'), { recursive: true });
    await writeFile(join(eo, path), 'x');
  };
  await put('S2A_x.SAFE/GRANULE/a/B02_10m.jp2');
  await put('S2A_x.SAFE/GRANULE/a/B03_10m.jp2');
  await put('loose B04.tif');
  await put('small/extra.tif');
  await put('notes.txt');
  const { text, isGood } = await check();
  expect(text).toContain(
    `NOT READ: no catalogue names 3 files in ${eo} (a folder of a scene counts as one), the first is ${join(eo, 'S2A_x.SAFE')}. ` +
      `Make a catalogue of them: DATA_DIR=${dataDir} npx headwater make-catalog ${eo}. It skips folders`,
  );
  expect(isGood).toBe((await check()).isGood);
  const source = { 'headwater:source': join(eo, 'S2A_x.SAFE/GRANULE/a/B02_10m.jp2') };
  const links = [{ rel: 'item', href: './a.json' }];
  await mkdir(join(eo, 'made'));
  await writeFile(join(eo, 'made/catalog.json'), JSON.stringify({ type: 'Catalog', id: 'made', links }));
  await writeFile(join(eo, 'made/B02.tif'), 'x');
  const assets = { B02: { href: './B02.tif', ...source } };
  await writeFile(join(eo, 'made/a.json'), JSON.stringify({ type: 'Feature', id: 'a', assets }));
  const later = (await check()).text;
  expect(later).toContain(`NOT READ: no catalogue names 2 files in ${eo}`);
  expect(later).toContain(
    `not needed: runs read copies, or a newer processing, of 1 file in ${eo} (a folder of a scene counts as one), the first is ${join(eo, 'S2A_x.SAFE')}.`,
  );
});
