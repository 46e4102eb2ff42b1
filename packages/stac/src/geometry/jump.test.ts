import { describe, expect, it } from 'vitest';
import { vectorItem } from '../builder/vector-item.ts';
import { repairItem } from '../repair/repair-item.ts';
import { VECTOR_INPUT, sampleVector } from '../samples.fixture.ts';
import type { Geometry } from './types.ts';

const box = (west: number, east: number): [number, number][] => [
  [west, -17],
  [east, -17],
  [east, -16],
  [west, -16],
  [west, -17],
];
const polygon = (...rings: readonly [number, number][][]): Geometry => ({ type: 'Polygon', coordinates: [...rings] });
const built = (geometry: Geometry) => vectorItem({ ...VECTOR_INPUT, geometry });

describe('a geometry near the antimeridian', () => {
  it.each([
    ['a polygon', polygon(box(179, -179))],
    ['an open ring', polygon(box(179, -179).slice(0, -1))],
    [
      'one of several polygons',
      { type: 'MultiPolygon', coordinates: [[box(1, 2)], [box(179, -179)]] } satisfies Geometry,
    ],
  ])('is refused if it crosses the antimeridian and is not cut: %s', (_name, geometry) => {
    expect(() => built(geometry)).toThrow(
      'crosses the antimeridian but is not cut there; cut it (repairItem does this)',
    );
  });

  it('is accepted after it is cut, and has a bbox across the antimeridian', () => {
    const { document } = repairItem({ ...sampleVector(), geometry: polygon(box(179, -179)) });
    const { geometry } = document as { geometry: Geometry };
    expect(built(geometry).bbox).toEqual([179, -17, -179, -16]);
  });

  it.each([
    ['around the globe', box(-180, 180), [-180, -17, 180, -16]],
    ['around the globe, clockwise', box(-180, 180).toReversed(), [-180, -17, 180, -16]],
    ['almost around the globe', box(-179, 179), [-179, -17, 179, -16]],
    ['at the antimeridian', box(179, 180).toReversed(), [179, -17, 180, -16]],
  ])('is accepted if it does not cross the antimeridian: %s', (_name, ring, bbox) => {
    expect(built(polygon(ring)).bbox).toEqual(bbox);
  });
});
