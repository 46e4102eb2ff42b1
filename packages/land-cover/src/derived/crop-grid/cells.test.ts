import { outputGrid } from '@headwater/core';
import { OUTPUT_PIXEL_DEG as PIXEL } from '@headwater/core/geo';
import { expect, it } from 'vitest';
import { CELL_PIXELS, cellsOver, cropColumns, cropsOfCell, wholeArea } from './cells.ts';

const SIDE = CELL_PIXELS * PIXEL;

it('covers a grid with whole cells that neighbouring tehsils share', () => {
  const [west, east] = [outputGrid([77.98, 17.5, 77.99, 17.51]), outputGrid([77.99, 17.5, 78, 17.51])].map(cellsOver);
  const ids = (cells: typeof west): readonly string[] => (cells ?? []).map(({ id }) => id);
  expect(ids(west).length).toBeGreaterThanOrEqual(4);
  expect(ids(west).some((id) => ids(east).includes(id))).toBe(true);
  expect(new Set(ids(west)).size).toBe(ids(west).length);
});

it('places cells at multiples of their width, and numbers them to the east and north', () => {
  const [cell, ...others] = cellsOver(
    outputGrid([3 * SIDE + PIXEL / 2, 5 * SIDE + PIXEL / 2, 4 * SIDE - PIXEL / 2, 6 * SIDE - PIXEL / 2]),
  );
  expect(others).toEqual([]);
  expect(cell?.id).toBe('3_5');
  const ring = cell?.geometry.coordinates[0]?.flat() ?? [];
  [3, 5, 4, 5, 4, 6, 3, 6, 3, 5].forEach((side, i) => expect(ring[i]).toBeCloseTo(side * SIDE, 12));
});

it('gives cells south and west of (0, 0) negative numbers', () => {
  const [cell] = cellsOver(outputGrid([-SIDE + PIXEL / 2, -SIDE + PIXEL / 2, -PIXEL / 2, -PIXEL / 2]));
  expect(cell?.id).toBe('-1_-1');
});

it.each([
  [5.37e-13, 0],
  [0, 0],
  [0.0012, 0.0012],
  [98.5, 98.5],
])('returns an area of %s hectares as %s', (hectares, counted) => expect(wholeArea(hectares)).toBe(counted));

/**
 * Cell of 100 ha: `outside` ha outside of the tehsil, `unseen` without class, `double` with two crops, others with
 * trees.
 */
const pairs = (outside: number, unseen: number, double: number) => [
  { by: 0, value: 0, areaHa: outside },
  { by: 1, value: 0, areaHa: unseen },
  { by: 1, value: 6, areaHa: 100 - outside - unseen - double },
  { by: 1, value: 10, areaHa: double },
];

it('returns the crops of a cell and its unseen land, without the land outside of the tehsil', () => {
  const cell = cropsOfCell(pairs(60, 20, 15), 2021);
  expect(cell).toMatchObject({ cropped_area_in_ha: 15, doubly_cropped_area_2021: 15, unseen_area_2021: 20 });
  expect(Object.keys(cell ?? {})).toEqual(cropColumns(2021).map(({ name }) => name));
});

it('returns null for the crops of a cell if less than half of its land in the tehsil was seen; leaves out mostly seen cells without crops', () => {
  const hidden = { cropped_area_in_ha: null, doubly_cropped_area_2021: null, unseen_area_2021: 21 };
  expect(cropsOfCell(pairs(60, 21, 15), 2021)).toMatchObject(hidden);
  expect(cropsOfCell(pairs(60, 21, 0), 2021)).toMatchObject(hidden);
  expect(cropsOfCell(pairs(60, 20, 0), 2021)).toBeUndefined();
  expect(cropsOfCell(pairs(100, 0, 0), 2021)).toBeUndefined();
});
