import { describe, expect, it } from 'vitest';
import { degreeGrid, rowsOf, surface, utmGrid } from '../dem/surfaces.fixture.ts';
import { accumulated, accumulatedCells } from './accumulate.ts';
import { flowOf } from './flow.ts';

const N = Number.NaN;
const rows = (values: ArrayLike<number>, cols: number): number[][] =>
  Array.from({ length: values.length / cols }, (_, row) =>
    Array.from({ length: cols }, (__, col) => values[row * cols + col]!),
  );

describe('flow', () => {
  it('runs down a tilted plane and leaves at its foot', () => {
    const { directions } = flowOf(surface(utmGrid(3, 3), (row) => 10 - row));
    expect(rows(directions, 3)).toEqual([
      [4, 4, 4],
      [4, 4, 4],
      [0, 0, 0],
    ]);
  });

  it('uses true distances for the steepest descent: at 60 degrees north, a cell to the east is half as far as a cell to the north', () => {
    const dem = surface(degreeGrid(3, 3), (row, col) =>
      row === 1 && col === 1 ? 9 : row === 1 && col === 2 ? 5.5 : row === 2 && col === 1 ? 5 : 9,
    );
    expect(flowOf(dem).directions[4]).toBe(1);
    expect(flowOf(surface(utmGrid(3, 3), (row, col) => dem.heights[3 * row + col]!)).directions[4]).toBe(4);
  });

  it('fills a pit to its lowest spill point and drains it there', () => {
    const { filled, directions } = flowOf(
      rowsOf([
        [9, 9, 9, 9, 9],
        [9, 1, 2, 5, 3],
        [9, 9, 9, 9, 9],
      ]),
    );
    expect(rows(filled, 5)[1]).toEqual([9, 5, 5, 5, 3]);
    expect(rows(directions, 5)[1]).toEqual([1, 1, 1, 1, 0]);
  });

  it('drains a basin through the saddle, the lowest point of its rim, and not over the rest of the rim', () => {
    const dem = surface(utmGrid(9, 9), (row, col) =>
      row === 4 && col === 7 ? 30 : row === 0 || col === 0 || row === 8 || col >= 7 ? 50 : 20,
    );
    dem.heights[4 * 9 + 8] = 10;
    const flow = flowOf(dem);
    expect(flow.filled[4 * 9 + 4]).toBe(30);
    expect(accumulatedCells(flow)[4 * 9 + 8]).toBeGreaterThanOrEqual(43);
  });

  it('crosses a flat plain by the shortest way to the border', () => {
    const flow = flowOf(surface(utmGrid(7, 7), () => 3));
    expect(flow.order).toHaveLength(49);
    expect(Math.max(...accumulatedCells(flow))).toBeLessThan(10);
  });

  it('flows into cells without data, and assigns no direction to them', () => {
    const flow = flowOf(
      rowsOf([
        [5, 5, 5, 5, 5],
        [5, 4, 3, 4, 5],
        [5, 3, N, 3, 5],
        [5, 4, 3, 4, 5],
        [5, 5, 5, 5, 5],
      ]),
    );
    expect(flow.directions[12]).toBe(255);
    expect(flow.filled[12]).toBeNaN();
    expect([flow.directions[7], flow.directions[11]]).toEqual([0, 0]);
    expect(accumulatedCells(flow)[12]).toBe(0);
    expect(flow.order).toHaveLength(24);
  });

  it('works on a DEM of one row, of one cell, and without any data', () => {
    expect(flowOf(rowsOf([[3, 2, 1]])).directions).toEqual(Uint8Array.of(1, 1, 0));
    expect(accumulatedCells(flowOf(rowsOf([[3, 2, 1]])))).toEqual(Uint32Array.of(1, 2, 3));
    expect(flowOf(rowsOf([[4]])).directions).toEqual(Uint8Array.of(0));
    expect(
      flowOf(
        rowsOf([
          [N, N],
          [N, N],
        ]),
      ).order,
    ).toHaveLength(0);
  });

  it('processes heights below 0, of 0 and of -0 in the right order', () => {
    const flow = flowOf(
      rowsOf([
        [1, 1, 1, 1, 1],
        [1, -0, 0, -0, -3],
        [1, -7, 0, 0, 1],
        [1, 1, 1, 1, 1],
      ]),
    );
    expect(accumulatedCells(flow)[9]).toBeGreaterThanOrEqual(7);
    expect(flow.filled[11]).toBeCloseTo(0, 9);
  });

  it('treats 0 and -0 as the same height: a cell at -0 behind a spill point at 0 is processed before all higher cells', () => {
    const flow = flowOf(
      rowsOf([
        [9, 9, 9, 9, 9],
        [0, -0, 1, 2, 9],
        [9, 9, 9, 9, 9],
      ]),
    );
    expect(rows(flow.filled, 5)[1]!.map((height) => height + 0)).toEqual([0, 0, 1, 2, 9]);
  });

  it('accumulates weights instead of cells', () => {
    expect(accumulated(flowOf(rowsOf([[3, 2, 1]])), [0.5, 0.25, 2])).toEqual(Float64Array.of(0.5, 0.75, 2.75));
  });
});
