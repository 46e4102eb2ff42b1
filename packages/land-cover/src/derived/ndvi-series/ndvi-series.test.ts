import { INDEX_NODATA } from '@headwater/core/pixel-plan';
import { expect, it } from 'vitest';
import { ndviBlock, fortnightsOf, LAST_FORTNIGHT } from './block.ts';

it.each([2018, 2019])('covers hydrological year %d by 26 fortnights without a gap', (year) => {
  const steps = fortnightsOf(year);
  expect(steps).toHaveLength(26);
  expect([steps[0]?.start, steps[1]?.start, steps.at(-1)?.end]).toEqual([
    `${year}-07-01`,
    `${year}-07-15`,
    `${year + 1}-07-01`,
  ]);
  steps.slice(1).forEach(({ start }, i) => expect(start).toBe(steps[i]?.end));
});

it.each([
  [2018, 15],
  [2019, 16],
])('describes the length of the last fortnight of hydrological year %d: %d days', (year, days) => {
  const { start = '', end = '' } = fortnightsOf(year).at(-1) ?? {};
  expect((Date.parse(end) - Date.parse(start)) / 86_400_000).toBe(days);
  expect(LAST_FORTNIGHT).toContain(String(days));
});

it('copies the medians of each fortnight', () => {
  const outputs = { ndvi_0: new Int16Array(2), ndvi_1: new Int16Array(2) };
  const series = { ndvi: Int16Array.of(100, INDEX_NODATA, 300, 400) };
  ndviBlock({ pixels: 2, series, clear: Uint16Array.of(1, 1), outputs, params: {} });
  expect(outputs).toEqual({ ndvi_0: Int16Array.of(100, INDEX_NODATA), ndvi_1: Int16Array.of(300, 400) });
});
