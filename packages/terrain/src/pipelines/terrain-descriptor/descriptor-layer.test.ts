import { boxPolygon } from '@headwater/core';
import { expect, it } from 'vitest';
import { DESCRIPTOR_COLUMNS, descriptorRows } from './descriptor-layer.ts';

const geometry = boxPolygon([78, 17, 78.01, 17.01]);
const mws = ['12_1', '12_2', '12_3'].map((uid) => ({ uid, tehsilId: 1, geometry }));
const areas = (landform: number, hectares: number): number[] =>
  Array.from({ length: 256 }, (_, code) => (code === landform ? hectares : 0));

it('the row of a micro-watershed without pixels or without elevation has no shares', () => {
  const rows = descriptorRows({ mws }, { '12_2': areas(0, 40), '12_3': areas(5, 40) });
  for (const row of rows) expect(Object.keys(row)).toEqual(DESCRIPTOR_COLUMNS.map(({ name }) => name));
  for (const { uid: _, area_in_ha: area, ...rest } of rows.slice(0, 2)) {
    expect(area).toBeGreaterThan(0);
    expect(new Set(Object.values(rest))).toEqual(new Set([null]));
  }
  expect(rows[2]).toMatchObject({ terrain_cluster_id: 1, plain_area_percent: 100, ridge_area_percent: 0 });
});
