import type { TableColumn } from '@headwater/core';
import { expect, it } from 'vitest';
import { isUnitSheet } from './unit-sheets.ts';

const columns = (...names: readonly string[]): { readonly columns: readonly TableColumn[] } => ({
  columns: names.map((name) => ({ name, type: 'text', description: name })),
});

it.each(['uid', ' UID ', 'mws_id', 'MWS UID', 'vill_ID', 'village_id', 'censuscode2011'])(
  'a table with a column %j describes units, wherever this column is',
  (name) => {
    expect(isUnitSheet(columns(name, 'area_in_ha'))).toBe(true);
    expect(isUnitSheet(columns('id', name))).toBe(true);
  },
);

it('other tables do not describe units, even if their columns have similar names', () => {
  for (const names of [[], ['row', 'title', 'samples'], ['label_uid', 'layer_run_id'], ['id']]) {
    expect(isUnitSheet(columns(...names))).toBe(false);
  }
});
