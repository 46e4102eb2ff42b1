import { boxPolygon } from '@headwater/core';
import { expect, it } from 'vitest';
import { TERRAIN_CODES } from '../../zones/land-cover-by-terrain.ts';
import { terrainLulcColumns, terrainLulcRows } from './terrain-rows.ts';

const geometry = boxPolygon([78, 17, 78.01, 17.01]);
const mws = (uid: string) => ({ uid, tehsilId: 1, geometry });
const areas = (...parts: readonly (readonly [number, number])[]): number[] => {
  const all = Array.from({ length: 256 }, () => 0);
  for (const [code, hectares] of parts) all[code] = hectares;
  return all;
};
const code = (terrain: 'plain' | 'slope', value: number): number =>
  TERRAIN_CODES.find((each) => each.terrain === terrain && each.value === value)?.code ?? 0;

it('each class on each terrain has a unique code above 0', () => {
  const codes = TERRAIN_CODES.map((each) => each.code);
  expect(new Set(codes).size).toBe(32);
  expect([Math.min(...codes), Math.max(...codes)]).toEqual([1, 32]);
});

it('the row of a micro-watershed without pixels or without elevation has null values', () => {
  const rows = terrainLulcRows({ mws: [mws('12_1'), mws('12_2')] }, 'slope', {
    codes: { '12_2': areas([0, 50]) },
    landforms: { '12_2': areas([0, 50]) },
  });
  for (const row of rows) {
    const { uid: _, area_in_ha: area, ...rest } = row;
    expect(area).toBeGreaterThan(0);
    expect(Object.keys(row)).toEqual(
      terrainLulcColumns('slope', { startYear: 2019, endYear: 2022 }).map(({ name }) => name),
    );
    expect(new Set(Object.values(rest))).toEqual(new Set([null]));
  }
});

it.each([
  ['plains', { landforms: areas([5, 90], [6, 10]), cluster: 1, slope: null, plain: 'Mostly Tree/Forests' }],
  ['hills and valleys', { landforms: areas([1, 60], [8, 30], [6, 10]), cluster: 2, slope: null, plain: null }],
  [
    'plains and slopes',
    {
      landforms: areas([5, 60], [6, 20], [10, 20]),
      cluster: 3,
      slope: 'Single Cropped and Double Cropped',
      plain: 'Mostly Tree/Forests',
    },
  ],
])(
  'names the dominant cover of slopes or of plains only if the terrain cluster has enough of them: %s',
  (_, { landforms, cluster, slope, plain }) => {
    const codes = areas(
      [code('slope', 8), 3],
      [code('slope', 9), 3],
      [code('slope', 10), 5],
      [code('slope', 7), 2],
      [code('plain', 6), 7],
      [code('plain', 3), 80],
    );
    const rowOf = (terrain: 'plain' | 'slope') =>
      terrainLulcRows({ mws: [mws('12_1')] }, terrain, {
        codes: { '12_1': codes },
        landforms: { '12_1': landforms },
      })[0];
    expect(rowOf('slope')).toMatchObject({
      terrain_cluster_id: cluster,
      cluster_name: slope,
      single_kharif_area_percent: 3,
      forests_area_percent: 0,
    });
    expect(rowOf('plain')).toMatchObject({ cluster_name: plain, forests_area_percent: 7, barren_area_percent: 0 });
  },
);

it('the name of the dominant cover is null if none of the named kinds of cover occurs', () => {
  const found = { codes: { '12_1': areas([code('plain', 1), 100]) }, landforms: { '12_1': areas([5, 100]) } };
  expect(terrainLulcRows({ mws: [mws('12_1')] }, 'plain', found)[0]).toMatchObject({
    cluster_name: null,
    barren_area_percent: 0,
    unseen_area_in_ha: 0,
  });
});

it.each([
  [50, 30, { forests_area_percent: 40, cluster_name: 'Mostly Tree/Forests', unseen_area_in_ha: 50 }],
  [51, 30, { forests_area_percent: null, cluster_name: null, unseen_area_in_ha: 51 }],
])(
  'shares leave out unknown cover, and are null if it is more than half of the plains and slopes: %d of 100 ha',
  (unseen, slopes, expected) => {
    const codes = areas(
      [code('plain', 0), unseen - 10],
      [code('slope', 0), 10],
      [code('plain', 6), 20],
      [code('slope', 7), 80 - unseen],
    );
    const found = { codes: { '12_1': codes }, landforms: { '12_1': areas([5, 100 - slopes], [6, slopes]) } };
    expect(terrainLulcRows({ mws: [mws('12_1')] }, 'plain', found)[0]).toMatchObject(expected);
  },
);
