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

it('the expected seconds follow the speed of the newest run of the layer, also if that run was smaller', () => {
  const quarter = secondsOfPixels({ decodedPixels: WORK.decodedPixels / 4, gridPixels: WORK.gridPixels / 4 });
  expect(expectedSeconds(WORK, then(quarter), 1)).toBeCloseTo(secondsOfPixels(WORK));
  expect(expectedSeconds(WORK, then(3 * quarter), 1)).toBeCloseTo(3 * secondsOfPixels(WORK));
  // The time of a start does not depend on the area. So a run over four times the area takes less than four times as
  // long.
  expect(expectedSeconds(WORK, then(quarter), 1)).toBeLessThan(4 * quarter);
});

it('the expected seconds are those of two idle cores if the pixels or the seconds of the newest run are unknown', () => {
  expect(expectedSeconds(WORK, undefined, 1)).toBe(secondsOfPixels(WORK));
  expect(expectedSeconds(WORK, { ...then(10), decodedPixels: undefined }, 1)).toBe(secondsOfPixels(WORK));
  expect(expectedSeconds(WORK, { ...then(10), km2: 0, seconds: Number.NaN }, 1)).toBe(secondsOfPixels(WORK));
});

it('the expected seconds contain the time of a start once for each run of a request', () => {
  expect(expectedSeconds(WORK, undefined, 3) - expectedSeconds(WORK, undefined, 1)).toBeCloseTo(
    2 * secondsOfPixels({ decodedPixels: 0, gridPixels: 0 }),
  );
});
