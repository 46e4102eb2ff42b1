import { describe, expect, it } from 'vitest';
import { clipLine, clipRing } from './tile-clip.ts';

describe('rings', () => {
  it('are cut at each side', () => {
    expect(clipRing([-5, -5, 15, -5, 15, 15, -5, 15], 0, 10)).toEqual([0, 10, 0, 0, 10, 0, 10, 10]);
  });

  it('that are outside disappear', () => {
    expect(clipRing([20, 20, 30, 20, 30, 30], 0, 10)).toEqual([]);
  });

  it('that are inside stay', () => {
    expect(clipRing([1, 1, 5, 1, 5, 5], 0, 10)).toEqual([1, 1, 5, 1, 5, 5]);
  });
});

describe('lines', () => {
  it.each([
    ['crosses the square', [-5, 5, 15, 5], [[0, 5, 10, 5]]],
    ['enters', [-5, 5, 5, 5, 5, 6], [[0, 5, 5, 5, 5, 6]]],
    [
      'leaves and returns',
      [5, 5, 15, 5, 15, 6, 5, 6],
      [
        [5, 5, 10, 5],
        [10, 6, 5, 6],
      ],
    ],
    ['is outside', [-5, 5, -1, 8], []],
    ['passes a corner outside', [-2, 1, 1, -2], []],
    ['runs along the border', [0, -3, 0, 4], [[0, 0, 0, 4]]],
    ['is parallel to a side and outside', [11, -3, 11, 4], []],
    ['is inside', [1, 1, 2, 2, 3, 1], [[1, 1, 2, 2, 3, 1]]],
  ])('that %s', (_, line, expected) => {
    expect(clipLine(line, 0, 10)).toEqual(expected);
  });
});
