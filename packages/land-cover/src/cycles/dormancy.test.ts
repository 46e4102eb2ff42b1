import { INDEX_NODATA } from '@headwater/core/pixel-plan';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { changeInRest, COLD, findWinters, isDormantBetween, winterStrength } from './dormancy.ts';

const FROM = 4;

function series(...points: readonly (readonly [number, number])[]): Float64Array {
  return Float64Array.from({ length: 31 }, (_, i) => {
    const s = i - FROM;
    const next = points.findIndex(([step]) => step >= s);
    const [[x0, y0], [x1, y1]] = [points[Math.max(0, next - 1)] ?? [0, 0], points[Math.max(0, next)] ?? [0, 0]];
    return x1 === x0 ? y1 : y0 + ((y1 - y0) * (s - x0)) / (x1 - x0);
  });
}

const isDormant = (values: Float64Array, peaks: readonly [number, number], hasWinter = true): boolean =>
  isDormantBetween({ values, from: FROM, floor: 2000 }, [peaks[0] + FROM, peaks[1] + FROM], hasWinter ? COLD : null);

it('finds no winter south of 30 degrees north and at an unknown latitude, and a full winter in the north', () => {
  const planes = { pixels: 2, ndvi: new Int16Array(62).fill(3000), from: FROM };
  const at = (...latitudes: readonly number[]) => findWinters(planes, (pixel) => latitudes[pixel] ?? 0);
  for (const latitude of [-38, -13, 17, 29]) expect(at(latitude, latitude)).toBe(false);
  for (const latitude of [41, 52]) expect(at(latitude, latitude)).toBe(true);
  expect(at(Number.NaN, Number.NaN)).toBe(false);
});

it('the strength of the winter increases continuously to the north, by less than 0.006 per 0.02 degrees', () => {
  for (let latitude = 28; latitude < 40; latitude += 0.02) {
    const more = winterStrength(latitude + 0.02) - winterStrength(latitude);
    expect(more).toBeGreaterThanOrEqual(0);
    expect(more).toBeLessThan(0.006);
  }
  expect([winterStrength(30), winterStrength(38)]).toEqual([0, 1]);
});

function change(value: (step: number) => number | null): number {
  const ndvi = Int16Array.from({ length: 31 }, (_, s) => value(s - FROM) ?? INDEX_NODATA);
  return changeInRest({ pixels: 1, ndvi, from: FROM }, 0);
}

it('recognises wheat that grows in the winter months (subtropics), and wheat that rests in these months (north)', () => {
  const growing = change((step) => (step < 8 ? 2000 : Math.min(8000, 2000 + 900 * (step - 8))));
  const resting = change((step) => (step >= 6 && step <= 17 ? 4500 : step < 6 ? 2000 : 8000));
  expect(growing).toBeGreaterThan(0.6);
  expect(resting).toBe(0);
  // One hazy value is no change. With few values, neighbouring months are used too.
  expect(change((step) => (step === 12 ? 500 : step >= 6 && step <= 17 ? 4500 : 8000))).toBe(0);
  expect(change((step) => (step < 7 ? 3000 : step > 16 ? 8000 : null))).toBeCloseTo(0.999, 9);
});

it('a pixel has the same result in every block that contains the pixel', () => {
  const [width, steps] = [24, 31];
  const value = fc.oneof(
    { weight: 4, arbitrary: fc.integer({ min: 500, max: 9000 }) },
    { weight: 1, arbitrary: fc.constant(INDEX_NODATA) },
  );
  const land = fc.array(value, { minLength: width * steps, maxLength: width * steps });
  const south = fc.double({ min: 29, max: 38, noNaN: true });
  const parts = fc.tuple(fc.nat(width - 2), fc.integer({ min: 1, max: width }));
  fc.assert(
    fc.property(land, south, parts, (values, from, [first, count]) => {
      const latitude = (pixel: number): number => from + pixel / 20;
      const pixels = Math.min(count, width - first);
      const whole = findWinters({ pixels: width, ndvi: Int16Array.from(values), from: FROM }, latitude);
      const part = Int16Array.from(
        { length: pixels * steps },
        (_, at) => values[Math.floor(at / pixels) * width + first + (at % pixels)]!,
      );
      const own = findWinters({ pixels, ndvi: part, from: FROM }, (pixel) => latitude(first + pixel));
      const of = (winters: Uint8Array | boolean, pixel: number) =>
        typeof winters === 'boolean' ? winters : winters[pixel] === 1;
      for (let pixel = 0; pixel < pixels; pixel++) expect(of(own, pixel)).toBe(of(whole, first + pixel));
    }),
    { numRuns: 300 },
  );
});

it('counts rape and winter wheat that fade in January as one crop', () => {
  const rape = series([-4, 2000], [4, 2000], [8, 7500], [13, 4000], [19, 8500], [26, 2000]);
  expect(isDormant(rape, [8, 19])).toBe(true);
  expect(isDormant(rape, [8, 19], false)).toBe(false);
});

it('counts a summer crop harvested in autumn and the wheat after it as two crops', () => {
  const two = series([-4, 2000], [1, 2000], [4, 7500], [7, 2500], [12, 2000], [19, 8500], [23, 2000], [26, 2000]);
  expect(isDormant(two, [4, 19])).toBe(false);
});

it('counts two crops in one summer as two crops', () => {
  const summer = series([-4, 2000], [2, 8000], [5, 3000], [7, 7000], [10, 2000], [26, 2000]);
  expect(isDormant(summer, [2, 7])).toBe(false);
});
