import { expect, it } from 'vitest';
import { levelStyle } from './levels.ts';

const drawn = (level: 1 | 2 | 3): Record<number, string> =>
  Object.fromEntries(
    levelStyle(level)
      .filter(({ alpha }) => alpha > 0)
      .map(({ value, label, color, alpha }) => [value, `${label} ${color} ${alpha}`]),
  );

it('the styles have five groups of land in level 1, and trees and crops in level 2, as published', () => {
  const [water, green] = ['Water #1ca3ec 179', 'Greenery #73bb53 179'];
  expect(drawn(1)).toEqual({
    1: 'Built Up #ff0000 179',
    2: water,
    3: water,
    4: water,
    6: green,
    7: 'Barren Lands #a9a9a9 255',
    8: green,
    9: green,
    10: green,
    11: green,
    12: 'Shrubs / Scrubs #eaa4f0 179',
  });
  const crop = 'Crop #fad36f 179';
  expect(drawn(2)).toEqual({ 6: 'Tree / Forests #73bb53 179', 8: crop, 9: crop, 10: crop, 11: crop });
});

it('the style of each level has an entry for every class that can be in a result', () => {
  for (const level of [1, 2, 3] as const)
    expect(levelStyle(level).map(({ value }) => value)).toEqual([0, 1, 2, 3, 4, 6, 7, 8, 9, 10, 11, 12]);
});
