import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { PlaceBundle } from '@headwater/core';
import type { Polygon } from 'geojson';
import { expect, it } from 'vitest';
import { box, geojson, importBench } from '../import/boundaries/import-files.fixture.ts';
import { readPlaces } from './read-places.ts';
import { savePlaces, seed } from './seed.ts';
import { placesFingerprint, watchPlaces } from './watch-places.ts';
import { writePlace } from './write-place.ts';

const bench = importBench();
const NAMES = { state: 'Aland', district: 'Bland', tehsil: 'Cland' };
const square = (west: number, size?: number): Polygon => ({ type: 'Polygon', coordinates: [box(west, 17, size)] });
const BOUNDARY: PlaceBundle = { ...NAMES, geometry: square(78), mws: [], villages: [] };
const OWN_MWS = [{ uid: '9', geometry: square(78, 0.02) }];

const folder = (): string => join(bench.dir, 'places');
const put = (bundle: PlaceBundle): Promise<void> => writePlace(join(folder(), bundle.tehsil), bundle);
const names = (all: readonly { readonly tehsil: { readonly name: string } }[]): string[] =>
  all.map(({ tehsil }) => tehsil.name);

async function start(): Promise<string[]> {
  return names((await seed(bench.stores, await readPlaces(folder()))).saved);
}

async function follow(change: () => Promise<unknown>): Promise<string[]> {
  const stop = new AbortController();
  const steps = [change, () => Promise.resolve(), () => Promise.resolve(stop.abort())];
  const saved: string[] = [];
  await watchPlaces(folder(), {
    everyMs: 1,
    signal: stop.signal,
    since: await placesFingerprint(folder()),
    sleep: async () => void (await steps.shift()?.()),
    onChange: async () => {
      saved.push(...names((await savePlaces(bench.stores.places, (await readPlaces(folder())).bundles)).saved));
    },
  });
  return saved;
}

async function stored(): Promise<unknown> {
  const { places, lookups } = bench.stores;
  const id = (await lookups.tehsilNamed({ state: 'aland', district: 'bland', tehsil: 'cland' }))?.tehsilId ?? 0;
  const [mws, villages] = [await places.mwsOf(id), await places.villagesOf(id)];
  return { mws: mws.map(({ uid }) => uid), villages: villages.map(({ name }) => name) };
}

async function importParts(): Promise<void> {
  const mws = ['1', '2'].map((uid) => ({ properties: { ...NAMES, uid }, rings: [box(78, 17, 0.05)] }));
  const village = { properties: { ...NAMES, vill_ID: 7, vill_name: 'Gaon' }, rings: [box(78, 17, 0.05)] };
  await bench.put('mws.geojson', geojson(mws));
  await bench.put('villages.geojson', geojson([village]));
  expect((await bench.run('mws', 'mws.geojson')).stored).toBe(2);
  expect((await bench.run('villages', 'villages.geojson')).stored).toBe(1);
}

const IMPORTED = { mws: ['1', '2'], villages: ['Gaon'] };

it('keeps imported micro-watersheds and villages after restarts and changes of the folder', async () => {
  await put(BOUNDARY);
  expect(await start()).toEqual(['Cland']);
  await importParts();
  expect(await start()).toEqual([]);
  expect(await stored()).toEqual(IMPORTED);
  expect(await follow(() => put({ ...BOUNDARY, tehsil: 'Dland' }))).toEqual(['Dland']);
  expect(await stored()).toEqual(IMPORTED);
  expect(await follow(() => put({ ...BOUNDARY, geometry: square(78, 0.2) }))).toEqual(['Cland']);
  expect(await stored()).toEqual(IMPORTED);
  expect(await start()).toEqual([]);
});

it('replaces imported micro-watersheds by micro-watersheds of a file, and keeps imported villages', async () => {
  await put(BOUNDARY);
  await start();
  await importParts();
  expect(await follow(() => put({ ...BOUNDARY, mws: OWN_MWS }))).toEqual(['Cland']);
  expect(await stored()).toEqual({ mws: ['9'], villages: ['Gaon'] });
  expect(await start()).toEqual([]);
});

it('removes micro-watersheds after the removal of their file, if nothing of the tehsil was imported', async () => {
  await put({ ...BOUNDARY, mws: OWN_MWS });
  await start();
  expect(await follow(() => rm(join(folder(), 'Cland/mws.geojson')))).toEqual(['Cland']);
  expect(await stored()).toEqual({ mws: [], villages: [] });
});
