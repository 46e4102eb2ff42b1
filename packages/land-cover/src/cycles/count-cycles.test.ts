import { expect, it } from 'vitest';
import { blankYear, summarise } from '../series/year-stats.ts';
import { createCycleCounter } from './count-cycles.ts';
import { COLD } from './dormancy.ts';
import { readCoverage, type SeriesCoverage } from './hidden-rise.ts';

const [STEPS, FROM] = [31, 4];

function count(bumps: readonly (readonly [number, number, number])[], hasWinter = false) {
  const values = Float64Array.from({ length: STEPS }, (_, i) =>
    bumps.reduce(
      (v, [peak, height, width]) => Math.max(v, 1500 + height * (1 - Math.abs(i - FROM - peak) / width)),
      1500,
    ),
  );
  const blank = { seen: 0, first: 0, last: 0, clear: 0, afterGap: 0 };
  const coverage: SeriesCoverage = { steps: STEPS, from: FROM, cold: hasWinter ? COLD : null, ...blank };
  readCoverage(0, coverage);
  const year = blankYear();
  summarise(values, coverage, year);
  createCycleCounter()(year, values, coverage);
  return { cycles: year.cycles, peakStep: year.peakStep, cuts: year.cuts };
}

it('counts crops by their peaks inside the year', () => {
  expect(count([[5, 6000, 4]])).toMatchObject({ cycles: 1, peakStep: 5 });
  expect(
    count([
      [5, 6000, 4],
      [13, 5000, 4],
    ]),
  ).toMatchObject({ cycles: 2, peakStep: 5 });
  expect(
    count([
      [3, 5000, 3],
      [11, 5000, 3],
      [19, 5000, 3],
    ]).cycles,
  ).toBe(3);
  expect(
    count([
      [-3, 6000, 3],
      [12, 5000, 4],
    ]),
  ).toMatchObject({ cycles: 1, peakStep: 12 });
});

it('counts two peaks less than 64 days apart as one crop, because haze or a cut may split the curve of a crop', () => {
  expect(
    count([
      [5, 6000, 3],
      [8, 6000, 3],
    ]).cycles,
  ).toBe(1);
  expect(
    count([
      [5, 6000, 3],
      [9, 6000, 3],
    ]).cycles,
  ).toBe(2);
});

it('counts a second crop if it has more than two fifths of the height of the first, but does not count weeds', () => {
  expect(
    count([
      [5, 6500, 4],
      [14, 2900, 4],
    ]).cycles,
  ).toBe(2);
  expect(
    count([
      [5, 6500, 4],
      [14, 2000, 4],
    ]).cycles,
  ).toBe(1);
});

it('counts two peaks as one crop if a winter is between them, at latitudes with a winter', () => {
  const rape = [
    [6, 5500, 9],
    [19, 6500, 9],
  ] as const;
  expect(count(rape, true).cycles).toBe(1);
  expect(count(rape).cycles).toBe(2);
});

it('finds the harvest after the second peak if a crop has two close peaks', () => {
  // The first crop has peaks at steps 4 and 7. NDVI falls to bare soil only after the second of these peaks.
  const crops = [
    [4, 4000, 6],
    [7, 3900, 2],
    [16, 4000, 2],
  ] as const;
  expect(count(crops)).toMatchObject({ cycles: 2, cuts: 2 });
});
