import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createWhittaker } from './whittaker.ts';

const STEPS = 31;
const STIFFNESS = 0.4;
const bitsOf = (seen: readonly boolean[]): number => seen.reduce((bits, is, s) => (is ? bits | (1 << s) : bits), 0);

type Column = readonly (number | null)[];

function together(columns: readonly Column[], stiffness = STIFFNESS): number[][] {
  const steps = columns[0]?.length ?? 0;
  const out = new Float64Array(columns.length * steps).fill(-1);
  const width = columns.length;
  const values = Int16Array.from(
    { length: steps * width },
    (_, at) => columns[at % width]?.[Math.floor(at / width)] ?? -32_768,
  );
  const seen = Int32Array.from(columns, (column) => bitsOf(column.map((v) => v !== null)));
  createWhittaker({ steps, width, stiffness })({ values, seen, count: columns.length }, out);
  return columns.map((_, i) => [...out.subarray(i * steps, (i + 1) * steps)]);
}

const smoothed = (values: Column, stiffness = STIFFNESS): number[] => together([values], stiffness)[0] ?? [];

/** Solves (W + stiffness D'D) z = W y by Gaussian elimination. */
function naive(values: readonly (number | null)[], stiffness: number): number[] {
  const first = values.findIndex((v) => v !== null);
  const last = values.findLastIndex((v) => v !== null);
  const inner = values.slice(first, last + 1);
  const n = inner.length;
  const m = inner.map((v, i) => inner.map((_, j): number => (i === j && v !== null ? 1 : 0)));
  for (let k = 0; k + 2 < n; k++)
    [1, -2, 1].forEach((a, i) => [1, -2, 1].forEach((b, j) => (m[k + i]![k + j]! += stiffness * a * b)));
  const y = inner.map((v): number => v ?? 0);
  for (let k = 0; k < n; k++)
    for (let i = k + 1; i < n; i++) {
      const share = m[i]![k]! / m[k]![k]!;
      for (let j = k; j < n; j++) m[i]![j]! -= share * m[k]![j]!;
      y[i]! -= share * y[k]!;
    }
  for (let k = n - 1; k >= 0; k--) {
    for (let j = k + 1; j < n; j++) y[k]! -= m[k]![j]! * y[j]!;
    y[k]! /= m[k]![k]!;
  }
  const [low, high] = [Math.min(...inner.filter((v) => v !== null)), Math.max(...inner.filter((v) => v !== null))];
  const kept = y.map((z) => Math.min(high, Math.max(low, z)));
  return values.map((_, s) => kept[Math.min(n - 1, Math.max(0, s - first))]!);
}

const series = fc
  .array(fc.option(fc.integer({ min: -2000, max: 9000 }), { freq: 2 }), { minLength: STEPS, maxLength: STEPS })
  .filter((values) => values.filter((v) => v !== null).length >= 3);

describe('createWhittaker', () => {
  it('equals its definition for any gaps', () =>
    fc.assert(
      fc.property(series, fc.constantFrom(0.1, 0.4, 2), (values, stiffness) => {
        const expected = naive(values, stiffness);
        smoothed(values, stiffness).forEach((z, s) => expect(z).toBeCloseTo(expected[s]!, 4));
      }),
    ));

  it('keeps a straight line, with and without gaps', () => {
    const line = Array.from({ length: 12 }, (_, s) => 1000 + 100 * s);
    smoothed(line.map((v, s) => (s > 2 && s < 9 ? null : v))).forEach((z, s) => expect(z).toBeCloseTo(line[s]!, 6));
  });

  it('fills a gap at a hidden peak with the slopes of both sides, within the range of observed values', () => {
    const z = smoothed([2000, 2000, 3500, 5500, null, null, null, 5500, 3500, 2000, 2000]);
    expect(z[5]).toBe(5500);
    expect(smoothed([2000, 2000, 3500, 5500, 7000, null, null, 5500, 3500, 2000, 2000])[5]).toBeGreaterThan(6700);
  });

  it('repeats the first and last value at the ends; columns with one or two values are not smoothed', () => {
    expect(smoothed([null, null, 3000, 3000, 3000, null])).toEqual(
      Array.from({ length: 6 }, () => expect.closeTo(3000, 6)),
    );
    expect(smoothed([null, 10, null, null])).toEqual([10, 10, 10, 10]);
    expect(smoothed([null, 10, 20, null])).toEqual([10, 10, 20, 20]);
  });

  it('returns the same result for a column alone and for a column among others with equal or different gaps', () => {
    const noise = fc.array(fc.integer({ min: -500, max: 500 }), { minLength: STEPS, maxLength: STEPS });
    fc.assert(
      fc.property(fc.array(fc.tuple(series, noise), { minLength: 1, maxLength: 5 }), (drawn) => {
        const columns = drawn.flatMap(([values, more]) => [
          values,
          values.map((v, s) => (v === null ? v : v + (more[s] ?? 0))),
        ]);
        expect(together(columns)).toEqual(columns.map((column) => smoothed(column)));
      }),
    );
  });

  it('writes no output for a column without values', () =>
    expect(
      together([
        [null, null, null],
        [1, 1, 1],
      ]),
    ).toEqual([[-1, -1, -1], [1, 1, 1].map((v): unknown => expect.closeTo(v, 9))]));
});
