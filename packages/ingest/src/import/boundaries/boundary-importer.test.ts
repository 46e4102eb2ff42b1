import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fromUtm, toUtm } from '@headwater/core/geo';
import type { Place } from '@headwater/core';
import type { Position } from 'geojson';
import { describe, expect, it } from 'vitest';
import { box, features, geojson, importBench, type Sample, shapefileZip, writeGpkg } from './import-files.fixture.ts';

const bench = importBench();
const NAMES = { state: 'Aland', district: 'Bland', tehsil: 'Cland' };
const OTHER = { ...NAMES, tehsil: 'Dland' };
const HOLE: Position[] = box(78.02, 17.02, 0.02).toReversed();
const PLACES: readonly Sample[] = [
  { properties: NAMES, rings: [box(78, 17), HOLE] },
  { properties: OTHER, rings: [box(79, 17)] },
];
const MWS: readonly Sample[] = [
  { properties: { ...NAMES, uid: '12_1' }, rings: [box(78, 17, 0.05)] },
  { properties: { ...NAMES, uid: '12_2' }, rings: [box(78.05, 17, 0.05)] },
  { properties: { ...OTHER, uid: '12_1' }, rings: [box(79, 17, 0.05)] },
];
const VILLAGES: readonly Sample[] = [
  { properties: { ...NAMES, vill_ID: 641_000, vill_name: 'ग्राम' }, rings: [box(78, 17, 0.05)] },
  { properties: { ...NAMES, vill_ID: 0, vill_name: 'none' }, rings: [box(78.05, 17, 0.05)] },
];
const UTM = 'PROJCS["WGS_1984_UTM_Zone_44N",GEOGCS["GCS_WGS_1984"]]';

async function put(name: string, samples: readonly Sample[]): Promise<void> {
  if (name.endsWith('.gpkg')) writeGpkg(join(bench.dir, name), samples);
  else if (name.endsWith('.zip')) await bench.put(name, shapefileZip(samples));
  else if (name.endsWith('.geojson')) await bench.put(name, geojson(samples));
  else
    await bench.put(
      name,
      features(samples)
        .map((feature) => `\u{1e}${JSON.stringify(feature)}\n`)
        .join(''),
    );
}

async function place(tehsil = 'cland'): Promise<Place | undefined> {
  const { places, lookups } = bench.stores;
  const found = await lookups.tehsilNamed({ state: 'aland', district: 'bland', tehsil });
  return found && (await places.placeOfTehsil(found.tehsilId));
}

async function mws(tehsil?: string): Promise<string[]> {
  const found = await place(tehsil);
  return (await bench.stores.places.mwsOf(found?.tehsil.id ?? 0)).map(({ uid }) => uid);
}

const NONE = { refusedCount: 0, refused: [], repairedCount: 0, repaired: [] };

describe.each(['in.geojson', 'in.geojsonl', 'in.gpkg', 'in.zip'])('%s', (name) => {
  it('imports tehsils, micro-watersheds and villages; a second import of the same file changes nothing', async () => {
    for (const [kind, samples, stored] of [
      ['places', PLACES, 2],
      ['mws', MWS, 3],
      ['villages', VILLAGES, 2],
    ] as const) {
      await put(`${kind}-${name}`, samples);
      const report = await bench.run(kind, `${kind}-${name}`);
      expect(report).toEqual({ kind, fileName: `${kind}-${name}`, stored, unchanged: 0, removed: 0, ...NONE });
      expect(await bench.run(kind, `${kind}-${name}`)).toEqual({ ...report, stored: 0, unchanged: stored });
    }
    const found = await place();
    expect(found?.tehsil.geometry?.coordinates).toHaveLength(2);
    expect([await mws(), await mws('dland')]).toEqual([['12_1', '12_2'], ['12_1']]);
    const villages = await bench.stores.places.villagesOf(found?.tehsil.id ?? 0);
    expect(villages.map(({ id, name: called }) => [id, called])).toEqual([
      [641_000, 'ग्राम'],
      [0, 'none'],
    ]);
    expect(await readdir(bench.scratch)).toEqual([]);
  });
});

it('refuses a tehsil whose name is another spelling of the name of an earlier feature, and names that feature', async () => {
  const twice = [...PLACES, { properties: { ...NAMES, tehsil: 'CLAND' }, rings: [box(70, 17)] }];
  await put('in.geojson', twice);
  const report = await bench.run('places', 'in.geojson');
  expect([report.stored, report.refused]).toEqual([
    2,
    [
      {
        source: 'in.geojson',
        row: 3,
        field: 'tehsil',
        problem: expect.stringMatching(
          /which feature 1 already has; make one feature of its parts, or correct the name/,
        ),
      },
    ],
  ]);
});

it('uses the place of the request for features without names', async () => {
  await put('places.geojson', PLACES);
  await bench.run('places', 'places.geojson');
  await put('in.geojson', [{ properties: { uid: '12_7' }, rings: [box(78, 17)] }]);
  const nameless = await bench.run('mws', 'in.geojson');
  expect([nameless.stored, nameless.refused]).toEqual([
    0,
    [{ source: 'in.geojson', row: 1, field: 'state', problem: expect.stringMatching(/missing: .*name one tehsil/) }],
  ]);
  expect((await bench.run('mws', 'in.geojson', { place: NAMES })).stored).toBe(1);
  expect(await mws()).toEqual(['12_7']);
});

it('refuses micro-watersheds of an unknown tehsil, and stores all other micro-watersheds', async () => {
  await put('places.geojson', PLACES.slice(0, 1));
  await bench.run('places', 'places.geojson');
  await put('mws.geojson', MWS);
  const report = await bench.run('mws', 'mws.geojson');
  expect(report).toMatchObject({ stored: 2, refusedCount: 1, refused: [{ row: 3, field: 'tehsil' }] });
  expect(report.refused[0]?.problem).toContain('import its boundary first');
  expect(await place('dland')).toBeUndefined();
});

describe.each(['in.geojson', 'in.gpkg', 'in.zip'])('%s with other ids', (name) => {
  it('imports micro-watersheds with ids of digits or letters, also from the property mws_id; refuses ids that a request cannot contain', async () => {
    await put('places.geojson', PLACES);
    await bench.run('places', 'places.geojson');
    const samples = (ids: readonly Readonly<Record<string, unknown>>[]): readonly Sample[] =>
      ids.map((id) => ({ properties: { ...NAMES, ...id }, rings: [box(78, 17, 0.05)] }));
    await put(name, samples([{ uid: 1002 }, { uid: 0 }]));
    expect(await bench.run('mws', name)).toMatchObject({ stored: 2, refusedCount: 0 });
    const texts = ['Upper-Narmada_7.b', ' 12_1 ', '__proto__', 'a:1', 'a b'];
    await put(`second-${name}`, samples(texts.map((id) => ({ MWS_ID: id }))));
    const report = await bench.run('mws', `second-${name}`);
    expect(report.refused.map(({ row, field }) => [row, field])).toEqual([3, 4, 5].map((row) => [row, 'uid']));
    expect(await mws()).toEqual(['0', '1002', '12_1', 'Upper-Narmada_7.b']);
  });
});

it('repairs rings and lists the repairs; a refused feature does not change the stored feature', async () => {
  await put('places.geojson', PLACES);
  await bench.run('places', 'places.geojson');
  await put('first.geojson', MWS);
  await bench.run('mws', 'first.geojson');
  const bowTie: Position[] = [
    [78, 17],
    [78.1, 17.1],
    [78.1, 17],
    [78, 17.1],
    [78, 17],
  ];
  await put('second.geojson', [
    { properties: { ...NAMES, uid: '12_1' }, rings: [bowTie] },
    { properties: { ...NAMES, uid: '12_2' }, rings: [box(78, 17, 0)] },
    { properties: { ...NAMES, uid: 'no uid' }, rings: [box(78, 17)] },
  ]);
  const report = await bench.run('mws', 'second.geojson');
  expect(report).toMatchObject({
    stored: 1,
    unchanged: 0,
    removed: 0,
    refusedCount: 2,
    refused: [
      { row: 2, field: 'geometry', problem: expect.stringContaining('encloses no area') },
      { row: 3, field: 'uid', problem: expect.stringContaining('must be a whole number, or text') },
    ],
    repaired: [{ row: 1, repair: 'polygon 0 ring 0 crosses itself and is read as 2 rings' }],
  });
  // The refused 12_2 must not remove the stored one.
  expect(await mws()).toEqual(['12_1', '12_2']);
  await put('third.geojson', MWS.slice(0, 1));
  expect(await bench.run('mws', 'third.geojson')).toMatchObject({ stored: 1, removed: 1 });
  expect(await mws()).toEqual(['12_1']);
});

it('converts UTM to degrees, and refuses other projections with a command that converts them', async () => {
  const inUtm = PLACES.map(({ properties, rings }) => {
    const projected = rings.map((ring) => ring.map(([x = 0, y = 0]) => [...toUtm({ zone: 44, south: false }, x, y)]));
    return { properties, rings: projected };
  });
  writeGpkg(join(bench.dir, 'utm.gpkg'), inUtm, { srs: 32644 });
  await bench.put('utm.zip', shapefileZip(inUtm, UTM));
  for (const name of ['utm.gpkg', 'utm.zip']) {
    expect(await bench.run('places', name)).toMatchObject({ refusedCount: 0 });
    const [lon, lat] = (await place())?.tehsil.geometry?.coordinates.flat(2) ?? [];
    const [x = 0, y = 0] = inUtm[0]?.rings[0]?.[0] ?? [];
    expect([lon, lat]).toEqual([...fromUtm({ zone: 44, south: false }, x, y)]);
    expect(lon).toBeCloseTo(78, 9);
  }
  writeGpkg(join(bench.dir, 'mercator.gpkg'), inUtm, { srs: 3857 });
  await bench.put('mercator.zip', shapefileZip(inUtm, 'PROJCS["WGS_1984_Web_Mercator"]'));
  for (const name of ['mercator.gpkg', 'mercator.zip'])
    await expect(bench.run('places', name)).rejects.toThrow(/its CRS is ".*Mercator"; .*ogr2ogr -t_srs EPSG:4326/);
});

it('a trial import reports how many tehsils an import would store, and stores nothing', async () => {
  await put('in.gpkg', PLACES);
  expect(await bench.run('places', 'in.gpkg', { isTrial: true })).toMatchObject({ stored: 2 });
  expect(await bench.stores.places.states()).toEqual([]);
});

it('an import changes nothing and leaves no file if it is aborted while it stores boundaries', async () => {
  await put('in.geojson', PLACES);
  const stop = new AbortController();
  const progress = (done: number, total = 0): void => {
    // Reading and checking are the first half of the progress.
    if (done * 2 > total) stop.abort(new Error('stopped here'));
  };
  await expect(bench.run('places', 'in.geojson', { signal: stop.signal, progress })).rejects.toThrow('stopped here');
  expect([await bench.stores.places.states(), await readdir(bench.scratch)]).toEqual([[], []]);
});

it('an import ends immediately if it is aborted while it reads the file', async () => {
  await put('in.geojson', PLACES);
  await expect(bench.run('places', 'in.geojson', { signal: AbortSignal.abort(new Error('gone')) })).rejects.toThrow(
    'gone',
  );
});
