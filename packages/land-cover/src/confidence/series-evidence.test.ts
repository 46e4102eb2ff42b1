import fc from 'fast-check';
import { expect, it } from 'vitest';
import { sized } from '../../../../scripts/test-length.mjs';
import type { SeriesCoverage } from '../cycles/hidden-rise.ts';
import { slopesOf } from '../cycles/slopes.fixture.ts';
import { LULC_THRESHOLDS as T, scaled } from '../method/thresholds.ts';
import { blankYear } from '../series/year-stats.ts';
import { canopyMargin, longestGap, peakMargin, roughness } from './series-evidence.ts';

const coverage = (seen: number, cold: SeriesCoverage['cold'] = null): SeriesCoverage => ({
  steps: 31,
  from: 4,
  cold,
  seen,
  first: 0,
  last: 30,
  clear: 0,
  afterGap: -1,
});
const ALL = 2 ** 31 - 1;

it('finds the longest run of core steps without an observation', () => {
  expect(longestGap(coverage(ALL))).toBe(0);
  expect(longestGap(coverage(0))).toBe(T.coreSteps);
  // Steps 0-3, 6-8 and 20 are missing. Steps 0-3 are in the margin, so they do not count.
  expect(longestGap(coverage(ALL & ~0b1111 & ~(0b111 << 6) & ~(1 << 20)))).toBe(3);
});

it('roughness is 0 if NDVI changes evenly, and high if NDVI alternately rises and falls', () => {
  const even = Float64Array.from({ length: 31 }, (_, s) => 100 * s);
  const turning = Float64Array.from({ length: 31 }, (_, s) => (s % 2) * 100);
  expect([roughness(even, coverage(ALL)), roughness(turning, coverage(ALL))]).toEqual([0, 200]);
});

it('canopyMargin is the distance of the fastest fall or rise within 48 days to the limit of a canopy', () => {
  const step = (change: number): Float64Array => Float64Array.from({ length: 31 }, (_, s) => (s < 15 ? 0 : change));
  const [fall, rise] = [scaled(T.deciduousMaxDrop), scaled(T.canopyMaxRise)];
  expect(canopyMargin(step(0), coverage(ALL))).toBe(fall);
  expect(canopyMargin(step(-3000), coverage(ALL))).toBe(fall - 3000);
  expect(canopyMargin(step(4000), coverage(ALL))).toBe(rise - 4000);
  expect(canopyMargin(step(-3000), { ...coverage(ALL), last: 14 })).toBe(fall);
});

const series = (...heights: readonly number[]): Float64Array =>
  Float64Array.from({ length: 31 }, (_, s) =>
    heights.reduce((high, height, k) => Math.max(high, 1000 + height * (1 - Math.abs(s - 9 - 10 * k) / 5)), 1000),
  );
const year = { ...blankYear(), max: 7000, floor: 1000 };
const [height, prominence] = [scaled(T.cycleMinHeight), T.cycleMinProminenceShare * 6000];

it('peakMargin is the distance of the weakest counted peak to the limits of a cycle', () => {
  const margin = peakMargin({ ...year, cycles: 2 }, series(6000, 3000), coverage(ALL));
  expect(margin).toBe(Math.min(4000 - height, 3000 - prominence));
});

it('peakMargin is the distance of the strongest uncounted peak to the limits, if that distance is smaller', () =>
  expect(peakMargin({ ...year, cycles: 1 }, series(6000, 2000), coverage(ALL))).toBe(height - 3000));

it('peakMargin is 0 if the peaks give another number of cycles', () =>
  expect(peakMargin({ ...year, cycles: 2 }, series(6000), coverage(ALL))).toBe(0));

it('peakMargin treats two peaks with only a winter between them as one cycle', () => {
  const between = Float64Array.from(series(6000, 5000), (v, s) => (s > 9 && s < 19 ? Math.max(v, 4500) : v));
  expect(peakMargin({ ...year, cycles: 1 }, between, coverage(ALL, [7, 14]))).toBeGreaterThan(0);
  expect(peakMargin({ ...year, cycles: 1 }, between, coverage(ALL))).toBe(0);
});

it('peakMargin is the same with and without known slopes', () => {
  const heights = fc.array(fc.integer({ min: 500, max: 9000 }), { minLength: 31, maxLength: 31 });
  const ends = fc.tuple(fc.integer({ min: 0, max: 6 }), fc.integer({ min: 20, max: 30 }));
  let margins = 0;
  fc.assert(
    fc.property(heights, ends, fc.integer({ min: 0, max: 4 }), (values, [first, last], cycles) => {
      const smooth = Float64Array.from(values);
      const known = { ...coverage(ALL), first, last };
      const margin = peakMargin({ ...year, cycles }, smooth, known);
      expect(peakMargin({ ...year, cycles }, smooth, { ...known, ...slopesOf(smooth, first, last) })).toBe(margin);
      if (margin > 0) margins++;
    }),
    { seed: 41, numRuns: sized(1000, 20_000) },
  );
  expect(margins).toBeGreaterThan(100);
});
