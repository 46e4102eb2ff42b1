import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { serialize } from 'node:v8';
import { expect, it } from 'vitest';
import { checkFeatures, type Checked, type TehsilLimits } from './check-features.ts';
import { readIndex } from './feature-spool.ts';
import { box, dbf, geojson, importBench, type Sample, shp, zip } from './import-files.fixture.ts';

const bench = importBench();
const NAMES = { state: 'Aland', district: 'Bland', tehsil: 'Cland' };

const SAMPLES: readonly Sample[] = [
  ...['12_1', '12_2', '12_3'].map((uid) => ({ properties: { ...NAMES, uid }, rings: [box(78, 17)] })),
  { properties: { ...NAMES, tehsil: 'Dland', uid: '12_4' }, rings: [box(79, 17)] },
];

async function check(limits: Partial<TehsilLimits>, samples = SAMPLES): Promise<Checked> {
  const path = await bench.put('in.geojson', geojson(samples));
  const spoolPath = join(bench.dir, 'spool');
  return await checkFeatures({ path, fileName: 'in.geojson', kind: 'mws', spoolPath }, () => {}, {
    tehsils: 2,
    features: 3,
    positions: 15,
    ...limits,
  });
}

it('accepts a tehsil at its limits', async () => {
  const { tehsils, notes } = await check({ features: 3, positions: 15 });
  const spool = await open(join(bench.dir, 'spool'));
  try {
    const indexes = await Promise.all(tehsils.map(({ index }) => readIndex(spool, index)));
    const rows = indexes.map((features) => features.map(({ row }) => row));
    expect([rows, notes.refusedCount]).toEqual([[[1, 2, 3], [4]], 0]);
  } finally {
    await spool.close();
  }
});

it('returns a result of a size that does not depend on the number of features', async () => {
  const many = Array.from({ length: 2000 }, (_, n) => ({
    properties: { ...NAMES, uid: `12_${n}` },
    rings: [box(78, 17)],
  }));
  const checked = await check({ features: 2000, positions: 1e6 }, many);
  expect(serialize(checked).length).toBeLessThan(1000);
});

it('refuses a file with a tehsil of too many features or positions, because an import has all features of a tehsil in memory', async () => {
  const where = 'Cland (Bland, Aland) has more than';
  await expect(check({ features: 2, positions: 15 })).rejects.toThrow(`${where} 2 features; correct the tehsil`);
});

it('refuses a file with too many tehsils as a whole', async () => {
  await expect(check({ tehsils: 1 })).rejects.toThrow('the file has more than 1 tehsils; correct the tehsil');
});

it('limits the sum of positions of all features of a tehsil', async () => {
  await expect(check({ features: 3, positions: 14 })).rejects.toThrow('has more than 14 positions in its features');
});

it('lists each repair of the whole file once, at its first row: a datum that was converted, an unknown encoding', async () => {
  const prj =
    'GEOGCS["K",DATUM["Kalianpur",SPHEROID["Everest",6377299.151,300.8017255],TOWGS84[295,736,257]],UNIT["degree",0.0174532925199433]]';
  const files = { shp: shp(SAMPLES), dbf: dbf(SAMPLES), prj: Buffer.from(prj), cpg: Buffer.from('ISCII') };
  // The first letter of the state in row 2 becomes a byte of ISCII, which is not valid UTF-8.
  files.dbf[files.dbf.indexOf('Aland', files.dbf.indexOf('Aland') + 5)] = 0xb3;
  const members = Object.entries(files).map(([ending, content]) => ({ name: `in.${ending}`, content }));
  const [path, spoolPath] = [await bench.put('in.zip', zip(members)), join(bench.dir, 'spool')];
  const { notes } = await checkFeatures({ path, fileName: 'in.zip', kind: 'mws', spoolPath }, () => {});
  expect(notes.repaired).toMatchObject([
    { source: 'in', row: 1, repair: expect.stringContaining('converted from the datum "Kalianpur" to WGS 84') },
    { source: 'in', row: 2, repair: expect.stringContaining('"ISCII") is unknown') },
  ]);
});
