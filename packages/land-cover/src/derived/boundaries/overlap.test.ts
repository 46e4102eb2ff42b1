import { boxPolygon, sphericalAreaHa } from '@headwater/core/geo';
import { expect, it } from 'vitest';
import { outlineRows, overlapHa } from './overlap.ts';
import { villageSheet } from './village-sheet.ts';

const box = (...corners: Parameters<typeof boxPolygon>[0]) => boxPolygon(corners);
const common = (a: ReturnType<typeof box>, b: ReturnType<typeof box>) => overlapHa(outlineRows(a), outlineRows(b));

it('computes the area that two outlines have in common, without holes', () => {
  const square = box(77, 18, 77.1, 18.1);
  const whole = common(square, square);
  // Ellipsoid and authalic sphere differ by 0.3 % at most.
  expect(whole / sphericalAreaHa(square)).toBeCloseTo(1, 2);
  expect(common(square, box(77.05, 18, 77.15, 18.1)) / whole).toBeCloseTo(0.5, 9);
  expect(common(square, box(77.1, 18, 77.2, 18.1))).toBe(0);
  expect(common(square, box(78, 18, 78.1, 18.1))).toBe(0);
  const [ring = []] = square.coordinates;
  const [hole = []] = box(77, 18, 77.05, 18.1).coordinates;
  const holed = { type: 'Polygon' as const, coordinates: [ring, hole] };
  expect(common(holed, square) / whole).toBeCloseTo(0.5, 9);
  // Lower right half of the square.
  const corners = [
    [77, 18],
    [77.1, 18],
    [77.1, 18.1],
    [77, 18],
  ];
  const half = { type: 'Polygon' as const, coordinates: [corners] };
  expect(common(half, square) / whole).toBeCloseTo(0.5, 3);
  expect(common(half, box(77, 18, 77.05, 18.1)) / whole).toBeCloseTo(0.125, 3);
});

it('lists the villages that overlap each micro-watershed, by id, without slivers and without villages of id 0', () => {
  const mws = [
    { uid: '12_1', tehsilId: 1, geometry: box(77, 18, 77.1, 18.1) },
    { uid: '12_2', tehsilId: 1, geometry: box(77.1, 18, 77.2, 18.1) },
    { uid: '12_3', tehsilId: 1, geometry: box(78, 18, 78.1, 18.1) },
  ];
  const village = (id: number, geometry: ReturnType<typeof box>) => ({ id, name: `V${id}`, tehsilId: 1, geometry });
  const villages = [
    village(20, box(77.05, 18, 77.15, 18.1)),
    // This village extends 1 mm into the first micro-watershed.
    village(10, box(77.1 - 1e-8, 18, 77.12, 18.1)),
    village(0, box(77, 18, 77.1, 18.1)),
  ];
  expect(villageSheet(mws, villages)?.rows).toMatchObject([
    { 'mws uid': '12_1', 'village ids': [20] },
    { 'mws uid': '12_2', 'village ids': [10, 20] },
    { 'mws uid': '12_3', 'village ids': [] },
  ]);
  expect(villageSheet(mws, [village(0, box(77, 18, 77.1, 18.1))])).toBeUndefined();
});
