import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findPeaks, type PeakRule } from './peaks.ts';
import { slopesOf } from './slopes.fixture.ts';
import { sized } from '../../../../scripts/test-length.mjs';

const RULE: PeakRule = { height: 0.35, prominence: 0.15 };

const CLOSED = { openStart: false, openEnd: false };

function peaksOf(series: readonly number[], rule = RULE, ends = CLOSED): number[] {
  const found = new Uint8Array(32);
  // Higher values outside of the series reveal reads beyond its ends.
  const values = Float64Array.from([9, ...series, 9]);
  const [first, last] = [1, series.length];
  const find = (slopes: { rises: number; falls: number }): number[] => {
    const count = findPeaks({ values, first, last, ...ends, ...slopes }, rule, found);
    return [...found.subarray(0, count)].map((step) => step - 1);
  };
  const peaks = find({ rises: 0, falls: 0 });
  expect(find(slopesOf(values, first, last)), 'with known slopes').toEqual(peaks);
  return peaks;
}

/** `scipy.signal.find_peaks` by its definition. */
function naive(x: readonly number[], rule: PeakRule): number[] {
  const at = (i: number): number => x[i] ?? Number.NaN;
  const found: number[] = [];
  for (let i = 1; i < x.length - 1; i++) {
    let j = i;
    while (j < x.length - 1 && at(j + 1) === at(i)) j++;
    if (j === x.length - 1 || at(i - 1) >= at(i) || at(j + 1) >= at(i)) continue;
    const peak = Math.floor((i + j) / 2);
    const lowest = (from: number, step: number): number => {
      let low = at(peak);
      for (let k = from; k >= 0 && k < x.length && at(k) <= at(peak); k += step) low = Math.min(low, at(k));
      return low;
    };
    if (at(peak) >= rule.height && at(peak) - Math.max(lowest(peak, -1), lowest(peak, 1)) >= rule.prominence)
      found.push(peak);
  }
  return found;
}

describe('findPeaks', () => {
  // SciPy returns these peaks: find_peaks(x, height=0.35, prominence=0.15).
  it.each([
    [
      [
        0.2, 0.37, 0.47, 0.53, 0.58, 0.51, 0.47, 0.4, 0.2, 0.35, 0.53, 0.6, 0.6, 0.51, 0.45, 0.35, 0.18, 0.37, 0.42,
        0.52, 0.5, 0.53, 0.37, 0.3, 0.28, 0.41, 0.41, 0.57, 0.59, 0.53, 0.34,
      ],
      [4, 11, 21, 28],
    ],
    [
      [
        0.25, 0.27, 0.37, 0.34, 0.48, 0.43, 0.45, 0.57, 0.55, 0.61, 0.7, 0.7, 0.7, 0.7, 0.45, 0.35, 0.28, 0.26, 0.28,
        0.27, 0.39, 0.45, 0.45, 0.56, 0.53, 0.64, 0.61, 0.6, 0.54, 0.53, 0.39,
      ],
      [11, 25],
    ],
    [
      [
        0.19, 0.18, 0.27, 0.44, 0.37, 0.39, 0.5, 0.59, 0.48, 0.56, 0.64, 0.64, 0.64, 0.64, 0.59, 0.53, 0.56, 0.48, 0.46,
        0.37, 0.32, 0.4, 0.26, 0.24, 0.22, 0.25, 0.3, 0.41, 0.41, 0.46, 0.5,
      ],
      [11],
    ],
  ])('finds the same peaks as SciPy', (series, peaks) => expect(peaksOf(series)).toEqual(peaks));

  it('finds no peak at an end or in a monotonic series', () => {
    expect(peaksOf([0.9, 0.5, 0.1])).toEqual([]);
    expect(peaksOf([0.1, 0.5, 0.9])).toEqual([]);
    expect(peaksOf([0.5, 0.5, 0.5, 0.5])).toEqual([]);
  });

  it('returns the middle of a plateau, rounded down', () =>
    expect(peaksOf([0.1, 0.6, 0.6, 0.6, 0.6, 0.1])).toEqual([2]));

  it('assumes an unobserved rise before an open start, and an unobserved fall after an open end', () => {
    const [start, end] = [
      { openStart: true, openEnd: false },
      { openStart: false, openEnd: true },
    ];
    expect(peaksOf([0.9, 0.5, 0.1], RULE, start)).toEqual([0]);
    expect(peaksOf([0.1, 0.5, 0.9], RULE, end)).toEqual([2]);
    expect(peaksOf([0.8, 0.9, 0.5, 0.1])).toEqual([]);
    expect(peaksOf([0.8, 0.9, 0.5, 0.1], RULE, start)).toEqual([1]);
    expect(peaksOf([0.1, 0.5, 0.9, 0.8], RULE, end)).toEqual([2]);
    expect(peaksOf([0.9, 0.5, 0.1], RULE, end)).toEqual([]);
    expect(peaksOf([0.5, 0.5, 0.5], RULE, { openStart: true, openEnd: true })).toEqual([1]);
  });

  it('finds the same peaks with and without known slopes, with open ends too', () => {
    const series = fc.array(fc.integer({ min: 0, max: 100 }), { minLength: 1, maxLength: 29 });
    const ends = fc.record({ openStart: fc.boolean(), openEnd: fc.boolean() });
    fc.assert(
      fc.property(series, ends, (x, each) => void peaksOf(x, { height: 20, prominence: 15 }, each)),
      { seed: 20_261_130, numRuns: sized(1000, 20_000) },
    );
  });

  it.each([9, 1e6])('equals the definition for random series of values up to %d', (max) => {
    const series = fc.array(fc.integer({ min: 0, max }), { minLength: 3, maxLength: 29 });
    const rule = fc.record({
      height: fc.integer({ min: 0, max }),
      prominence: fc.integer({ min: 1, max: Math.ceil(max / 2) }),
    });
    const equal = fc.property(series, rule, (x, r) => {
      expect(peaksOf(x, r)).toEqual(naive(x, r));
    });
    fc.assert(equal, { seed: 20_261_122, numRuns: sized(500, 2000) });
  });
});
