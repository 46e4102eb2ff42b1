import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Logger } from '@headwater/core';
import { createMemoryStores } from '@headwater/identity/memory';
import { writePlace } from '@headwater/ingest';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { smallPlace } from './small-world.fixture.ts';
import { followPlaces, seedPlaces } from './places.ts';

let dataDir = '';
beforeEach(async () => void (dataDir = await mkdtemp(join(tmpdir(), 'headwater-places-'))));
afterEach(() => rm(dataDir, { recursive: true, force: true }));

type Line = readonly [message: string, fields: Readonly<Record<string, unknown>>];
function recorder(): { readonly logger: Logger; readonly lines: Line[] } {
  const lines: Line[] = [];
  const note: Logger['info'] = (fields, message) => void lines.push([message, fields]);
  return { logger: { debug: note, info: note, error: note }, lines };
}

it('logs the places of a start, writes nothing twice, and reads a folder that is added later', async () => {
  const { logger, lines } = recorder();
  const stores = createMemoryStores();
  const deps = { dataDir, stores, logger };
  await writePlace(join(dataDir, 'places/one'), smallPlace('Jalsrota'));
  await seedPlaces(deps);
  const counts = { tehsils: 1, unchanged: 0, skippedFiles: 0, repaired: 0 };
  const saved = [expect.stringMatching(/^Jalsrota \(/)];
  expect(lines).toEqual([['places were read', { ...counts, saved }]]);
  const { since } = await seedPlaces(deps);
  expect(lines.at(-1)).toEqual(['places were read', { ...counts, unchanged: 1, saved: [] }]);

  const stop = new AbortController();
  const looks = [
    () => writePlace(join(dataDir, 'places/two'), smallPlace('Nadi')),
    () => writeFile(join(dataDir, 'places/bad.geojson'), '{'),
    () => Promise.resolve(),
    () => Promise.resolve(stop.abort()),
  ];
  const sleep = (): Promise<void> => looks.shift()?.() ?? Promise.resolve();
  await followPlaces(deps, { since, signal: stop.signal, sleep });
  expect(lines.slice(2)).toEqual([
    ['a places file was skipped', { file: 'bad.geojson', reason: expect.stringContaining('not JSON') }],
    [
      'places were read',
      { tehsils: 2, unchanged: 1, skippedFiles: 1, repaired: 0, saved: [expect.stringMatching(/^Nadi \(/)] },
    ],
  ]);
});

const UID = { name: 'uid', type: 'text', description: 'Micro-watershed' } as const;

describe('a place with a corrected name', () => {
  const tehsils = async ({ places }: Pick<ReturnType<typeof createMemoryStores>, 'places'>) => {
    const [state] = await places.states();
    const [district] = await places.districts(state?.id ?? 0);
    return (await places.tehsilUnits(district?.id ?? 0)).map(({ name }) => name);
  };
  const REMOVED = 'places without a file were removed';
  const STAYED = 'places without a file stay: they have published data or runs in progress';

  async function world() {
    const { logger, lines } = recorder();
    const stores = createMemoryStores();
    const deps = { dataDir, stores, logger };
    await writePlace(join(dataDir, 'places/one'), smallPlace('Jalsrotta'));
    const { places } = await seedPlaces(deps);
    const rename = () => writePlace(join(dataDir, 'places/one'), smallPlace('Jalsrota'));
    return { deps, stores, lines, rename, tehsilId: places[0]?.tehsil.id ?? 0 };
  }

  it('is removed under its old name if it has no published data, at a start and while the server runs', async () => {
    const { deps, stores, lines, rename } = await world();
    await rename();
    const { since } = await seedPlaces(deps);
    expect(await tehsils(stores)).toEqual(['Jalsrota']);
    expect(lines.at(-1)).toEqual([REMOVED, { places: [expect.stringMatching(/^Jalsrotta \(/)], count: 1 }]);
    const stop = new AbortController();
    const looks = [() => writePlace(join(dataDir, 'places/one'), smallPlace('Nadi')), () => Promise.resolve()];
    const sleep = async (): Promise<void> => (looks.shift() ?? (async () => stop.abort()))();
    await followPlaces(deps, { since, signal: stop.signal, sleep });
    expect(await tehsils(stores)).toEqual(['Nadi']);
  });

  it('stays under its old name if it has runs in progress or published data, with a log line', async () => {
    const { deps, stores, lines, rename, tehsilId } = await world();
    await stores.runs.enqueue({ id: 'r', pipeline: 'p', params: { tehsilId }, fingerprint: 'f', ownerId: 1 });
    await rename();
    await seedPlaces(deps);
    expect(await tehsils(stores)).toEqual(['Jalsrota', 'Jalsrotta']);
    expect(lines.at(-1)).toEqual([STAYED, { places: [expect.stringMatching(/^Jalsrotta \(/)], count: 1 }]);
    const run = await stores.runs.claim({ workerId: 'w', leaseMs: 60_000, pipelines: ['p'], maxAttempts: 3 });
    const layer = {
      workspace: 'w',
      layerName: 'l',
      formerly: [],
      datasetName: 'd',
      layerType: 'raster',
      tehsilId,
    } as const;
    const layers = [{ ...layer, itemId: 'i', assetKey: 'r/1/f', styleKey: null }];
    const item = { id: 'i', collectionPath: 'a/b/c', item: { id: 'i' }, formerly: [] };
    await stores.runs.publish('r', run?.token ?? 0, { items: [item], layers, timings: {} });
    await seedPlaces(deps);
    expect(await tehsils(stores)).toEqual(['Jalsrota', 'Jalsrotta']);
    expect(lines.at(-1)?.[0]).toBe(STAYED);
  });

  it.each([
    ['a sheet', { tables: [{ name: 'terrain', key: 'uid', columns: [UID], rows: [{ uid: '1' }] }], series: [] }],
    [
      'a series',
      { tables: [], series: [{ name: 'et', description: 'ET', dates: ['2017-07-01'], values: { '1': [3] } }] },
    ],
  ])('stays under its old name if only %s was imported', async (_, { tables, series }) => {
    const { deps, stores, lines, rename, tehsilId } = await world();
    await stores.runs.enqueue({ id: 'r', pipeline: 'p', params: {}, fingerprint: 'f', ownerId: 1 });
    const run = await stores.runs.claim({ workerId: 'w', leaseMs: 60_000, pipelines: ['p'], maxAttempts: 3 });
    const data = {
      tables: tables.map((table) => ({ ...table, tehsilId })),
      series: series.map((each) => ({ ...each, tehsilId })),
    };
    expect(await stores.runs.publish('r', run?.token ?? 0, { items: [], layers: [], timings: {}, ...data })).toBe('ok');
    await rename();
    await seedPlaces(deps);
    expect(await tehsils(stores)).toEqual(['Jalsrota', 'Jalsrotta']);
    expect(lines.at(-1)?.[0]).toBe(STAYED);
  });

  it('is removed under its old name, but imported places stay, because they never had a file', async () => {
    const { deps, stores, rename } = await world();
    const { state, district, geometry } = smallPlace('Nadi');
    if (geometry === null) throw new Error('the fixture has a boundary');
    const change = { state, district, tehsil: 'Nadi', geometry };
    await stores.places.saveChanges(async function* () {
      yield change;
    });
    await rename();
    await seedPlaces(deps);
    expect(await tehsils(stores)).toEqual(['Jalsrota', 'Nadi']);
  });

  it('stays under its old name while a skipped file may contain it, and while the folder is missing', async () => {
    const { deps, stores, rename } = await world();
    await rename();
    await writeFile(join(dataDir, 'places/bad.geojson'), '{');
    await seedPlaces(deps);
    expect(await tehsils(stores)).toEqual(['Jalsrota', 'Jalsrotta']);
    await rm(join(dataDir, 'places'), { recursive: true });
    await seedPlaces(deps);
    expect(await tehsils(stores)).toEqual(['Jalsrota', 'Jalsrotta']);
  });
});
