import { expect, it } from 'vitest';
import { rounded } from './precision.ts';

const SQUARE = [
  [0, 0],
  [1, 0],
  [1, 1],
  [0, 1],
  [0, 0],
];
const SPECK = [
  [0.5, 0.5],
  [0.5, 0.500_000_01],
  [0.500_000_01, 0.5],
  [0.5, 0.5],
];

it('coordinates have seven decimal places, and no -0', () => {
  const { coordinates } = rounded({
    type: 'LineString',
    coordinates: [
      [0.1 + 0.2, -1e-9],
      [92.123_456_78, 24, 1.5],
    ],
  });
  expect(coordinates).toStrictEqual([
    [0.3, 0],
    [92.123_456_8, 24, 1.5],
  ]);
});

it('rings that rounding leaves without area are removed, unless no polygon would remain', () => {
  expect(rounded({ type: 'Polygon', coordinates: [SQUARE, SPECK] })).toEqual({
    type: 'Polygon',
    coordinates: [SQUARE],
  });
  const parts = rounded({ type: 'MultiPolygon', coordinates: [[SPECK], [SQUARE]] });
  expect(parts).toEqual({ type: 'MultiPolygon', coordinates: [[SQUARE]] });
  const speck = { type: 'Polygon', coordinates: [SPECK] } as const;
  expect(rounded(speck)).toBe(speck);
});
