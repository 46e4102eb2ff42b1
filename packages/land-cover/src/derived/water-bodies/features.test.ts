import { describe, expect, it } from 'vitest';
import { categoryOf, geometryOf, namesOfBody, propertiesOf } from './features.ts';
import { findWater } from './find-water.ts';

/** Two years of 4 x 3 pixels: a pond of five pixels that shrinks, and a separate pixel that is wet in one year. */
const YEARS = [
  [4, 3, 0, 0, 2, 6, 0, 0, 0, 0, 0, 2],
  [4, 4, 0, 0, 3, 2, 0, 0, 8, 0, 0, 0],
].map((labels) => Uint8Array.from(labels));

describe('water bodies', () => {
  const { found } = findWater(YEARS, { cols: 4, rows: 3 });

  it('join all years and count seasons cumulatively', () =>
    expect(found.bodies.map(({ pixels, years }) => ({ pixels, years }))).toEqual([
      {
        pixels: 4,
        years: [
          [3, 2, 1],
          [4, 3, 2],
        ],
      },
      {
        pixels: 1,
        years: [
          [1, 0, 0],
          [0, 0, 0],
        ],
      },
    ]));

  it('have an area of 100 m2 per pixel, shares of it, a bin and names', () => {
    const [pond] = found.bodies;
    if (pond === undefined) throw new Error('no pond');
    expect(propertiesOf(pond, namesOfBody(['12_2', '12_1'], 1), [2017, 2018])).toEqual({
      UID: '12_1_12_2_1',
      MWS_UID: '12_1_12_2',
      area_ored: 0.04,
      category_sq_m: '0-500',
      'area_17-18': 0.03,
      'k_17-18': 75,
      'kr_17-18': 50,
      'krz_17-18': 25,
      'area_18-19': 0.04,
      'k_18-19': 100,
      'kr_18-19': 75,
      'krz_18-19': 50,
    });
    expect(namesOfBody([], 7)).toEqual({ mwsUid: '', uid: '0_7' });
  });

  it.each([
    [100, '0-500'],
    [499, '0-500'],
    [500, '500-1000'],
    [1000, '1000-5000'],
    [4900, '1000-5000'],
    [5000, '5000 and above'],
  ])('of %d m2 are in the bin %s', (m2, bin) => expect(categoryOf(m2)).toBe(bin));

  it('have the position of their pixels, with counter-clockwise rings', () => {
    const grid = { crs: 'EPSG:4326', west: 77, north: 18, pixelWidth: 0.5, pixelHeight: 0.25, cols: 4, rows: 3 };
    const single = found.bodies[1];
    if (single === undefined) throw new Error('no single pixel');
    expect(geometryOf(single, grid).coordinates).toEqual([
      [
        [
          [79, 17.25],
          [79, 17.5],
          [78.5, 17.5],
          [78.5, 17.25],
          [79, 17.25],
        ],
      ],
    ]);
  });
});
