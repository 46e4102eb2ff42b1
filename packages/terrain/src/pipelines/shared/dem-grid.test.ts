import { expect, it } from 'vitest';
import { latticeGrid, publishedGrid } from './dem-grid.ts';

const utm = (metres: number) => ({
  crs: 'EPSG:32644',
  west: 234_607,
  north: 1_938_601,
  pixelWidth: metres,
  pixelHeight: metres,
  cols: 4000,
  rows: 4000,
});
const BOX = [78.55, 17.45, 78.56, 17.46] as const;

it.each([
  [30, undefined, 30],
  [30, 25, 30],
  [10, undefined, 10],
  [10, 25, 30],
  [2, undefined, 10],
  [2, 25, 26],
])('of a DEM of %d m pixels, finest %s, has pixels of %d m, on corners of its own', (metres, finest, expected) => {
  const grid = latticeGrid(utm(metres), BOX, finest);
  expect([grid.pixelWidth, grid.pixelHeight]).toEqual([expected, expected]);
  expect((grid.west - 234_607) % expected).toBe(0);
  expect((1_938_601 - grid.north) % expected).toBe(0);
  // The box is about 1060 m by 1110 m.
  expect(grid.cols * expected).toBeGreaterThan(1060);
  expect(grid.rows * expected).toBeLessThan(1200 + 2 * expected);
});

it('publishes a DEM in degrees on its own pixels, one in UTM on pixels of that size in degrees', () => {
  const degrees = { ...utm(1 / 3600), crs: 'EPSG:4326', west: 78, north: 18 };
  const own = publishedGrid(degrees, BOX);
  expect([own.crs, own.pixelWidth]).toEqual(['EPSG:4326', 1 / 3600]);
  expect(((own.west - 78) * 3600) % 1).toBeCloseTo(0, 6);
  const warped = publishedGrid(utm(30), BOX);
  expect(warped.crs).toBe('EPSG:4326');
  expect(warped.pixelHeight * 111_320).toBeCloseTo(30, 0);
});
