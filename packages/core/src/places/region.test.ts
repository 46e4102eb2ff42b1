import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sphericalAreaHa } from '../geo/spherical-area.ts';
import { boxPolygon } from '../geo/outlines.ts';
import { checkedRegion, regionKm2, regionPlace } from './region.ts';

describe('checkedRegion', () => {
  it('rounds to six decimal places, and writes -0 as 0', () => {
    expect(checkedRegion([-0.0000001, 23.1234567, 0.5, 23.2])).toEqual([0, 23.123457, 0.5, 23.2]);
    expect(Object.is(checkedRegion([-0, 10, 0.1, 10.1])[0], 0)).toBe(true);
  });

  it.each<[string, number[], string]>([
    ['three numbers', [75, 23, 76], 'four numbers'],
    ['five numbers', [75, 23, 76, 24, 1], 'four numbers'],
    ['NaN as a side', [75, 23, NaN, 24], 'four numbers'],
    ['an infinite side', [75, 23, Infinity, 24], 'four numbers'],
    ['a longitude above 180', [181, 23, 182, 24], 'west is 181'],
    ['a latitude above 90', [75, 23, 76, 91], 'north is 91'],
    ['a latitude without UTM zone', [75, -81, 76, -79.9], 'south is -81'],
    ['a tehsil of India as latitude, longitude', [23, 75, 23.1, 75.1], 'latitude and longitude exchanged: the order'],
    [
      'a tehsil of India as latitude, longitude with exchanged corners',
      [23.1, 75.1, 23, 75],
      'send [75.1, 23.1, 75, 23]',
    ],
    ['another country as latitude, longitude', [40, -100.1, 40.1, -100], 'send [-100.1, 40, -100, 40.1]'],
    ['east before west', [76, 23, 75, 24], 'antimeridian'],
    [
      'a region across the antimeridian',
      [179.9, -16, -179.9, -15.9],
      'send a region that crosses the antimeridian as two',
    ],
    ['north before south', [75, 24, 76, 23], 'south (24) is north of north (23)'],
    ['a line', [75, 23, 75, 24], 'has no area'],
    ['a line after rounding', [75, 23, 75.0000001, 24], 'has no area'],
    ['less than a hundred pixels', [75, 23, 75.0005, 23.0005], 'the minimum is 10000 m2'],
    ['a side that is too long', [70, 0, 75.1, 0.01], 'has a side of 5.1 degrees'],
    ['an area that is too large', [75, 23, 77, 25], 'the maximum is 40000 km2'],
  ])('refuses %s', (_, corners, message) => {
    expect(() => checkedRegion(corners)).toThrow(message);
    expect(() => checkedRegion(corners)).toThrow(
      expect.objectContaining({ code: 'validation', fields: { region: expect.anything() } }),
    );
  });

  it('accepts a region of the maximum area, and refuses a larger region', () => {
    const km2 = regionKm2([75, 23, 75.5, 23.5]);
    expect(checkedRegion([75, 23, 75.5, 23.5], { maxKm2: km2 })).toEqual([75, 23, 75.5, 23.5]);
    expect(() => checkedRegion([75, 23, 75.5, 23.5], { maxKm2: km2 - 0.001 })).toThrow('km2');
  });
});

describe('regionKm2', () => {
  it('is the area of the box with its parallels as edges, which is nearly the area with great circles as edges', () => {
    const box = [75, 23, 75.2, 23.2] as const;
    expect(regionKm2(box)).toBeCloseTo(sphericalAreaHa(boxPolygon(box)) / 100, 1);
  });
});

describe('regionPlace', () => {
  it('has a name with 16 hex digits below regions/custom, so it never has the name of a tehsil', async () => {
    const { place, slugs, mws, region } = await regionPlace(checkedRegion([75.5, 23.2, 75.54, 23.24]));
    expect([slugs.state, slugs.district]).toEqual(['regions', 'custom']);
    expect(slugs.block).toMatch(/^region_[0-9a-f]{16}$/);
    expect(place.tehsil.name).toBe(slugs.block);
    expect(mws).toEqual([]);
    expect(region).toEqual([75.5, 23.2, 75.54, 23.24]);
  });

  it('is the same place for all coordinates that round to one region, and another place for another region', async () => {
    const nameOf = async (corners: readonly number[]) => (await regionPlace(checkedRegion(corners))).place.tehsil.name;
    const whole = fc.integer({ min: -67_000_000, max: 67_000_000 });
    await fc.assert(
      fc.asyncProperty(whole, whole, fc.double({ min: -4e-7, max: 4e-7, noNaN: true }), async (lon, lat, less) => {
        const box = [lon / 1e6, lat / 1e6, lon / 1e6 + 0.01, lat / 1e6 + 0.01] as const;
        const name = await nameOf(box);
        expect(await nameOf(box.map((corner) => corner + less))).toBe(name);
        expect(await nameOf([box[0], box[1], box[2] + 0.000_002, box[3]])).not.toBe(name);
      }),
    );
  });
});
