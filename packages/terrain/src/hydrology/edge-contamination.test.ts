import fc from 'fast-check';
import { expect, it } from 'vitest';
import { roughSurface, rowsOf, surface, utmGrid } from '../dem/surfaces.fixture.ts';
import { createDem, type Dem } from '../dem/dem.ts';
import { accumulatedAreas } from './accumulate.ts';
import { stepsByCode } from './directions.ts';
import { edgeContamination, SIDES } from './edge-contamination.ts';
import { flowOf } from './flow.ts';

const sidesOf = (dem: Dem): readonly number[] => [...edgeContamination(flowOf(dem))];

it('marks an inner cell with the sides of the DEM whose border water reaches it, and not with a side whose water a ridge keeps away', () => {
  // A valley descends in column 2. A ridge keeps the water of the north out of column 5.
  const dem = rowsOf([
    [9, 9, 7, 9, 9, 3, 9],
    [9, 9, 6, 9, 9, 8, 9],
    [9, 9, 5, 9, 9, 7, 9],
    [9, 9, 4, 9, 9, 6, 9],
    [9, 9, 3, 9, 9, 5, 9],
  ]);
  const sides = sidesOf(dem);
  const at = (row: number, col: number): number => sides[row * 7 + col]!;
  expect([1, 2, 3].map((row) => at(row, 2) & SIDES.north)).toEqual([1, 1, 1]);
  expect([2, 3].map((row) => at(row, 5) & SIDES.north)).toEqual([0, 0]);
  expect(at(0, 0)).toBe(SIDES.north | SIDES.west);
  expect(at(4, 6) & (SIDES.south | SIDES.east)).toBe(SIDES.south | SIDES.east);
});

it('marks the cells that water from a hole reaches, with a separate bit', () => {
  const dem = surface(utmGrid(9, 9), (row, col) =>
    row === 3 && col === 4 ? Number.NaN : 50 - row + Math.abs(col - 4),
  );
  const sides = sidesOf(dem);
  expect([4, 5, 6, 7].map((row) => sides[row * 9 + 4]! & SIDES.gap)).toEqual([16, 16, 16, 16]);
  expect(sides[1 * 9 + 4]! & SIDES.gap).toBe(0);
});

it('does not mark a cell that drains into the sea, unless water from a marked cell reaches it', () => {
  // A valley with water from the border descends to the sea in rows 6 to 8.
  const valley = surface(utmGrid(9, 9), (row, col) => (row > 5 ? Number.NaN : 50 - row + 3 * Math.abs(col - 4)));
  expect(sidesOf(valley)[5 * 9 + 4]! & SIDES.north).toBe(SIDES.north);
  // Without a valley, only outer columns get water from the border.
  const hill = surface(utmGrid(9, 9), (row) => (row > 5 ? Number.NaN : 50 - Math.abs(row - 2)));
  expect(sidesOf(hill).slice(5 * 9 + 2, 5 * 9 + 7)).toEqual([0, 0, 0, 0, 0]);
});

it('marks only the border cells of level land or of a hill, because the water flows outwards', () => {
  for (const dem of [
    surface(utmGrid(7, 8), () => 5),
    surface(utmGrid(7, 8), (row, col) => 20 - Math.hypot(row - 3, col - 3)),
  ]) {
    const inner = sidesOf(dem).filter((_, at) => at % 8 > 0 && at % 8 < 7 && at >= 8 && at < 48);
    expect(inner.every((side) => side === 0)).toBe(true);
  }
});

it('marks every cell downstream of a marked cell, on any DEM', () => {
  const sizes = fc.integer({ min: 1, max: 9 });
  const dems = fc.tuple(sizes, sizes, fc.infiniteStream(fc.integer({ min: 0, max: 4 }))).map(([rows, cols, values]) => {
    const heights = Float32Array.from({ length: rows * cols }, () => values.next().value ?? 0);
    return createDem({ grid: utmGrid(rows, cols), heights, nodata: 4 });
  });
  fc.assert(
    fc.property(dems, (dem) => {
      const flow = flowOf(dem);
      const sides = edgeContamination(flow);
      const steps = stepsByCode(dem.grid.cols);
      for (const at of flow.order) {
        const into = at + steps[flow.directions[at]!]!;
        expect(sides[into]! & sides[at]!).toBe(sides[at]);
      }
    }),
    { numRuns: 300 },
  );
});

it.each([1, 2, 3, 4])('cells without a mark have the same catchments in a larger window: seed %d', (seed) => {
  const [size, margin] = [240, 60];
  const rough = roughSurface(utmGrid(size, size), { seed, relief: 40 });
  const heights = rough.heights.map((height, at) => height - Math.floor(at / size) - 0.3 * (at % size));
  const whole = accumulatedAreas(flowOf(createDem({ grid: rough.grid, heights })));
  const side = size - 2 * margin;
  const outer = (at: number): number => (margin + Math.floor(at / side)) * size + margin + (at % side);
  const part = Float32Array.from({ length: side * side }, (_, at) => heights[outer(at)]!);
  const flow = flowOf(createDem({ grid: utmGrid(side, side), heights: part }));
  const sides = edgeContamination(flow);
  const areas = accumulatedAreas(flow);
  let clean = 0;
  let short = 0;
  sides.forEach((side_, at) => {
    if (side_ === 0) {
      clean += 1;
      expect(areas[at]).toBe(whole[outer(at)]);
    } else if (areas[at]! < 0.5 * whole[outer(at)]!) short += 1;
  });
  expect(clean).toBeGreaterThan(0.7 * side * side);
  expect(short).toBeGreaterThan(20);
});
