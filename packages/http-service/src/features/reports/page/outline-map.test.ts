import { expect, it } from 'vitest';
import { outlinePath } from './outline-map.ts';

const frame = { box: [85, 24, 85.1, 24.2], width: 100, height: 200 } as const;

it('draws north at the top and west on the left, and holes as rings of the same path', () => {
  const outer = [
    [85, 24],
    [85.1, 24],
    [85.1, 24.2],
    [85, 24],
  ];
  const hole = [
    [85.05, 24.1],
    [85.06, 24.1],
    [85.05, 24.11],
    [85.05, 24.1],
  ];
  expect(outlinePath({ type: 'Polygon', coordinates: [outer, hole] }, frame)).toBe(
    'M0.0 200.0L100.0 200.0L100.0 0.0L0.0 200.0ZM50.0 100.0L60.0 100.0L50.0 90.0L50.0 100.0Z',
  );
});

it('leaves out points that equal the previous one after rounding to tenths of a pixel', () => {
  const ring = [[85, 24], ...Array.from({ length: 1000 }, (_, index) => [85.05 + index * 1e-9, 24.1]), [85, 24]];
  expect(outlinePath({ type: 'Polygon', coordinates: [ring] }, frame)).toBe('M0.0 200.0L50.0 100.0L0.0 200.0Z');
});
