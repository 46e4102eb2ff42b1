import { expect, it } from 'vitest';
import { box, geojson, importBench, type Sample } from './import-files.fixture.ts';

const bench = importBench();
const NAMES = { state: 'Aland', district: 'Bland', tehsil: 'Cland' };
const OTHER = { ...NAMES, tehsil: 'Dland' };

async function put(name: string, samples: readonly Sample[]): Promise<void> {
  await bench.put(name, geojson(samples));
}

async function tehsilId(tehsil = 'cland'): Promise<number> {
  const found = await bench.stores.lookups.tehsilNamed({ state: 'aland', district: 'bland', tehsil });
  return found?.tehsilId ?? 0;
}

async function withTehsils(): Promise<void> {
  await put('places.geojson', [
    { properties: NAMES, rings: [box(78, 17)] },
    { properties: OTHER, rings: [box(79, 17)] },
  ]);
  await bench.run('places', 'places.geojson');
}

const refusal = (row: number, problem: RegExp): object => ({
  source: 'in.geojson',
  row,
  field: 'geometry',
  problem: expect.stringMatching(problem),
});

it('refuses micro-watersheds that do not touch their tehsil, and reports the distance; the stored micro-watersheds are not removed', async () => {
  await withTehsils();
  await put('first.geojson', [{ properties: { ...OTHER, uid: '12_9' }, rings: [box(79, 17, 0.05)] }]);
  await bench.run('mws', 'first.geojson');
  await put('in.geojson', [
    { properties: { ...NAMES, uid: '12_1' }, rings: [box(78, 17, 0.05)] },
    { properties: { ...NAMES, uid: '12_2' }, rings: [box(69, 2, 0.05)] },
    // Accepted, because another part of 12_1 touches the tehsil.
    { properties: { ...NAMES, uid: '12_1' }, rings: [box(78.3, 17, 0.05)] },
    { properties: { ...NAMES, uid: '12_2' }, rings: [box(69.2, 2, 0.05)] },
    { properties: { ...OTHER, uid: '12_3' }, rings: [box(78, 17, 0.05)] },
  ]);
  const report = await bench.run('mws', 'in.geojson');
  const far = /^micro-watershed 12_2 lies about 19\d\d km outside of the tehsil's boundary; correct its coordinates/;
  expect(report).toMatchObject({ stored: 1, removed: 0, refusedCount: 3 });
  expect(report.refused).toEqual([
    refusal(2, far),
    refusal(4, far),
    refusal(5, /^micro-watershed 12_3 lies about 10\d km outside/),
  ]);
  const uids = async (id: number): Promise<string[]> => (await bench.stores.places.mwsOf(id)).map(({ uid }) => uid);
  expect([await uids(await tehsilId()), await uids(await tehsilId('dland'))]).toEqual([['12_1'], ['12_9']]);
});

it('refuses villages that do not touch their tehsil, and checks each village without an id separately', async () => {
  await withTehsils();
  const village = (id: number, name: string, west: number): Sample => ({
    properties: { ...NAMES, vill_ID: id, vill_name: name },
    rings: [box(west, 17, 0.05)],
  });
  await put('in.geojson', [village(0, 'near', 78), village(0, 'far', 69), village(641_000, 'away', 79)]);
  const report = await bench.run('villages', 'in.geojson');
  expect([report.stored, report.refused]).toEqual([
    1,
    [refusal(2, /^village 0 \(far\) lies about 9\d\d km/), refusal(3, /^village 641000 \(away\) lies about 9\d km/)],
  ]);
  expect((await bench.stores.places.villagesOf(await tehsilId())).map(({ name }) => name)).toEqual(['near']);
});

it('describes the errors of invalid ids and names', async () => {
  await withTehsils();
  const whole = 'must be a whole number of 0 or more, such as 641000; 0 means that there is no id';
  const wrong = [
    ['vill_ID', 3.5, whole],
    ['vill_ID', -1, whole],
    ['vill_ID', '12 a', whole],
    ['vill_name', 'x'.repeat(201), 'is longer than 200 characters'],
    ['vill_name', 5, 'must be text'],
    ['tehsil', 5, 'must be text'],
  ] as const;
  const sample = (field: string, value: string | number): Sample => ({
    properties: { ...NAMES, vill_ID: 1, vill_name: 'Gaon', [field]: value },
    rings: [box(78, 17, 0.05)],
  });
  const samples = wrong.map(([field, value]) => sample(field, value));
  await put('in.geojson', samples);
  const { refused } = await bench.run('villages', 'in.geojson');
  expect(refused).toEqual(
    wrong.map(([field, , words], index) => ({
      source: 'in.geojson',
      row: index + 1,
      field,
      problem: `property ${field} ${words}`,
    })),
  );
});

it('refuses uids that the public API does not accept, and reports the row', async () => {
  await withTehsils();
  const mws = (uid: string | number): Sample => ({ properties: { ...NAMES, uid }, rings: [box(78, 17, 0.05)] });
  await put('in.geojson', ['18_16001', 'a'.repeat(65), '18:6', 'é', -1, 1.5, 'abc', '18-6', '1.5', 12].map(mws));
  const report = await bench.run('mws', 'in.geojson');
  const problem =
    'property uid must be a whole number, or text of at most 64 characters: letters, digits, _ . and -, such as "12_100174"';
  expect(report.stored).toBe(5);
  expect(report.refused).toEqual([2, 3, 4, 5, 6].map((row) => ({ source: 'in.geojson', row, field: 'uid', problem })));
});

it('refuses a boundary with exchanged longitude and latitude, with a hint', async () => {
  const swapped = box(77.1, 31.8).map(([x = 0, y = 0]) => [y, x]);
  await put('in.geojson', [{ properties: NAMES, rings: [swapped] }]);
  const { stored, refused } = await bench.run('places', 'in.geojson');
  const hint =
    /^the geometry is at longitude 31\.8, latitude 77\.1, in the Arctic; with the two numbers exchanged, it would be in India; write longitude first/;
  expect([stored, refused]).toEqual([0, [refusal(1, hint)]]);
});

it('ignores a hyphen at the end of a tehsil name', async () => {
  await withTehsils();
  await put('in.geojson', [
    { properties: { ...NAMES, tehsil: ' Cland- ' }, rings: [box(78, 17)] },
    { properties: { ...NAMES, tehsil: 'Cland;' }, rings: [box(78, 17)] },
    { properties: { ...NAMES, tehsil: '-&-' }, rings: [box(78, 17)] },
  ]);
  const report = await bench.run('places', 'in.geojson');
  expect(report).toMatchObject({ stored: 0, unchanged: 1 });
  expect(report.refused.map(({ row, problem }) => [row, problem])).toEqual([
    [2, expect.stringContaining('which feature 1 already has')],
    [3, expect.stringContaining('needs at least one letter a-z or digit 0-9')],
  ]);
});

it('reports a village with two names, and stores the first name', async () => {
  await withTehsils();
  const village = (name: string, west: number): Sample => ({
    properties: { ...NAMES, vill_ID: 7, vill_name: name },
    rings: [box(west, 17, 0.02)],
  });
  await put('in.geojson', [village('Gaon', 78), village('Gram', 78.03), village('Gaon', 78.06)]);
  const report = await bench.run('villages', 'in.geojson');
  expect(report).toMatchObject({ stored: 1, refusedCount: 0 });
  expect(report.repaired).toEqual([
    {
      source: 'in.geojson',
      row: 2,
      repair: 'it is a part of village 7, which has the name "Gram" here, but "Gaon" before; the first name is stored',
    },
  ]);
  expect((await bench.stores.places.villagesOf(await tehsilId())).map(({ name }) => name)).toEqual(['Gaon']);
});
