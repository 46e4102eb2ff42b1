import { expect, it } from 'vitest';
import { agreementOf, withNeighbours } from './agreement.ts';

const AGREEMENTS = [1, 2, 3];
const percents = Array.from({ length: 96 }, (_, percent) => percent);

it('distinguishes four cases: the same class, a class of the same kind, another class, and a year that was not seen', () => {
  expect([8, 10, 6, 0].map((neighbour) => agreementOf(8, neighbour))).toEqual([3, 2, 1, 0]);
  expect([agreementOf(2, 4), agreementOf(2, 8), agreementOf(6, 12)]).toEqual([2, 1, 1]);
});

it('the confidence is unchanged without neighbouring years, and pixels without a class remain at 0', () => {
  expect(percents.map((percent) => withNeighbours(percent, 0, 0))).toEqual(percents);
  for (const a of [0, ...AGREEMENTS]) for (const b of AGREEMENTS) expect(withNeighbours(0, a, b)).toBe(0);
});

it('better agreement with a neighbouring year or greater confidence never lowers the result, which stays between 1 and 95', () => {
  for (const percent of percents.slice(1))
    for (const a of [0, ...AGREEMENTS])
      for (const b of AGREEMENTS) {
        const now = withNeighbours(percent, a, b);
        expect(now >= 1 && now <= 95).toBe(true);
        expect(withNeighbours(percent, b, a)).toBe(now);
        if (b < 3) expect(withNeighbours(percent, a, b + 1)).toBeGreaterThanOrEqual(now);
        if (percent < 95) expect(withNeighbours(percent + 1, a, b)).toBeGreaterThanOrEqual(now);
      }
  expect([withNeighbours(80, 3, 3), withNeighbours(80, 0, 1), withNeighbours(80, 1, 1)]).toEqual([88, 47, 17]);
});
