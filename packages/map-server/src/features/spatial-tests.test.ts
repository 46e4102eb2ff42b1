import fc from 'fast-check';
import type { Cql2Geometry } from '@headwater/cql2';
import { describe, expect, it } from 'vitest';
import { ringOf } from './ecql.fixture.ts';
import { boxOfGeometry, type MapFeature } from './feature-table.ts';
import { type SpatialTest, spatialTest } from './spatial-tests.ts';

type Shape = Exclude<Cql2Geometry, { type: 'GeometryCollection' }> & MapFeature['geometry'];
type Square = readonly [west: number, south: number, size: number];
const square = fc.tuple(fc.integer({ min: 0, max: 9 }), fc.integer({ min: 0, max: 9 }), fc.integer({ min: 1, max: 6 }));
const polygon = ([west, south, size]: Square): Shape => ({ type: 'Polygon', coordinates: [ringOf(west, south, size)] });

const passes = (feature: Shape | null, test: SpatialTest): boolean | undefined =>
  spatialTest(test)({ id: 'a.1', geometry: feature, box: boxOfGeometry(feature), properties: {} });

const isIn = ([west, south, size]: Square, [w, s, z]: Square): boolean =>
  w <= west && s <= south && west + size <= w + z && south + size <= s + z;

const frame: Shape = { type: 'Polygon', coordinates: [ringOf(0, 0, 10), ringOf(4, 4, 2).toReversed()] };

describe('WITHIN and CONTAINS', () => {
  it('of squares compare their edges', () => {
    fc.assert(
      fc.property(square, square, (a, b) => {
        const [feature, geometry] = [polygon(a), polygon(b)];
        expect(passes(feature, { op: 'within', geometry: geometry })).toBe(isIn(a, b));
        expect(passes(feature, { op: 'contains', geometry: geometry })).toBe(isIn(b, a));
      }),
      { numRuns: 300 },
    );
  });

  it.each<[string, Shape, boolean]>([
    ['a square next to the hole', polygon([1, 1, 2]), true],
    ['a square at the border of the hole', polygon([2, 4, 2]), true],
    ['a square over the hole', polygon([3, 3, 4]), false],
    ['the hole itself', polygon([4, 4, 2]), false],
    ['the frame itself', frame, true],
    ['a line around the hole', { type: 'LineString', coordinates: ringOf(3, 3, 4) }, true],
    [
      'a line through the hole',
      {
        type: 'LineString',
        coordinates: [
          [1, 5],
          [9, 5],
        ],
      },
      false,
    ],
    [
      'a line along the border of the hole',
      {
        type: 'LineString',
        coordinates: [
          [1, 4],
          [9, 4],
        ],
      },
      true,
    ],
    ['a point in the hole', { type: 'Point', coordinates: [5, 5] }, false],
    ['a point on the border', { type: 'Point', coordinates: [0, 5] }, false],
    [
      'a line on the border',
      {
        type: 'LineString',
        coordinates: [
          [0, 2],
          [0, 8],
        ],
      },
      false,
    ],
    [
      'points on the border and inside',
      {
        type: 'MultiPoint',
        coordinates: [
          [0, 5],
          [1, 1],
        ],
      },
      true,
    ],
    [
      'points outside and inside',
      {
        type: 'MultiPoint',
        coordinates: [
          [1, 1],
          [11, 1],
        ],
      },
      false,
    ],
  ])('of a frame with a hole: %s', (_name, geometry, expected) => {
    expect(passes(frame, { op: 'contains', geometry: geometry })).toBe(expected);
    expect(passes(geometry, { op: 'within', geometry: frame })).toBe(expected);
  });

  it('a hole that another polygon fills is part of the geometry', () => {
    const filled: Shape = {
      type: 'MultiPolygon',
      coordinates: [[ringOf(0, 0, 10), ringOf(4, 4, 2).toReversed()], [ringOf(4, 4, 2)]],
    };
    expect(passes(polygon([3, 3, 4]), { op: 'within', geometry: filled })).toBe(true);
  });

  it('a polygon with a slanted side on the border of a larger polygon is within the larger polygon', () => {
    const [a, b] = [
      [85.123_456_7, 24.765_432_1],
      [85.345_678_9, 24.987_654_3],
    ] as const;
    const cut = [a[0] + (b[0] - a[0]) / 3, a[1] + (b[1] - a[1]) / 3] as const;
    const outer: Shape = { type: 'Polygon', coordinates: [[[...a], [...b], [85.5, 24.2], [...a]]] };
    const inner: Shape = { type: 'Polygon', coordinates: [[[...a], [...cut], [85.3, 24.6], [...a]]] };
    expect(passes(inner, { op: 'within', geometry: outer })).toBe(true);
    expect(passes(outer, { op: 'within', geometry: inner })).toBe(false);
  });

  it('is unknown without a geometry', () => {
    expect(passes(null, { op: 'within', geometry: frame })).toBeUndefined();
  });
});

describe('DWITHIN', () => {
  const DEGREE = (6_371_008.8 * Math.PI) / 180;

  it('compares distances between the nearest edges of two squares on the equator', () => {
    fc.assert(
      fc.property(square, square, ([aw, as, az], [bw, bs, bz]) => {
        // The squares are so close to the equator that a degree of longitude is as long as at the equator.
        const small = ([west, south, size]: Square): Shape => ({
          type: 'Polygon',
          coordinates: [ringOf(west, south, size).map((position) => position.map((value) => value / 1000))],
        });
        const gap = (a: number, b: number): number => Math.max(0, b - a - az, a - b - bz);
        const metres = (Math.hypot(gap(aw, bw), gap(as, bs)) / 1000) * DEGREE;
        const geometry = small([bw, bs, bz]);
        expect(passes(small([aw, as, az]), { op: 'dwithin', geometry, metres: metres * 1.001 + 0.001 })).toBe(true);
        if (metres > 0)
          expect(passes(small([aw, as, az]), { op: 'dwithin', geometry, metres: metres * 0.999 })).toBe(false);
      }),
      { numRuns: 300 },
    );
  });

  it('uses shorter degrees of longitude at higher latitudes', () => {
    const at = (x: number): Shape => ({ type: 'Point', coordinates: [x, 60] });
    const half = DEGREE / 2;
    expect(passes(at(0), { op: 'dwithin', geometry: at(1), metres: half * 1.01 })).toBe(true);
    expect(passes(at(0), { op: 'dwithin', geometry: at(1), metres: half * 0.99 })).toBe(false);
  });
});
