import { expect, it } from 'vitest';
import { dormancyAt, isDormantBetween } from './dormancy.ts';

const FROM = 4;

/** Values interpolated between points `[core step, value]`, on 31 steps. */
function series(...points: readonly (readonly [number, number])[]): Float64Array {
  return Float64Array.from({ length: 31 }, (_, i) => {
    const s = i - FROM;
    const next = points.findIndex(([step]) => step >= s);
    const [[x0, y0], [x1, y1]] = [points[Math.max(0, next - 1)] ?? [0, 0], points[Math.max(0, next)] ?? [0, 0]];
    return x1 === x0 ? y1 : y0 + ((y1 - y0) * (s - x0)) / (x1 - x0);
  });
}

const isDormant = (values: Float64Array, peaks: readonly [number, number], latitude: number | undefined): boolean =>
  isDormantBetween({ values, from: FROM, floor: 2000 }, [peaks[0] + FROM, peaks[1] + FROM], dormancyAt(latitude));

it('has no winter in the tropics, in the subtropics and at an unknown latitude', () => {
  expect([undefined, NaN, -13, 17, 31, -38].map(dormancyAt)).toEqual(Array(6).fill(null));
  expect(dormancyAt(41)).toEqual(dormancyAt(52));
});

it('counts rape and winter wheat that fade in January as one crop', () => {
  const rape = series([-4, 2000], [4, 2000], [8, 7500], [13, 4000], [19, 8500], [26, 2000]);
  expect(isDormant(rape, [8, 19], 50)).toBe(true);
  expect(isDormant(rape, [8, 19], 20)).toBe(false);
});

it('counts a summer crop harvested in autumn and the wheat after it as two crops', () => {
  const two = series([-4, 2000], [1, 2000], [4, 7500], [7, 2500], [12, 2000], [19, 8500], [23, 2000], [26, 2000]);
  expect(isDormant(two, [4, 19], 41)).toBe(false);
});

it('counts two crops in one summer as two crops', () => {
  const summer = series([-4, 2000], [2, 8000], [5, 3000], [7, 7000], [10, 2000], [26, 2000]);
  expect(isDormant(summer, [2, 7], 41)).toBe(false);
});
