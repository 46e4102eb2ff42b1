import { pixelAreasM2 } from '@headwater/core/geo';
import { describe, expect, it } from 'vitest';
import { bodyColumns, categoryOf, geometryOf, namesOfBody, propertiesOf } from './features.ts';
import { findWater } from './find-water.ts';

/**
 * Two years of 4 x 3 pixels. One pixel of a pond of four pixels is unseen in the first year. A separate water pixel is
 * unseen in the second year.
 */
const YEARS = [
  [4, 3, 0, 0, 2, 0, 0, 0, 0, 0, 0, 2],
  [4, 4, 0, 0, 3, 2, 0, 0, 8, 0, 0, 0],
].map((labels) => Uint8Array.from(labels));

const PIXEL = 8.983152841195215e-5;
const gridAt = (north: number) => ({
  crs: 'EPSG:4326',
  west: 77,
  north,
  pixelWidth: PIXEL,
  pixelHeight: PIXEL,
  cols: 4,
  rows: 3,
});

describe('water bodies', () => {
  const { found } = findWater(YEARS, gridAt(0));
  /** Less than 100 m2, because a degree of latitude at the equator is shorter than a degree of longitude. */
  const pixel = pixelAreasM2(gridAt(0))[0] ?? 0;

  it('join all years; each season includes water that remains longer', () => {
    const rounded = found.bodies.map(({ pixels, years }) => ({
      pixels,
      years: years.map((year) => year.map((m2) => Math.round((1e3 * m2) / pixel) / 1e3)),
    }));
    expect(rounded).toEqual([
      {
        pixels: 4,
        years: [
          [3, 2, 1, 1],
          [4, 3, 2, 0],
        ],
      },
      {
        pixels: 1,
        years: [
          [1, 0, 0, 0],
          [0, 0, 0, 1],
        ],
      },
    ]);
  });

  it('have shares of their seen part, unseen areas, a bin and names', () => {
    const [pond, single] = found.bodies;
    if (pond === undefined || single === undefined) throw new Error('no pond');
    const ofPond = propertiesOf(pond, namesOfBody(['12_2', '12_1'], 1), [2017, 2018]);
    expect(ofPond).toMatchObject({
      UID: '12_1_12_2_1',
      MWS_UID: '12_1_12_2',
      category_sq_m: '0-500',
      // All three seen pixels had water, two of them until rabi or longer.
      'k_17-18': expect.closeTo(100, 9),
      'kr_17-18': expect.closeTo(200 / 3, 6),
      'krz_17-18': expect.closeTo(100 / 3, 6),
      'unseen_area_17-18': expect.closeTo(pixel / 10_000, 9),
      'k_18-19': 100,
      'kr_18-19': expect.closeTo(75, 6),
      'krz_18-19': expect.closeTo(50, 6),
      'unseen_area_18-19': 0,
    });
    expect(Object.keys(ofPond)).toEqual(bodyColumns([2017, 2018]).map(({ name }) => name));
    expect(propertiesOf(single, namesOfBody([], 7), [2017, 2018])).toMatchObject({
      UID: '0_7',
      MWS_UID: '',
      'k_17-18': 100,
      'area_18-19': null,
      'k_18-19': null,
      'kr_18-19': null,
      'krz_18-19': null,
      'unseen_area_18-19': expect.closeTo(pixel / 10_000, 9),
    });
  });

  it.each([
    // M dlat x N cos(lat) dlon, with the radii of curvature M and N (Snyder 1987, 4-18 to 4-20).
    [13, 96.8503],
    [33, 83.6375],
  ])('at %d N have the area of their pixels on the ellipsoid', (north, m2) => {
    const [pond] = findWater(YEARS, gridAt(north)).found.bodies;
    if (pond === undefined) throw new Error('no pond');
    const { area_ored: area, 'area_18-19': wet } = propertiesOf(pond, namesOfBody([], 1), [2017, 2018]);
    expect(area).toBeCloseTo((4 * m2) / 10_000, 6);
    expect(wet).toBe(area);
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
