import { describe, expect, it } from 'vitest';
import { bboxOf } from '../geometry/bbox.ts';
import { sampleVector } from '../samples.fixture.ts';
import { validate } from './assert-valid.ts';
import type { Profile } from './profile.ts';

type Ring = readonly (readonly [number, number])[];
const SQUARE: Ring = [
  [0, 0],
  [4, 0],
  [4, 4],
  [0, 4],
  [0, 0],
];
const closed = (...positions: Ring): Ring => [...positions, ...positions.slice(0, 1)];
const findingsOf = (rings: readonly Ring[], profile: Profile = 'headwater') => {
  const geometry = {
    type: 'Polygon',
    coordinates: rings.map((ring) => ring.map((position) => [...position])),
  } as const;
  return validate({ ...sampleVector(), geometry, bbox: bboxOf(geometry) }, { profile })
    .filter(({ rule }) => rule.startsWith('geometry.'))
    .map(({ rule, severity, pointer }) => `${severity} ${rule} ${pointer.replace('/geometry/coordinates', '')}`);
};

describe('rings of a polygon', () => {
  it('are reported as crossing, not as rings without area, if they cross themselves', () => {
    const bowtie = closed([0, 0], [1, 1], [1, 0], [0, 1]);
    expect(findingsOf([bowtie])).toEqual(['error geometry.self-intersection /0']);
    expect(findingsOf([bowtie], 'stac')).toEqual(['warning geometry.self-intersection /0']);
    expect(findingsOf([closed([0, 0], [3, 3], [3, 0], [0, 1])])).toContain('warning geometry.self-intersection /0');
    expect(findingsOf([closed([0, 0], [1, 0], [2, 0])])).toEqual(['error geometry.ring-area /0']);
  });

  it('have no finding if they are concave or only touch themselves; crossing edges of a ring with area are only a warning', () => {
    expect(findingsOf([SQUARE])).toEqual([]);
    expect(findingsOf([closed([0, 0], [2, 0], [2, 1], [1, 0.5], [2, 2], [0, 2])])).toEqual([]);
    expect(findingsOf([closed([0, 0], [4, 0], [4, 4], [2, 0], [0, 4])])).toEqual([]);
    const star = Array.from({ length: 400 }, (_, index): [number, number] => {
      const [angle, reach] = [(index * Math.PI) / 200, index % 2 === 0 ? 4 : 2];
      return [reach * Math.cos(angle), reach * Math.sin(angle)];
    });
    expect(findingsOf([closed(...star)])).toEqual([]);
    const [first = [0, 0], second = [0, 0], third = [0, 0], ...rest] = star;
    expect(findingsOf([closed(third, second, first, ...rest)])).toEqual(['warning geometry.self-intersection /0']);
  });

  it('must be inside of the exterior if they are holes', () => {
    const hole = (x: number, y: number, size = 1) => closed([x, y], [x, y + size], [x + size, y + size], [x + size, y]);
    expect(findingsOf([SQUARE, hole(1, 1), hole(0, 2), hole(3, 3)])).toEqual([]);
    expect(findingsOf([SQUARE, hole(1, 1), hole(5, 5)])).toEqual(['warning geometry.hole-outside /2']);
    expect(findingsOf([SQUARE, hole(3.5, 1)])).toEqual(['warning geometry.hole-outside /1']);
  });

  it('are checked within five seconds even in the forms that take longest', () => {
    const comb = Array.from({ length: 20_000 }, (_, index): [number, number] => [
      index % 2 === 0 ? 0.5 : 9,
      index / 1000,
    ]);
    const start = performance.now();
    findingsOf([closed(...comb, [0, 20])]);
    const around = Array.from({ length: 20_000 }, (_, index): [number, number] => {
      const angle = (index * Math.PI) / 10_000;
      return [10 * Math.cos(angle), 10 * Math.sin(angle)];
    });
    const hole = (index: number) => closed([0, index / 5000], [0, index / 5000 + 1e-4], [1, index / 5000]);
    findingsOf([closed(...around), ...Array.from({ length: 20_000 }, (_, index) => hole(index))]);
    expect(performance.now() - start).toBeLessThan(5000);
  });
});
