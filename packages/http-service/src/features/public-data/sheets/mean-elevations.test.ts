import type { DataStore } from '@headwater/core/ports';
import type { StoredTable } from '@headwater/core';
import { expect, it } from 'vitest';
import { createMeanElevations } from './mean-elevations.ts';

/** A store with a DEM table. `reads` counts the reads of its rows. */
function demStore() {
  const state: { means: readonly number[] | undefined; version: number; reads: number } = {
    means: [100, 200],
    version: 1,
    reads: 0,
  };
  const tableOf = (tehsilId: number, name: string): StoredTable | undefined => {
    if (state.means === undefined || name !== 'dem') return undefined;
    const rows = state.means.map((mean, index) => ({ uid: `12_${index}`, mean_elevation: mean }));
    const stored = { runId: 'r', version: state.version, publishedAt: '', itemId: null, rowCount: rows.length };
    return { name, tehsilId, key: 'uid', columns: [], rows, ...stored };
  };
  const data: Pick<DataStore, 'tableHead' | 'table'> = {
    tableHead: async (tehsilId, name) => tableOf(tehsilId, name),
    table: async (tehsilId, name) => {
      state.reads += 1;
      return tableOf(tehsilId, name);
    },
  };
  return { data, state };
}

it('reads the elevations of a tehsil once per version of the table', async () => {
  const { data, state } = demStore();
  const elevations = createMeanElevations(data);
  expect(await Promise.all([elevations.of(1), elevations.of(1)])).toEqual([150, 150]);
  expect([await elevations.of(1), state.reads]).toEqual([150, 1]);
  Object.assign(state, { means: [300], version: 2 });
  expect([await elevations.of(1), state.reads]).toEqual([300, 2]);
  state.means = undefined;
  expect([await elevations.of(1), state.reads]).toEqual([undefined, 2]);
});
