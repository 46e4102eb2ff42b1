import type { Position } from 'geojson';
import { signedArea } from '@headwater/stac';
import { describe, expect, it } from 'vitest';
import { lobesOf } from './ring-lobes.ts';
import { cpuTime } from '../../../../scripts/cpu-time.mjs';

const ring = (...positions: readonly (readonly [number, number])[]): Position[] =>
  [...positions, positions[0] ?? [0, 0]].map(([x, y]) => [x, y]);
const areas = (rings: readonly Position[][]): number[] =>
  rings.map((r) => Math.round(1e6 * signedArea(r)) / 2e6).toSorted((a, b) => a - b);

describe('lobesOf', () => {
  it.each([
    ['a square', ring([0, 0], [4, 0], [4, 4], [0, 4])],
    ['a clockwise square', ring([0, 4], [4, 4], [4, 0], [0, 0])],
    [
      'two squares of the same direction that touch in a corner',
      ring([0, 0], [2, 0], [2, 2], [4, 2], [4, 4], [2, 4], [2, 2], [0, 2]),
    ],
    [
      'a hole that is part of the outer ring, connected at one corner',
      ring([0, 0], [9, 0], [9, 9], [0, 9], [0, 0], [2, 4], [4, 2]),
    ],
    [
      'an island in a hole, where one ring forms the outer line, the hole and the island, and begins at the island',
      ring([2.5, 4], [3, 4.5], [2, 6], [6, 2], [0, 0], [9, 0], [9, 9], [0, 9], [0, 0], [2, 6]),
    ],
    ['a spike', ring([0, 0], [4, 0], [4, 4], [4, 6], [4, 4], [0, 4])],
  ])('returns undefined for %s', (_what, positions) => expect(lobesOf(positions)).toBeUndefined());

  it('returns both lobes of a bow tie, each with a positive area', () => {
    const lobes = lobesOf(ring([0, 0], [4, 4], [4, 0], [0, 4]));
    expect(areas(lobes?.rings ?? [])).toEqual([4, 4]);
    expect(lobes?.holes).toEqual([]);
  });

  it('returns both lobes of a bow tie that has a corner at its crossing', () =>
    expect(areas(lobesOf(ring([0, 0], [2, 2], [4, 4], [4, 0], [2, 2], [0, 4]))?.rings ?? [])).toEqual([4, 4]));

  it('returns both lobes of a ring that has a corner on one of its sides', () =>
    expect(areas(lobesOf(ring([0, 0], [4, 0], [4, 2], [2, 0], [0, -2]))?.rings ?? [])).toEqual([2, 2]));

  it('returns one area for a ring that goes around twice', () => {
    // As in a limaçon curve, the inner loop has the direction of the outer loop.
    const lobes = lobesOf(ring([0, 0], [9, 0], [9, 9], [2, 9], [2, 2], [6, 2], [6, 6], [0, 6]));
    expect(areas(lobes?.rings ?? [])).toEqual([75]);
  });

  it('finds many crossings of a long ring in little time', async () => {
    const there = Array.from({ length: 5000 }, (_, i): [number, number] => [i, i % 2]);
    const back = there.toReversed().map(([x, y]): [number, number] => [x + 0.25, 1.2 - y]);
    const { result: lobes, ms } = await cpuTime(() => lobesOf(ring(...there, ...back)));
    expect(lobes?.rings.length).toBeGreaterThan(2500);
    expect(Math.min(...areas(lobes?.rings ?? []))).toBeGreaterThanOrEqual(0);
    expect(ms).toBeLessThan(5000);
  });
});
