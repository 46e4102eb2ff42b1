import { describe, expect, it } from 'vitest';
import { LULC_THRESHOLDS as T } from '../method/thresholds.ts';
import { INDEX_NODATA } from '@headwater/core/pixel-plan';
import { MONTH_OF_STEP, voteWater } from './water.ts';

const WET = { mndwi: 5000, ndvi: -2000 };
const DRY = { mndwi: -3000, ndvi: 2500 };
const CLOUD = { mndwi: INDEX_NODATA, ndvi: INDEX_NODATA };
const GREEN = { mndwi: -4000, ndvi: 7000 };

function code(months: readonly { mndwi: number; ndvi: number }[]): number {
  const planes = { mndwi: new Int16Array(T.coreSteps * 3).fill(-3000), ndvi: new Int16Array(31 * 3).fill(2500) };
  MONTH_OF_STEP.forEach((month, step) => {
    const { mndwi, ndvi } = months[month] ?? DRY;
    planes.mndwi[step * 3 + 1] = mndwi;
    planes.ndvi[(step + T.marginSteps) * 3 + 1] = ndvi;
  });
  const codes = new Uint8Array(3);
  voteWater({ pixels: 3, ndviFrom: T.marginSteps, ...planes }, codes);
  expect([codes[0], codes[2]]).toEqual([0, 0]);
  return codes[1] ?? -1;
}

const year = (kharif: object[], rabi: object[] = [], zaid: object[] = []) =>
  [kharif, rabi, zaid].flatMap((s) => Array.from({ length: 4 }, (_, m) => (s[m] ?? DRY) as typeof DRY));

describe('voteWater', () => {
  it('assigns a month to every step, from July to June', () => {
    expect(MONTH_OF_STEP).toHaveLength(23);
    expect(new Set(MONTH_OF_STEP).size).toBe(12);
    expect([MONTH_OF_STEP[0], MONTH_OF_STEP[7], MONTH_OF_STEP[8], MONTH_OF_STEP[22]]).toEqual([0, 3, 4, 11]);
  });

  it('returns the class of the last wet season', () => {
    expect(code(year([]))).toBe(0);
    expect(code(year([WET, WET]))).toBe(2);
    expect(code(year([WET, WET], [WET, WET]))).toBe(3);
    expect(code(year([WET, WET], [WET, WET], [WET, WET]))).toBe(4);
  });

  it('returns the class of a later wet season, with and without a wet kharif', () => {
    expect(code(year([], [WET, WET]))).toBe(3);
    expect(code(year([WET, WET], [], [DRY, WET, WET]))).toBe(4);
  });

  it('needs water in two of the four months of a season', () => expect(code(year([WET, DRY, DRY, DRY]))).toBe(0));

  it('accepts one wet month if it is the only clear month and its index is far above the limit', () => {
    expect(code(year([CLOUD, CLOUD, CLOUD, WET]))).toBe(2);
    expect(code(year([CLOUD, CLOUD, CLOUD, { mndwi: 1000, ndvi: 0 }]))).toBe(0);
  });

  it('does not classify a flooded field as water if it turns green in the same season', () =>
    expect(code(year([WET, WET, GREEN, GREEN]))).toBe(0));

  it('does not classify a field flooded before planting as water, even if it turns green only in the next season', () => {
    expect(code([...year([GREEN, GREEN, DRY, DRY], [], [DRY, DRY, WET, WET])])).toBe(4);
    expect(code([...year([DRY, DRY, WET, WET], [GREEN, GREEN])])).toBe(0);
    expect(code([...year([WET, WET, WET, WET], [GREEN, GREEN])])).toBe(2);
  });

  it('does not classify wet vegetation as water', () =>
    expect(
      code(
        year([
          { mndwi: 1000, ndvi: 3000 },
          { mndwi: 1000, ndvi: 3000 },
        ]),
      ),
    ).toBe(0));
});
