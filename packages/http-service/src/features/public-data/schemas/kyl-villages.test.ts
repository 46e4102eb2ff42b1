import type { StoredTable, TableRow } from '@headwater/core';
import { expect, it } from 'vitest';
import { KylVillages, villageRecords } from './kyl-villages.ts';

const table = (key: string, rows: readonly TableRow[]): StoredTable => ({
  name: 'sheet',
  tehsilId: 1,
  key,
  columns: Object.keys(rows[0] ?? {}).map((name) => ({ name, type: 'number', description: '' })),
  rows,
  runId: 'run',
  version: 1,
  publishedAt: '2024-01-01T00:00:00Z',
  itemId: null,
  rowCount: rows.length,
});

it('the record of a village has the values of both sheets, and -1 for unknown values', () => {
  const people = table('village_id', [
    {
      village_id: 12,
      village_name: 'A',
      total_population_count: 900,
      SC_percent: 1.5,
      ST_percent: 0,
      literacy_rate_percent: null,
    },
  ]);
  const assets = table('vill_id', [
    { vill_id: '12', vill_name: '99', Plantations_count_2018: 3, 'Land restoration_count_2019': 4 },
    { vill_id: 0, vill_name: 'none', Plantations_count_2018: 1, 'Land restoration_count_2019': null },
  ]);
  const records = KylVillages.parse(villageRecords([15, 0], { people, assets }));
  expect(records).toMatchObject([
    {
      village_id: 12,
      total_population: 900,
      percent_sc_population: 1.5,
      percent_st_population: 0,
      literacy_level: -1,
      total_assets: 7,
    },
    { village_id: 15, total_population: -1, total_assets: -1, financial_inclusion: -1 },
  ]);
  expect(villageRecords([], { people: undefined, assets: undefined })).toEqual([]);
});
