import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bboxOf, joinBboxes } from './bbox.ts';
import type { GeometryLike } from './types.ts';

const box = (...[west, south, east, north]: readonly [number, number, number, number]): number[][] => [
  [west, south],
  [east, south],
  [east, north],
  [west, north],
  [west, south],
];
const polygons = (...rings: readonly number[][][]): GeometryLike => ({
  type: 'MultiPolygon',
  coordinates: rings.map((ring) => [ring]),
});

describe('bboxOf', () => {
  it('is west, south, east, north of the exterior rings, without heights', () => {
    expect(bboxOf({ type: 'Polygon', coordinates: [box(85, 24, 86, 25), box(0, 0, 1, 1)] })).toEqual([85, 24, 86, 25]);
    expect(bboxOf({ type: 'Point', coordinates: [0, 0, 900] })).toEqual([0, 0, 0, 0]);
  });

  it('crosses the antimeridian only if parts touch both sides of it', () => {
    expect(bboxOf(polygons(box(179, -1, 180, 1), box(-180, -1, -179, 1)))).toEqual([179, -1, -179, 1]);
    expect(bboxOf(polygons(box(170, -1, 171, 1), box(-171, -1, -170, 1)))).toEqual([-171, -1, 171, 1]);
  });

  it('does not go around the globe for positions at 180 and -180 degrees', () => {
    const points = (...coordinates: readonly number[][]): GeometryLike => ({ type: 'MultiPoint', coordinates });
    expect(bboxOf(points([180, 0], [-180, 1]))).toEqual([180, 0, 180, 1]);
    expect(bboxOf(points([180, 0], [-179, 1]))).toEqual([-180, 0, -179, 1]);
    expect(bboxOf(points([179, 0], [-180, 1]))).toEqual([179, 0, 180, 1]);
  });

  it('refuses a geometry without bounds', () => {
    expect(() => bboxOf({ type: 'MultiPoint', coordinates: [] })).toThrow('no positions');
    expect(() => bboxOf({ type: 'Point', coordinates: [1, NaN] })).toThrow('[longitude, latitude]');
  });

  it('contains every position, and touches a position on each side', () => {
    const degrees = (limit: number) => fc.double({ min: -limit, max: limit, noNaN: true });
    fc.assert(
      fc.property(fc.array(fc.tuple(degrees(179), degrees(90)), { minLength: 1 }), (positions) => {
        const [west, south, east, north] = bboxOf({ type: 'LineString', coordinates: positions });
        const [lons, lats] = [positions.map(([lon]) => lon), positions.map(([, lat]) => lat)];
        expect([west, south, east, north]).toEqual([
          Math.min(...lons),
          Math.min(...lats),
          Math.max(...lons),
          Math.max(...lats),
        ]);
      }),
    );
  });
});

describe('joinBboxes', () => {
  it('is the smallest box around all boxes, also across the antimeridian', () => {
    expect(
      joinBboxes([
        [85, 24, 86, 25],
        [84, 24.5, 85.5, 26],
      ]),
    ).toEqual([84, 24, 86, 26]);
    expect(
      joinBboxes([
        [179, -1, -179, 1],
        [-179.5, 0, -178, 2],
      ]),
    ).toEqual([179, -1, -178, 2]);
    expect(() => joinBboxes([])).toThrow('no box');
  });
});
