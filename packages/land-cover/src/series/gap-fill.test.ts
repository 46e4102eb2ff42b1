import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createGapFiller, type GapRule } from './gap-fill.ts';
import { INDEX_NODATA } from '@headwater/core/pixel-plan';

const _ = INDEX_NODATA;
const RULE = { steps: 10, core: [2, 8], reach: 2 } as const;

function filled(values: readonly number[], rule: GapRule = RULE): number[] | undefined {
  const column = Int16Array.from([77, ...values, 77]);
  return createGapFiller(rule)(column, 1) ? [...column.subarray(1, -1)] : undefined;
}

describe('createGapFiller', () => {
  it('fills linearly between neighbours and holds the ends', () =>
    expect(filled([_, _, 10, _, 30, _, _, 60, _, _])).toEqual([10, 10, 10, 20, 30, 40, 50, 60, 60, 60]));

  it('leaves a full column alone', () => {
    const full = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
    expect(filled(full)).toEqual(full);
  });

  it('takes only the near neighbour for steps that one side does not reach', () =>
    expect(filled([0, 0, 0, _, _, _, _, 100, 0, 0])).toEqual([0, 0, 0, 0, 0, 100, 100, 100, 0, 0]));

  it('gives up where a core step is out of reach of both sides', () => {
    expect(filled([0, 0, 0, _, _, _, _, _, 100, 0])).toBeUndefined();
    expect(filled([_, _, _, _, _, 5, 5, 5, 5, 5])).toBeUndefined();
    expect(filled([5, 5, 5, 5, 5, _, _, _, _, _])).toBeUndefined();
    expect(filled(Array.from({ length: 10 }, () => _))).toBeUndefined();
  });

  it('holds margins whatever the distance, and does not mind a gap inside them', () => {
    expect(filled([_, _, _, _, 7, 7, 7, 7, _, _])).toEqual([7, 7, 7, 7, 7, 7, 7, 7, 7, 7]);
    expect(
      createGapFiller({ steps: 12, core: [8, 12], reach: 1 })(Int16Array.from([1, _, _, _, _, _, _, 8, 9, 9, 9, 9]), 0),
    ).toBe(true);
  });

  it('is told of the year by the core alone: negative values and 0 are values', () =>
    expect(filled([_, _, 0, _, -20, -20, 0, 0, _, _])).toEqual([0, 0, 0, -10, -20, -20, 0, 0, 0, 0]));

  it('never leaves a hole and never leaves the range of the observations', () => {
    const column = fc.array(fc.oneof(fc.constant(_), fc.integer({ min: -10_000, max: 10_000 })), {
      minLength: 10,
      maxLength: 10,
    });
    fc.assert(
      fc.property(column, (values) => {
        const seen = values.filter((v) => v !== _);
        const out = filled(values, { ...RULE, reach: 7 });
        if (out === undefined) return;
        expect(out.every((v) => v >= Math.min(...seen) && v <= Math.max(...seen))).toBe(true);
        expect(out.map((v, i) => (values[i] === _ ? _ : v))).toEqual(values);
      }),
    );
  });
});
