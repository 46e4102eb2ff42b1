import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { halveByMode } from './mode.ts';
import { sized } from '../../../../scripts/test-length.mjs';

/** Returns the value with data that first reaches the highest count, in row order. */
function documentedRule(values: readonly number[], nodata: number | undefined): number {
  const counts = new Map<number, number>();
  let [best, most] = [nodata ?? 0, 0];
  for (const value of values.filter((v) => v !== nodata)) {
    const count = (counts.get(value) ?? 0) + 1;
    counts.set(value, count);
    if (count > most) [best, most] = [value, count];
  }
  return best;
}

const rowPairs = fc.integer({ min: 1, max: 41 }).chain((cols) => {
  const row = fc.array(fc.integer({ min: 0, max: 3 }), { minLength: cols, maxLength: cols });
  return fc.record({
    top: row,
    bottom: row,
    shift: fc.integer({ min: 0, max: 3 }),
    nodata: fc.constantFrom(0, 2, 255, undefined),
  });
});

describe('halveByMode', () => {
  it('follows the documented rule for every width and alignment', () => {
    fc.assert(
      fc.property(rowPairs, ({ top, bottom, shift, nodata }) => {
        const place = (row: readonly number[]): Uint8Array => {
          const shifted = new Uint8Array(row.length + shift).subarray(shift);
          shifted.set(row);
          return shifted;
        };
        const out = new Uint8Array(Math.ceil(top.length / 2));
        halveByMode({ top: place(top), bottom: place(bottom) }, out, nodata);
        const expected = Array.from(out, (_, x) => {
          const columns = 2 * x + 1 < top.length ? [2 * x, 2 * x + 1] : [2 * x];
          return documentedRule([...columns.map((c) => top[c] ?? 0), ...columns.map((c) => bottom[c] ?? 0)], nodata);
        });
        expect([...out]).toEqual(expected);
      }),
      { seed: 20_261_122, numRuns: sized(500, 2000) },
    );
  });

  it('distinguishes high values when it halves four columns at a time', () => {
    const out = new Uint8Array(2);
    halveByMode({ top: Uint8Array.of(255, 254, 200, 200), bottom: Uint8Array.of(254, 255, 0, 255) }, out, 0);
    expect([...out]).toEqual([254, 200]);
  });
});
