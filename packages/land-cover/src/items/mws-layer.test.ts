import { expect, it } from 'vitest';
import { lulcSheet } from './lulc-sheet.ts';
import { classColumns, mwsLayer } from './mws-layer.ts';

const square = (west: number, south: number, size: number): number[][] => [
  [west, south],
  [west + size, south],
  [west + size, south + size],
  [west, south + size],
  [west, south],
];

it('gives rings the directions of RFC 7946: exteriors counter-clockwise, holes clockwise', () => {
  const [outer, hole] = [square(75, 23, 1), square(75.2, 23.2, 0.1)];
  const geometry = { type: 'Polygon' as const, coordinates: [outer.toReversed(), hole] };
  const [feature] = mwsLayer([{ uid: '12_1', tehsilId: 1, geometry }], new Map()).features;
  expect(feature?.geometry.coordinates).toEqual([[outer, hole.toReversed()]]);
});

it('a row contains the unseen land of each year; if less than half was seen in a year, the classes of this year are null', () => {
  const of = (unseen: number): readonly number[] =>
    Array.from({ length: 256 }, (_, code) => ({ 0: unseen, 6: 100 - unseen })[code] ?? 0);
  const mws = [{ uid: '12_1', tehsilId: 1, geometry: { type: 'Polygon' as const, coordinates: [square(75, 23, 1)] } }];
  const areas = new Map([2020, 2021].map((year, i) => [year, { '12_1': of(50 + i) }]));
  const { uid: _, area_in_ha: area, ...properties } = mwsLayer(mws, areas).features[0]?.properties ?? {};
  expect(Object.keys(properties)).toEqual(classColumns([2020, 2021]).map(({ name }) => name));
  expect(properties).toMatchObject({
    tree_forest_area_2020: 50,
    'built-up_area_2020': 0,
    unseen_area_2020: 50,
    tree_forest_area_2021: null,
    'built-up_area_2021': null,
    unseen_area_2021: 51,
  });
  const { columns, rows } = lulcSheet(mws, areas);
  expect(Object.keys(rows[0] ?? {})).toEqual(columns.map(({ name }) => name));
  expect(rows[0]).toMatchObject({
    area_in_ha: area,
    sum_in_ha: 49,
    tree_forest_in_ha_2020: 50,
    unseen_in_ha_2020: 50,
    tree_forest_in_ha_2021: null,
    unseen_in_ha_2021: 51,
  });
});
