import { expect, it } from 'vitest';
import { indicatorSheet, waterIndicators } from './indicators.ts';
import { annualSheet } from './sheets.ts';

const years = (...kharif: readonly number[]) => kharif.map((ha) => ({ kharif: ha, rabi: ha / 2, zaid: 0, unseen: 0 }));

it.each([
  ['rises over six years', [1, 2, 3, 4, 5, 6], '1'],
  ['falls over six years', [6, 5, 4, 3, 2, 1], '-1'],
  ['stays', [2, 2, 2, 2, 2, 2], '0'],
  ['rises over too few years to be certain', [1, 2, 3, 4], '0'],
  ['goes up and down', [1, 5, 2, 4, 3, 3], '0'],
  ['has no year', [], '0'],
] as const)('computes trend_swb of water that %s', (_, kharif, trend) => {
  expect(waterIndicators(years(...kharif), 10).trend_swb).toBe(trend);
});

it('returns the mean water of each season in percent of the land with water in any year; null without such land', () => {
  expect(waterIndicators(years(4, 8), 8)).toEqual({
    trend_swb: '0',
    avg_kharif_surface_water_mws: 75,
    avg_rabi_surface_water_mws: 37.5,
    avg_zaid_surface_water_mws: 0,
    unseen_years: 0,
  });
  expect(waterIndicators(years(0, 0), 0)).toMatchObject({ avg_kharif_surface_water_mws: null, trend_swb: '0' });
  expect(waterIndicators([], 3)).toMatchObject({ avg_zaid_surface_water_mws: null });
});

it('computes shares and trend for the seen land: a lake of 10 ha stays at 100 %, although a growing part of the lake is not seen', () => {
  const lake = [0, 1, 2, 3, 4, 5].map((unseen) => ({ kharif: 10 - unseen, rabi: 10 - unseen, zaid: 0, unseen }));
  const full = { trend_swb: '0', avg_kharif_surface_water_mws: 100, avg_rabi_surface_water_mws: 100 };
  expect(waterIndicators(lake, 10)).toMatchObject({ ...full, unseen_years: 0 });
  // The last year is left out, because 6 of 10 ha are unseen.
  const hidden = { kharif: 0, rabi: 0, zaid: 0, unseen: 6 };
  expect(waterIndicators([...lake, hidden], 10)).toMatchObject({ ...full, unseen_years: 1 });
  expect(waterIndicators([hidden], 10)).toMatchObject({ avg_kharif_surface_water_mws: null, unseen_years: 1 });
});

it('publishes the water of a year only if enough of the micro-watershed and of its water was seen', () => {
  const zone = (unseen: number, water: number): number[] =>
    Array.from({ length: 256 }, (_, code) => ({ 0: unseen, 3: water, 6: 100 - unseen - water })[code] ?? 0);
  const areas = new Map([
    [2019, { a: zone(30, 8) }],
    [2020, { a: zone(60, 8) }],
    [2021, { a: zone(10, 4) }],
  ]);
  const unseen = new Map([
    [2019, new Map([['a', 2]])],
    [2021, new Map([['a', 6]])],
  ]);
  const { columns, rows } = annualSheet(['a'], { areas, everHa: new Map([['a', 10]]), unseen });
  expect(rows).toEqual([
    {
      uid: 'a',
      ...yearCells('2019-2020', [8, 8, 8, 0, 30, 2]),
      ...yearCells('2020-2021', [null, null, null, null, 60, 0]),
      ...yearCells('2021-2022', [null, null, null, null, 10, 6]),
      total_swb_area_in_ha: 10,
    },
  ]);
  expect(columns.map(({ name }) => name)).toEqual(Object.keys(rows[0] ?? {}));
});

const yearCells = (years: string, values: readonly (number | null)[]): Readonly<Record<string, number | null>> =>
  Object.fromEntries(
    ['total', 'kharif', 'rabi', 'zaid', 'unseen', 'unseen_water'].map((name, i) => [
      `${name}_area_in_ha_${years}`,
      values[i] ?? null,
    ]),
  );

it('names the years in the descriptions of the columns of the sheet', () => {
  const { columns } = indicatorSheet([], 'hydrological years 2021 to 2022');
  for (const { name, description } of columns)
    if (name !== 'uid') expect(description).toMatch(/hydrological years 2021 to 2022/);
});
