import { describe, expect, it } from 'vitest';
import { OUTPUT_PIXEL_DEG, outputGrid, type Box } from './grid.ts';

const BOX: Box = [75.5, 23.2, 75.56, 23.26];

describe('outputGrid', () => {
  it('covers the box with pixels whose corners are at multiples of the pixel size from (0, 0)', () => {
    const grid = outputGrid(BOX);
    const onLattice = (v: number) => Math.abs(v / OUTPUT_PIXEL_DEG - Math.round(v / OUTPUT_PIXEL_DEG)) < 1e-6;
    expect(onLattice(grid.west) && onLattice(grid.north)).toBe(true);
    expect(grid.west <= BOX[0] && grid.north >= BOX[3]).toBe(true);
    expect(grid.west + grid.cols * grid.pixelWidth >= BOX[2]).toBe(true);
    expect(grid.north - grid.rows * grid.pixelHeight <= BOX[1]).toBe(true);
    expect(grid.cols * OUTPUT_PIXEL_DEG - (BOX[2] - BOX[0])).toBeLessThan(2 * OUTPUT_PIXEL_DEG);
  });

  it('works south and west of (0, 0)', () => {
    const grid = outputGrid([-10.00005, -5.00005, -10, -5]);
    expect(grid.west).toBeLessThanOrEqual(-10.00005);
    expect(grid.north).toBeGreaterThanOrEqual(-5);
    expect(grid.cols * grid.rows).toBeLessThanOrEqual(9);
  });
});
