import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bboxOf } from './bbox.ts';
import { isClosed, normalizeGeometry, signedArea } from './rings.ts';
import type { GeometryLike } from './types.ts';

const OPEN_CLOCKWISE = [
  [0, 0],
  [0, 2],
  [2, 2],
  [2, 0],
];

describe('normalizeGeometry', () => {
  it('closes rings, turns exteriors counter-clockwise and holes clockwise, and changes nothing in its input', () => {
    const hole = [
      [0.5, 0.5],
      [1, 0.5],
      [1, 1],
      [0.5, 0.5],
    ];
    const input = { type: 'Polygon', coordinates: [OPEN_CLOCKWISE, hole] } as const;
    const before = structuredClone(input);
    const normalized = normalizeGeometry(input);
    expect(normalized).toEqual({
      type: 'Polygon',
      coordinates: [
        [
          [0, 0],
          [2, 0],
          [2, 2],
          [0, 2],
          [0, 0],
        ],
        hole.toReversed(),
      ],
    });
    expect(input).toEqual(before);
  });

  it.each<[string, GeometryLike]>([
    ['axis order', { type: 'Point', coordinates: [24, 93] }],
    ['in degrees', { type: 'Point', coordinates: [NaN, 0] }],
    ['in degrees', { type: 'Point', coordinates: [7] }],
    ['two positions', { type: 'LineString', coordinates: [[1, 1]] }],
    ['it is empty', { type: 'MultiPolygon', coordinates: [] }],
    ['it is empty', { type: 'MultiPolygon', coordinates: [[]] }],
    [
      'encloses no area',
      {
        type: 'Polygon',
        coordinates: [
          [
            [0, 0],
            [1, 1],
            [2, 2],
            [0, 0],
          ],
        ],
      },
    ],
  ])('refuses, with "%s": %j', (message, geometry) => {
    expect(() => normalizeGeometry(geometry)).toThrow(message);
  });

  it('refuses a GeometryCollection from callers without type check', () => {
    expect(() => normalizeGeometry(JSON.parse('{"type":"GeometryCollection","geometries":[]}'))).toThrow('not allowed');
  });

  it('changes nothing the second time and keeps the bounds, for triangles anywhere', () => {
    const position = fc.tuple(fc.integer({ min: -180, max: 180 }), fc.integer({ min: -90, max: 90 }));
    fc.assert(
      fc.property(position, position, position, (a, b, c) => {
        const ring = [a, b, c];
        fc.pre(signedArea([...ring, a]) !== 0);
        const once = normalizeGeometry({ type: 'Polygon', coordinates: [ring] });
        const exterior = once.type === 'Polygon' ? (once.coordinates[0] ?? []) : [];
        expect(isClosed(exterior)).toBe(true);
        expect(signedArea(exterior)).toBeGreaterThan(0);
        expect(normalizeGeometry(once)).toEqual(once);
        expect(bboxOf(once)).toEqual(bboxOf({ type: 'Polygon', coordinates: [ring] }));
      }),
    );
  });
});
