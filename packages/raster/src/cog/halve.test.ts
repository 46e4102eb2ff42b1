import { expect, it } from 'vitest';
import { HALVES } from './halve.ts';

it('the rule `greatest` takes the greatest value with data, so that a line of one pixel stays visible in overviews', () => {
  const top = Uint8Array.of(0, 3, 255, 0, 255, 255, 7);
  const bottom = Uint8Array.of(1, 0, 0, 0, 255, 255, 255);
  const out = new Uint8Array(4);
  HALVES.greatest({ top, bottom }, out, 255);
  expect([...out]).toEqual([3, 0, 255, 7]);
});

it('the rule `greatest` ignores NaN and nodata, and returns nodata (NaN without a nodata value) if no value remains', () => {
  const top = Float32Array.of(NaN, -2, NaN, -9999, NaN);
  const bottom = Float32Array.of(-5, -9999, -9999, NaN, NaN);
  const out = new Float32Array(3);
  HALVES.greatest({ top, bottom }, out, -9999);
  expect([...out]).toEqual([-2, -9999, -9999]);
  HALVES.greatest({ top, bottom }, out, undefined);
  expect([...out]).toEqual([-2, -9999, NaN]);
});

it('the rule `average` computes the mean of float64 values without rounding', () => {
  const out = new Float64Array(1);
  HALVES.average({ top: Float64Array.of(0.25, 0.5), bottom: Float64Array.of(Number.NaN, 0.5) }, out, undefined);
  expect(out[0]).toBeCloseTo(1.25 / 3, 12);
});

it.each([
  [Uint8Array.of(6, 8), 7, 8],
  [Uint16Array.of(65_534, 65_534), 65_535, 65_534],
  [Int16Array.of(-3, -1), -2, -1],
  [Float32Array.of(-1, 1), 0, 2 ** -149],
  [Float64Array.of(1, 3), 2, 2 + 2 ** -51],
])('an average that equals the nodata value becomes an adjacent value: %s', (top, nodata, expected) => {
  const out = top.slice(0, 1);
  HALVES.average({ top, bottom: top }, out, nodata);
  expect(out[0]).toBe(expected);
});
