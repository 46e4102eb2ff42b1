import { expect, it } from 'vitest';
import { mwsLayer } from './mws-layer.ts';

const square = (west: number, south: number, size: number): number[][] => [
  [west, south],
  [west + size, south],
  [west + size, south + size],
  [west, south + size],
  [west, south],
];

it('gives rings the directions of RFC 7946: exteriors counter-clockwise, holes clockwise', () => {
  const [outer, hole] = [square(75, 23, 1), square(75.2, 23.2, 0.1)];
  const geometry = { type: 'Polygon' as const, coordinates: [outer.toReversed(), hole] };
  const [feature] = mwsLayer([{ uid: '12_1', tehsilId: 1, geometry }], new Map()).features;
  expect(feature?.geometry.coordinates).toEqual([[outer, hole.toReversed()]]);
});
