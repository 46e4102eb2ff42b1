import type { Polygon } from 'geojson';
import { expect, it } from 'vitest';
import { coversPoint } from './covers-point.ts';

/** A diamond with corners at a distance of 4, and a square hole of side 2 in the middle. */
const diamond: Polygon = {
  type: 'Polygon',
  coordinates: [
    [
      [4, 0],
      [0, 4],
      [-4, 0],
      [0, -4],
      [4, 0],
    ],
    [
      [-1, -1],
      [-1, 1],
      [1, 1],
      [1, -1],
      [-1, -1],
    ],
  ],
};
const reversed: Polygon = { ...diamond, coordinates: diamond.coordinates.map((ring) => ring.toReversed()) };

it.each([
  [2, 1, true],
  [-2.5, 0, true],
  [2, 2, true],
  [4, 0, true],
  [0, -4, true],
  [1, 0, true],
  [-1, 1, true],
  [0, 0, false],
  [0.5, 0.999, false],
  [2.001, 2, false],
  [-5, 0, false],
  [5, 0, false],
  [0, 4.001, false],
  [-3, 4, false],
])('the diamond covers the point (%d, %d): %s', (longitude, latitude, covered) => {
  for (const area of [diamond, reversed]) expect(coversPoint(area, { longitude, latitude })).toBe(covered);
});
