import { expect, it } from 'vitest';
import { lulcSeries } from './series.ts';

it.each([2019, 2022, 2023])('the steps of %i have no gaps, and the core steps end on 30 June inclusive', (year) => {
  const { steps, core, indices } = lulcSeries(year);
  expect(steps).toHaveLength(31);
  steps.slice(1).forEach((step, i) => expect(step.start).toBe(steps[i]?.end));
  expect(steps[core[0]]?.start).toBe(`${year}-07-01`);
  expect(steps[core[1] - 1]?.end).toBe(`${year + 1}-07-01`);
  expect(steps[0]?.start).toBe(`${year}-04-28`);
  expect(steps.at(-1)?.end).toBe(`${year + 1}-09-03`);
  expect(indices.map((i) => [i.name, i.to - i.from])).toEqual([
    ['ndvi', 31],
    ['mndwi', 23],
    ['ndbi', 23],
    ['bsi', 23],
  ]);
});
