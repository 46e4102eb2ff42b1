import type { Deliverable, PublishedSeries, PublishedTable } from '@headwater/core';
import type { RunStore } from '@headwater/core/ports';
import { claimed, newRun } from './sample.ts';

/** Builds a table with a column of each type. */
export function table(rest: Partial<PublishedTable> = {}): PublishedTable {
  return {
    name: 'croppingIntensity_annual',
    tehsilId: 1,
    key: 'uid',
    columns: [
      { name: 'uid', type: 'text', description: 'Micro-watershed' },
      { name: 'area_in_ha', type: 'number', unit: 'ha', description: 'Area' },
      { name: 'cycles', type: 'integer', description: 'Cycles' },
      { name: 'villages', type: 'list', description: 'Villages' },
    ],
    rows: [
      { uid: '12_2', area_in_ha: 812.4, cycles: 2, villages: [12, 'a, "b"', null, true] },
      { uid: '12_1', area_in_ha: 0.1 + 0.2, cycles: null, villages: [] },
      { uid: '12_3', area_in_ha: -1e-12, cycles: -7, villages: null },
    ],
    ...rest,
  };
}

/** Builds a series with two dates and two micro-watersheds. */
export function series(rest: Partial<PublishedSeries> = {}): PublishedSeries {
  return {
    name: 'ndvi_crop',
    tehsilId: 1,
    unit: '1',
    description: 'Mean NDVI of crop pixels',
    dates: ['2017-07-01', '2017-07-15'],
    values: { '12_1': [0.31, null], '12_2': [1 / 3, -0.2] },
    ...rest,
  };
}

/** Builds a deliverable with the members of `rest`. Items, layers and timings that `rest` omits are empty. */
export function dataOf(rest: Pick<Deliverable, 'tables' | 'series'> & Partial<Deliverable>): Deliverable {
  return { items: [], layers: [], timings: {}, ...rest };
}

/** Publishes a deliverable with a new run. All these runs have the fingerprint `same`. */
export async function publishData(runs: RunStore, id: string, published: Deliverable): Promise<void> {
  await runs.enqueue(newRun(id, { fingerprint: 'same' }));
  const { token } = await claimed(runs);
  const outcome = await runs.publish(id, token, published);
  if (outcome !== 'ok') throw new Error(`${id} was not published: ${outcome}`);
}
