import { expect, it } from 'vitest';
import { latticeGrid, publishedGrid, stepWithin } from './dem-grid.ts';

const second = 1 / 3600;
const dem = { crs: 'EPSG:4326', west: 77, north: 19, pixelWidth: second, pixelHeight: second, cols: 7200, rows: 7200 };
const box = [77.50005, 18.00005, 78.19995, 18.69995] as const;

it('keeps the pixels of a DEM as long as there are not too many', () => {
  expect(latticeGrid(dem, box, 1)).toMatchObject({ cols: 2520, rows: 2520 });
  expect(stepWithin(dem, box, 20_000_000)).toBe(1);
  expect(stepWithin(dem, box, 2520 * 2520)).toBe(1);
  expect(stepWithin(dem, box, 2520 * 2520 - 1)).toBe(2);
  expect(stepWithin(dem, box, 10_000)).toBe(26);
  expect(stepWithin(dem, box, Infinity)).toBe(1);
});

it('joins pixels to 10 m at least', () => {
  const fine = { ...dem, pixelWidth: second / 15, pixelHeight: second / 15 };
  expect(stepWithin(fine, box, Infinity)).toBe(5);
  expect(stepWithin(fine, box, 20_000_000)).toBeGreaterThan(5);
});

it('publishes larger pixels too, on the lattice of the DEM', () => {
  const grid = publishedGrid(dem, box, 3);
  expect(grid.pixelWidth).toBeCloseTo(3 * second, 12);
  expect((grid.west - dem.west) / grid.pixelWidth).toBeCloseTo(Math.round((grid.west - dem.west) / grid.pixelWidth), 6);
});
