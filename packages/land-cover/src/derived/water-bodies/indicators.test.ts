import { expect, it } from 'vitest';
import { indicatorSheet, waterIndicators } from './indicators.ts';

const years = (...kharif: readonly number[]) => kharif.map((ha) => ({ kharif: ha, rabi: ha / 2, zaid: 0 }));

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
  });
  expect(waterIndicators(years(0, 0), 0)).toMatchObject({ avg_kharif_surface_water_mws: null, trend_swb: '0' });
  expect(waterIndicators([], 3)).toMatchObject({ avg_zaid_surface_water_mws: null });
});

it('names the years in the descriptions of the columns of the sheet', () => {
  const { columns } = indicatorSheet([], 'hydrological years 2021 to 2022');
  for (const { name, description } of columns)
    if (name !== 'uid') expect(description).toMatch(/hydrological years 2021 to 2022/);
});
