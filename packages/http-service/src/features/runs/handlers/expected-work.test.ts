import { expect, it } from 'vitest';
import { expectedSeconds, secondsOfPixels } from './expected-work.ts';

const WORK = { decodedPixels: 4e9, gridPixels: 8e6 };
const then = (took: number) => ({
  took,
  seconds: 4 * took,
  decodedPixels: WORK.decodedPixels / 4,
  km2: 100,
  years: 1,
  scenes: 20,
  bytes: undefined,
});

it('the seconds of a run follow the speed of the newest run, also if that run was smaller', () => {
  const quarter = secondsOfPixels({ decodedPixels: WORK.decodedPixels / 4, gridPixels: WORK.gridPixels / 4 });
  expect(expectedSeconds(WORK, then(quarter), 1)).toBeCloseTo(secondsOfPixels(WORK));
  expect(expectedSeconds(WORK, then(3 * quarter), 1)).toBeCloseTo(3 * secondsOfPixels(WORK));
  // The time of a start does not depend on the area. So a run over four times the area takes less than four times as
  // long.
  expect(expectedSeconds(WORK, then(quarter), 1)).toBeLessThan(4 * quarter);
});

it('if no run counted its pixels, the seconds are the time of two idle cores', () => {
  expect(expectedSeconds(WORK, undefined, 1)).toBe(secondsOfPixels(WORK));
  expect(expectedSeconds(WORK, { ...then(10), decodedPixels: undefined }, 1)).toBe(secondsOfPixels(WORK));
  expect(expectedSeconds(WORK, { ...then(10), km2: 0, seconds: Number.NaN }, 1)).toBe(secondsOfPixels(WORK));
});

it('the time of a start is counted for each run of an area', () => {
  expect(expectedSeconds(WORK, undefined, 3) - expectedSeconds(WORK, undefined, 1)).toBeCloseTo(
    2 * secondsOfPixels({ decodedPixels: 0, gridPixels: 0 }),
  );
});
