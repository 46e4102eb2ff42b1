import { describe, expect, it } from 'vitest';
import { levelFor, valuesAt, type Block, type BlockPlace, type Level } from './sample.ts';

const LEVEL: Level = {
  width: 5,
  height: 4,
  blockWidth: 2,
  blockHeight: 3,
  origin: [100, 200],
  step: [10, -10],
};

/** Values are 10 * row + column. */
function reader(read: BlockPlace[] = []) {
  return async (place: BlockPlace): Promise<Block> => {
    read.push(place);
    const width = Math.min(2, 5 - place.column * 2);
    const height = Math.min(3, 4 - place.row * 3);
    const values = Array.from({ length: width * height }, (_, index) => {
      const row = place.row * 3 + Math.floor(index / width);
      return 10 * row + place.column * 2 + (index % width);
    });
    return { width, values };
  };
}

describe('points in a raster', () => {
  it('have the value of the pixel that contains them, also in narrow blocks at the edge', async () => {
    const points = [101, 199, 109.9, 190.1, 110.1, 189.9, 149, 161, 145, 195];
    expect([...(await valuesAt(points, LEVEL, reader()))]).toEqual([0, 0, 11, 34, 4]);
  });

  it('have no value if they are outside of it, and nothing is read for them', async () => {
    const read: BlockPlace[] = [];
    const points = [99.9, 195, 150.1, 195, 105, 200.1, 105, 159.9, NaN, NaN];
    expect([...(await valuesAt(points, LEVEL, reader(read)))]).toEqual([NaN, NaN, NaN, NaN, NaN]);
    expect(read).toEqual([]);
  });

  it('need only one read if they are in one block', async () => {
    const read: BlockPlace[] = [];
    await valuesAt([101, 199, 115, 175, 145, 165], LEVEL, reader(read));
    expect(read).toEqual([
      { column: 0, row: 0 },
      { column: 2, row: 1 },
    ]);
  });

  it('reject if a block cannot be read', async () => {
    const read = async (): Promise<Block> => {
      throw new Error('416');
    };
    await expect(valuesAt([101, 199], LEVEL, read)).rejects.toThrow('416');
  });
});

describe('the level of a raster', () => {
  const levels = [10, 20, 40].map((size): Level => ({ ...LEVEL, step: [size, -size] }));
  it.each([
    [1, 0],
    [10, 0],
    [19.9, 0],
    [20, 1],
    [35, 1],
    [40, 2],
    [1000, 2],
  ])('for pixels of %d is number %d', (size, level) => {
    expect(levelFor(levels, size)).toBe(level);
  });
});
