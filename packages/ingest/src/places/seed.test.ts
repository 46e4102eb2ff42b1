import { createMemoryDomainStores } from '@headwater/core/memory';
import type { PlaceBundle } from '@headwater/core';
import { describe, expect, it } from 'vitest';
import { DATASETS } from './datasets.ts';
import { EMBEDDED_ACCOUNT, seed } from './seed.ts';

const geometry = {
  type: 'Polygon' as const,
  coordinates: [
    [
      [78, 17],
      [79, 17],
      [79, 18],
      [78, 17],
    ],
  ],
};
const bundle = {
  state: 'Aland',
  district: 'Bland',
  tehsil: 'Cland',
  geometry,
  mws: [{ uid: '12_1', geometry }],
  villages: [{ id: 7, name: 'Gaon', geometry }],
};

describe('seed', () => {
  it('fills empty stores, and changes nothing in a second call', async () => {
    const stores = createMemoryDomainStores();
    const snapshot = async (): Promise<unknown> => ({
      datasets: await stores.places.datasets(),
      states: await stores.places.states(),
      accounts: await stores.eoAccounts.list(),
      mws: await stores.places.mwsOf((await seed(stores, { bundles: [bundle] })).places[0]!.tehsil.id),
    });
    const first = await seed(stores, { bundles: [bundle] });
    expect(first.account).toMatchObject({ name: EMBEDDED_ACCOUNT, isVisible: true });
    expect(first.places[0]).toMatchObject({
      state: { name: 'Aland' },
      district: { name: 'Bland' },
      tehsil: { name: 'Cland' },
    });
    const before = await snapshot();
    const second = await seed(stores, { bundles: [bundle] });
    expect(second).toEqual({ ...first, saved: [] });
    expect(first.saved).toEqual(first.places);
    expect(await snapshot()).toEqual(before);
    expect(await stores.places.datasets()).toHaveLength(DATASETS.length);
  });

  it('writes each kind of change, and nothing for unchanged places', async () => {
    const stores = createMemoryDomainStores();
    const saved: string[] = [];
    const places = {
      ...stores.places,
      saveBundle: (toSave: PlaceBundle) => {
        saved.push(toSave.tehsil);
        return stores.places.saveBundle(toSave);
      },
    };
    const other = {
      ...bundle,
      tehsil: 'Dland',
      mws: [
        { uid: '2', geometry },
        { uid: '10', geometry },
      ],
    };
    const seeding = (...bundles: readonly PlaceBundle[]) => seed({ ...stores, places }, { bundles });
    await seeding(bundle, other);
    expect((await seeding({ ...bundle, tehsil: 'CLAND' }, other)).saved).toEqual([]);
    expect(saved).toEqual(['Cland', 'Dland']);
    const moved = {
      type: 'Polygon' as const,
      coordinates: [geometry.coordinates[0]!.map(([x = 0, y = 0]) => [x + 1, y])],
    };
    const changes: readonly Partial<PlaceBundle>[] = [
      { geometry: moved },
      { geometry: null },
      { mws: [{ uid: '12_1', geometry: moved }] },
      { mws: [] },
      { villages: [{ id: 7, name: 'Gaanv', geometry }] },
      { villages: [] },
    ];
    for (const change of changes) {
      await seeding(bundle);
      expect(
        (await seeding({ ...bundle, ...change })).saved.map(({ tehsil }) => tehsil.name),
        JSON.stringify(change),
      ).toEqual(['Cland']);
    }
  });

  it('keeps imported micro-watersheds and villages until the files have micro-watersheds and villages of the tehsil', async () => {
    const stores = createMemoryDomainStores();
    const bare = { ...bundle, mws: [], villages: [] };
    const [place] = (await seed(stores, { bundles: [bare] })).places;
    const { state, district, tehsil } = bundle;
    const change = { state, district, tehsil, mws: bundle.mws, villages: bundle.villages };
    await stores.places.saveChanges(async function* () {
      yield change;
    });
    const uids = async () => (await stores.places.mwsOf(place!.tehsil.id)).map(({ uid }) => uid);
    expect((await seed(stores, { bundles: [bare] })).saved).toEqual([]);
    expect(await uids()).toEqual(['12_1']);
    const reversed = { type: 'Polygon' as const, coordinates: [[...geometry.coordinates[0]!].toReversed()] };
    expect((await seed(stores, { bundles: [{ ...bare, geometry: reversed }] })).saved).toHaveLength(1);
    expect(await uids()).toEqual(['12_1']);
    expect(await stores.places.villagesOf(place!.tehsil.id)).toHaveLength(1);
    await seed(stores, { bundles: [{ ...bare, mws: [{ uid: '12_2', geometry }] }] });
    expect(await uids()).toEqual(['12_2']);
    expect(await stores.places.villagesOf(place!.tehsil.id)).toHaveLength(1);
  });

  it('does not show an account that an operator has hidden', async () => {
    const stores = createMemoryDomainStores();
    await stores.eoAccounts.create({ name: EMBEDDED_ACCOUNT, accountEmail: 'owner@example.org', isVisible: false });
    expect((await seed(stores, { bundles: [] })).account).toMatchObject({
      isVisible: false,
      accountEmail: 'owner@example.org',
    });
    expect(await stores.eoAccounts.list()).toHaveLength(1);
  });

  it('contains each dataset once', () => {
    expect(new Set(DATASETS.map(({ name }) => name)).size).toBe(DATASETS.length);
    expect(DATASETS.filter(({ name }) => /^LULC_level_[123]$/.test(name)).map(({ workspace }) => workspace)).toEqual([
      'LULC_level_1',
      'LULC_level_2',
      'LULC_level_3',
    ]);
  });
});
