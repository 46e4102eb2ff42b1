import { describe, expect, it } from 'vitest';
import { roughSurface, surface, utmGrid } from '../dem/surfaces.fixture.ts';
import { landformCodes, LANDFORMS } from './classes.ts';
import { landformOf, landforms } from './landforms.ts';
import { reliefLimit, WEISS_LIMIT } from './thresholds.ts';

describe('landforms', () => {
  it('have codes 1..11 and valid STAC class names, and each belongs to one of five groups', () => {
    expect(LANDFORMS.map(({ code }) => code)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
    for (const { name, color } of LANDFORMS) {
      expect(name).toMatch(/^[0-9A-Za-z-_]+$/);
      expect(color).toMatch(/^#[0-9a-f]{6}$/);
    }
    expect(landformCodes('valley')).toEqual([1, 2, 4, 9]);
    expect(landformCodes('ridge')).toEqual([3, 7, 10, 11]);
    expect([...landformCodes('plain'), ...landformCodes('slopy'), ...landformCodes('hill_slope')]).toEqual([5, 6, 8]);
  });

  it('depend on the height relative to near land and to far land, and on the slope', () => {
    const near = [-1, 0, 1] as const;
    const table = near.map((side) => near.map((far) => landformOf(side, far, 3)));
    expect(table).toEqual([
      [1, 2, 3],
      [4, 5, 7],
      [9, 10, 11],
    ]);
    expect([4.99, 5, 19.99, 20].map((slope) => landformOf(0, 0, slope))).toEqual([5, 6, 6, 8]);
    expect([5.99, 6].map((slope) => landformOf(0, 1, slope))).toEqual([7, 8]);
  });

  it('are plains on flat land, and have the code 0 without data', () => {
    const dem = surface(utmGrid(9, 9), (row, col) => (row === 4 && col === 4 ? Number.NaN : 120));
    expect([...landforms(dem)].filter((code) => code !== 5)).toEqual([0]);
    expect(landforms(dem)[40]).toBe(0);
  });

  it('classify a long ridge in a plain, a long valley, and the plains around', () => {
    const across = (sign: number) =>
      surface(utmGrid(120, 120), (_, col) => 100 + sign * 40 * Math.exp(-(((col - 60) / 4) ** 2)));
    const [ridge, valley] = [landforms(across(1)), landforms(across(-1))];
    expect([10, 11]).toContain(ridge[60 * 120 + 60]);
    expect([1, 2]).toContain(valley[60 * 120 + 60]);
    expect(ridge[60 * 120 + 20]).toBe(5);
    expect(valley[60 * 120 + 20]).toBe(5);
  });

  it('use a position index that is standardised per zone, and are 0 outside of all zones', () => {
    const grid = utmGrid(60, 120);
    const mountains = roughSurface(grid, { relief: 2000 });
    const dem = surface(
      grid,
      (row, col) => 1000 + (mountains.heights[row * 120 + col]! - 1000) * (col < 60 ? 1 : 0.05),
    );
    // Columns 60 to 74 belong to no zone, because the rings of their pixels reach into the mountains.
    const zones = Uint8Array.from({ length: 7200 }, (_, at) => (at % 120 < 60 ? 1 : at % 120 < 75 ? 0 : 2));
    const limit = (): number => WEISS_LIMIT;
    const together = landforms(dem, { limit });
    const apart = landforms(dem, { limit, zones: { zones, count: 2 } });
    // Landforms 4 to 8 are level with their surroundings.
    const uneven = (codes: Uint8Array): number =>
      codes.filter((code, at) => at % 120 >= 80 && (code < 4 || code > 8)).length;
    expect(uneven(together)).toBe(0);
    expect(uneven(apart)).toBeGreaterThan(100);
    expect(landforms(dem, { zones: { zones: zones.fill(0, 0, 120), count: 2 } }).subarray(0, 120)).toEqual(
      new Uint8Array(120),
    );
  });

  it('use a greater limit (in standard deviations) on flatter terrain, so that more of it counts as level', () => {
    expect([0, 9, 99, 1e6].map(reliefLimit)).toEqual([3, 2, 1, 0.3]);
    const dem = roughSurface(utmGrid(80, 80), { relief: 20 });
    const level = (codes: Uint8Array): number => codes.filter((code) => code === 5 || code === 6 || code === 8).length;
    expect(level(landforms(dem))).toBeGreaterThan(level(landforms(dem, { limit: () => WEISS_LIMIT })));
  });
});
