import { INDEX_NODATA } from '@headwater/core/pixel-plan';
import { describe, expect, it } from 'vitest';
import { blankYear, clean, summarise } from './year-stats.ts';

const _ = INDEX_NODATA;

/** Returns the steps that `clean` keeps. The column is surrounded by other columns, as in a tile. */
function kept(...values: readonly number[]): number[] {
  const column = Int16Array.from([77, 77, ...values, 77]);
  const seen = values.reduce((bits, v, s) => (v === _ ? bits : bits | (1 << s)), 0);
  const bits = clean({ values: column, width: 1 }, 2, seen);
  return values.flatMap((_v, s) => (((bits >>> s) & 1) === 1 ? [s] : []));
}

describe('clean', () => {
  it('keeps values that rise and fall', () => expect(kept(2000, 5000, 8000, 4000, 2000)).toEqual([0, 1, 2, 3, 4]));

  it('leaves out single steps far below both neighbours, even if one neighbour is a step farther away', () => {
    expect(kept(7000, 4000, 7000)).toEqual([0, 2]);
    expect(kept(7000, 4000, _, 7000)).toEqual([0, 3]);
    expect(kept(7000, _, 4000, _, 7000)).toEqual([0, 2, 4]);
  });

  it('leaves out a deep notch between similar neighbours, and keeps all other notches', () => {
    expect(kept(7000, 5700, 7100)).toEqual([0, 2]);
    expect(kept(7000, 4100, 5400)).toEqual([0, 1, 2]);
    expect(kept(7000, 5900, 7100)).toEqual([0, 1, 2]);
  });

  it('keeps the low values between two crops, and low values at either end', () => {
    expect(kept(8000, 3500, 3000, 8000)).toEqual([0, 1, 2, 3]);
    expect(kept(6700, 2100, 4000, 6300)).toEqual([0, 1, 2, 3]);
    expect(kept(2000, 7000, 7000, 2000)).toEqual([0, 1, 2, 3]);
  });

  it('leaves out values below the NDVI of soil, but only if plants grow on the pixel', () => {
    expect(kept(6000, -200, 100, 3000, 6500)).toEqual([0, 3, 4]);
    expect(kept(1000, -200, 100, 1200)).toEqual([0, 1, 2, 3]);
  });

  it('returns nothing for a column without values', () => expect(kept(_, _)).toEqual([]));
});

describe('summarise', () => {
  it('computes the lowest, third lowest and highest value without the margins', () => {
    const values = Float64Array.from({ length: 31 }, (_v, s) => (s < 4 || s > 26 ? 9999 : 3000 + 100 * s));
    values[10] = 500;
    values[15] = 1000;
    values[20] = 800;
    values[25] = 8000;
    const year = blankYear();
    summarise(values, { from: 4, cold: null }, year);
    expect(year).toMatchObject({ min: 500, floor: 1000, max: 8000, maxStep: 21 });
  });

  it('uses the second lowest value outside of the cold months as the floor of a pixel with a winter', () => {
    const values = Float64Array.from({ length: 31 }, (_v, s) => (s >= 12 && s <= 20 ? 600 : 5000 + 10 * s));
    const year = blankYear();
    summarise(values, { from: 4, cold: [8, 16] }, year);
    expect(year).toMatchObject({ min: 5040, floor: 5050, max: 5260 });
    summarise(values, { from: 4, cold: null }, year);
    expect(year).toMatchObject({ min: 600, floor: 600 });
  });
});
