import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fallsBare, readCoverage, type SeriesCoverage } from './hidden-rise.ts';

const [STEPS, FROM, CORE, KHARIF, GAP] = [31, 4, 23, 8, 3];

function coverageOf(seen: readonly boolean[]): Omit<SeriesCoverage, 'steps' | 'from' | 'cold' | 'seen'> {
  const coverage = { steps: STEPS, from: FROM, cold: null, seen: 0, first: 0, last: 0, clear: 0, afterGap: 0 };
  readCoverage(
    seen.reduce((bits, isSeen, s) => (isSeen ? bits : bits | (1 << s)), 0),
    coverage,
  );
  const { steps: _, from: __, cold: ____, seen: ___, ...rest } = coverage;
  return rest;
}

/** `readCoverage` by its definition, step by step. */
function naive(seen: readonly boolean[]): Omit<SeriesCoverage, 'steps' | 'from' | 'cold' | 'seen'> {
  const core = seen.slice(FROM, FROM + CORE);
  const isAfterGap = core.map((isSeen, s) => isSeen && s >= GAP && core.slice(s - GAP, s).every((before) => !before));
  const last = isAfterGap.slice(0, KHARIF + 1).lastIndexOf(true);
  return {
    first: seen.indexOf(true),
    last: seen.lastIndexOf(true),
    clear: core.filter(Boolean).length,
    afterGap: last < 0 ? -1 : last + FROM,
  };
}

describe('readCoverage', () => {
  it('equals the definition for random gaps', () => {
    const anyGaps = fc.array(fc.boolean(), { minLength: STEPS, maxLength: STEPS });
    fc.assert(
      fc.property(anyGaps, (seen) => {
        expect(coverageOf(seen)).toEqual(naive(seen));
      }),
      { numRuns: 1000 },
    );
  });

  it('handles a series without observations, and a series without gaps', () => {
    const all = (value: boolean): boolean[] => Array.from({ length: STEPS }, () => value);
    expect(coverageOf(all(false))).toEqual({ first: -1, last: -1, clear: 0, afterGap: -1 });
    expect(coverageOf(all(true))).toEqual({ first: 0, last: 30, clear: 23, afterGap: -1 });
  });

  it('counts a gap only from the first core step on', () => {
    const from = (step: number): boolean[] => Array.from({ length: STEPS }, (_, s) => s >= step);
    expect([4, 5, 6, 7, 12, 13].map((step) => coverageOf(from(step)).afterGap)).toEqual([-1, -1, -1, 7, 12, -1]);
  });
});

describe('fallsBare', () => {
  it('is true only for an observed fall that is as large as a harvest, ends at bare ground, and is not interrupted by a rise', () => {
    const falls = (values: readonly number[], last = values.length - 1): boolean =>
      fallsBare(Int16Array.from(values), 0, last);
    expect(falls([5000, 3500, 2400, 2000])).toBe(true);
    expect(falls([3300, 2900, 2600, 2300])).toBe(false);
    expect(falls([5000, 5200, 2400, 2000])).toBe(false);
    expect(falls([5000, 4500, 4000, 3000])).toBe(false);
    expect(falls([5000, 3500, 2400, 2000], 1)).toBe(false);
  });
});
