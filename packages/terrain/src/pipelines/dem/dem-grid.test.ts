import { expect, it } from 'vitest';
import { latticeGrid, publishedGrid, stepWithin } from './dem-grid.ts';

const second = 1 / 3600;
const dem = { crs: 'EPSG:4326', west: 77, north: 19, pixelWidth: second, pixelHeight: second, cols: 7200, rows: 7200 };
const box = [77.50005, 18.00005, 78.19995, 18.69995] as const;
const utm = (metres: number) => ({
  crs: 'EPSG:32644',
  west: 234_607,
  north: 1_938_601,
  pixelWidth: metres,
  pixelHeight: metres,
  cols: 4000,
  rows: 4000,
});
const SMALL = [78.55, 17.45, 78.56, 17.46] as const;

it('keeps the pixel size of the DEM if the box has no more pixels than the limit, and uses larger pixels otherwise', () => {
  expect(latticeGrid(dem, box, 1)).toMatchObject({ cols: 2520, rows: 2520 });
  expect(stepWithin(dem, box, 20_000_000)).toBe(1);
  expect(stepWithin(dem, box, 2520 * 2520)).toBe(1);
  expect(stepWithin(dem, box, 2520 * 2520 - 1)).toBe(2);
  expect(stepWithin(dem, box, 10_000)).toBe(26);
  expect(stepWithin(dem, box, Infinity)).toBe(1);
});

it('combines DEM pixels smaller than 10 m into pixels of about 10 m or more', () => {
  const fine = { ...dem, pixelWidth: second / 15, pixelHeight: second / 15 };
  expect(stepWithin(fine, box, Infinity)).toBe(5);
  expect(stepWithin(fine, box, 20_000_000)).toBeGreaterThan(5);
});

it.each([
  [30, Infinity, 30],
  [30, 1000, 60],
  [10, Infinity, 10],
  [2, Infinity, 10],
  [2, 1000, 36],
])(
  'a DEM of %d m pixels with a limit of %d computed pixels yields pixels of %d m, aligned to those of the DEM',
  (metres, most, expected) => {
    const grid = latticeGrid(utm(metres), SMALL, stepWithin(utm(metres), SMALL, most));
    expect([grid.pixelWidth, grid.pixelHeight]).toEqual([expected, expected]);
    expect((grid.west - 234_607) % expected).toBe(0);
    expect((1_938_601 - grid.north) % expected).toBe(0);
    expect(grid.cols * expected).toBeGreaterThan(1060);
    expect(grid.rows * expected).toBeLessThan(1200 + 2 * expected);
  },
);

it('publishes in degrees, with pixels that are `step` times as large as in the DEM; a DEM in degrees also keeps its lattice', () => {
  for (const step of [1, 3]) {
    const own = publishedGrid(dem, box, step);
    expect(own.crs).toBe('EPSG:4326');
    expect(own.pixelWidth).toBeCloseTo(step * second, 12);
    const pixels = (own.west - dem.west) / own.pixelWidth;
    expect(pixels).toBeCloseTo(Math.round(pixels), 6);
    const warped = publishedGrid(utm(30), SMALL, step);
    expect(warped.crs).toBe('EPSG:4326');
    expect(warped.pixelHeight * 111_320).toBeCloseTo(30 * step, 0);
  }
});
