import type { Position } from 'geojson';
import { expect, it } from 'vitest';
import { centroidOf } from './centroid.ts';

const square = (west: number, south: number, size: number): Position[] => [
  [west, south],
  [west + size, south],
  [west + size, south + size],
  [west, south + size],
  [west, south],
];

it.each([
  ['a square', [[square(85, 22, 2)]], [86, 23]],
  ['a clockwise square', [[square(85, 22, 2).toReversed()]], [86, 23]],
  ['two squares, weighted by area', [[square(0, 0, 1)], [square(10, 0, 2)]], [(0.5 + 4 * 11) / 5, (0.5 + 4 * 1) / 5]],
  ['a square with a hole in its west', [[square(0, 0, 4), square(1, 1, 1)]], [(32 - 1.5) / 15, (32 - 1.5) / 15]],
] as const)('returns the centroid of %s', (_, coordinates, [lon, lat]) => {
  const rings = coordinates.map((polygon) => polygon.map((ring) => [...ring]));
  const [x, y] = centroidOf({ type: 'MultiPolygon', coordinates: rings });
  expect(x).toBeCloseTo(lon, 12);
  expect(y).toBeCloseTo(lat, 12);
});
