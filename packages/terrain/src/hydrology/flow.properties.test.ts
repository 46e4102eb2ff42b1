import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { surface, utmGrid } from '../dem/surfaces.fixture.ts';
import type { Dem } from '../dem/dem.ts';
import { accumulatedCells } from './accumulate.ts';
import { stepsByCode } from './directions.ts';
import { flowOf } from './flow.ts';
import { streamOrders } from './stream-network.ts';
import { outlets, watersheds } from './watersheds.ts';

/** DEMs with many equal heights, pits, negative heights and cells without a height. */
const dems: fc.Arbitrary<Dem> = fc
  .tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 9 }))
  .chain(([rows, cols]) =>
    fc
      .array(
        fc.option(
          fc.oneof(fc.integer({ min: -2, max: 3 }), fc.constant(-0), fc.float({ min: -500, max: 8848, noNaN: true })),
          { freq: 8 },
        ),
        {
          minLength: rows * cols,
          maxLength: rows * cols,
        },
      )
      .map((heights) => surface(utmGrid(rows, cols), (row, col) => heights[row * cols + col] ?? Number.NaN)),
  );

function around({ grid: { rows, cols } }: Dem, values: Float32Array, at: number): readonly number[] {
  const [row, col] = [Math.floor(at / cols), at % cols];
  return [-1, 0, 1].flatMap((down) =>
    [-1, 0, 1].map((right) => {
      const [r, c] = [row + down, col + right];
      return r < 0 || c < 0 || r >= rows || c >= cols ? Number.NaN : values[r * cols + c]!;
    }),
  );
}

const isBorder = (dem: Dem, at: number): boolean => around(dem, dem.heights, at).some(Number.isNaN);

const holds = (check: (dem: Dem) => void): void => fc.assert(fc.property(dems, check), { numRuns: 500 });

describe('on any DEM', () => {
  it('every cell with data drains to the border, never upwards', () => {
    holds((dem) => {
      const { directions, filled } = flowOf(dem);
      const steps = stepsByCode(dem.grid.cols);
      dem.heights.forEach((height, start) => {
        if (Number.isNaN(height)) return expect(directions[start]).toBe(255);
        let at = start;
        for (let taken = 0; directions[at] !== 0; taken += 1) {
          expect(taken).toBeLessThan(dem.heights.length);
          const next = at + steps[directions[at]!]!;
          expect(filled[next]!).toBeLessThanOrEqual(filled[at]!);
          at = next;
        }
        return expect(isBorder(dem, at)).toBe(true);
      });
    });
  });

  it('filling lowers no cell and keeps border cells; a raised cell is as high as its lowest neighbour; a second filling changes nothing', () => {
    holds((dem) => {
      const { filled, grid } = flowOf(dem);
      filled.forEach((height, at) => {
        if (Number.isNaN(dem.heights[at])) expect(height).toBeNaN();
        else if (isBorder(dem, at)) expect(height + 0).toBe(dem.heights[at]! + 0);
        else if (height !== dem.heights[at]) {
          expect(height).toBeGreaterThan(dem.heights[at]!);
          expect(height + 0).toBe(Math.min(...around(dem, filled, at)) + 0);
        }
      });
      expect(flowOf({ grid, heights: filled }).filled.map((v) => v + 0)).toEqual(filled.map((v) => v + 0));
    });
  });

  it('the accumulations at all outlets add up to the number of cells with data, and each outlet has a watershed of that size', () => {
    holds((dem) => {
      const flow = flowOf(dem);
      const cells = accumulatedCells(flow);
      const known = dem.heights.filter((height) => !Number.isNaN(height)).length;
      const all = outlets(flow, cells);
      expect(all.reduce((sum, at) => sum + cells[at]!, 0)).toBe(known);
      expect(flow.order).toHaveLength(known);
      const labels = watersheds(flow, all);
      all.forEach((at, index) => expect(labels.filter((label) => label === index + 1)).toHaveLength(cells[at]!));
    });
  });

  it('`order` lists each cell after the cell into which it drains, and stream orders never decrease downstream', () => {
    holds((dem) => {
      const flow = flowOf(dem);
      const steps = stepsByCode(dem.grid.cols);
      const turn = new Map([...flow.order].map((at, k) => [at, k]));
      const orders = streamOrders(flow, accumulatedCells(flow), 2);
      for (const at of flow.order) {
        const step = steps[flow.directions[at]!]!;
        if (step === 0) continue;
        expect(turn.get(at + step)!).toBeLessThan(turn.get(at)!);
        expect(orders[at + step]!).toBeGreaterThanOrEqual(orders[at]!);
      }
    });
  });
});
