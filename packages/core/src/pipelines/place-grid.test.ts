import { expect, it } from 'vitest';
import { outputGrid } from '../geo/grid.ts';
import type { PixelGrid } from '../ports/pixel-plan.ts';
import { isGridAround, isOutputGrid } from './place-grid.ts';

const BOX = [77.50005, 18.00005, 77.60995, 18.10995] as const;
const second = 1 / 3600;

/** Pixels of an arc second on a lattice of their own, so many around the box. */
const around = (more: Partial<PixelGrid> = {}): PixelGrid => ({
  crs: 'EPSG:4326',
  west: 77.5,
  north: 18.11,
  pixelWidth: second,
  pixelHeight: second,
  cols: 396,
  rows: 396,
  ...more,
});

it('knows the grid of land cover by its lattice', () => {
  expect(isOutputGrid(outputGrid(BOX), BOX)).toBe(true);
  expect(isOutputGrid(around(), BOX)).toBe(false);
  expect(isOutputGrid(outputGrid([77.49, 18, 77.6, 18.11]), BOX)).toBe(false);
});

it('knows grids of any lattice by the box that they are the smallest around', () => {
  for (const grid of [around(), outputGrid(BOX), outputGrid(BOX, 3 * second)])
    expect(isGridAround(grid, BOX)).toBe(true);
});

it.each([
  ['too far east', { west: 77.5001 }],
  ['a pixel more in the west', { west: 77.5 - second, cols: 397 }],
  ['a pixel less in the east', { cols: 395 }],
  ['a pixel more in the east', { cols: 397 }],
  ['too far south', { north: 18.1099 }],
  ['a pixel more in the north', { north: 18.11 + second, rows: 397 }],
  ['a pixel less in the south', { rows: 395 }],
  ['a pixel more in the south', { rows: 397 }],
  ['metres', { crs: 'EPSG:32643' }],
])('refuses one with %s', (_, more) => expect(isGridAround(around(more), BOX)).toBe(false));
