import { cellSizes } from '../dem/cell-size.ts';
import { stepsByCode } from './directions.ts';
import type { Flow } from './flow.ts';

/** Number of cells that drain through each cell, the cell itself included. Uint32 `[rows * cols]`; 0 without data. */
export function accumulatedCells(flow: Flow): Uint32Array {
  const cells = new Uint32Array(flow.directions.length);
  for (let k = 0; k < flow.order.length; k += 1) cells[flow.order[k]!] = 1;
  return passDown(flow, cells);
}

/**
 * Sum of `weights` (`[rows * cols]`) over the cells that drain through each cell, the cell itself included. Float64; 0
 * without data.
 */
export function accumulated(flow: Flow, weights: ArrayLike<number>): Float64Array {
  const sums = new Float64Array(flow.directions.length);
  for (let k = 0; k < flow.order.length; k += 1) sums[flow.order[k]!] = weights[flow.order[k]!]!;
  return passDown(flow, sums);
}

/** Catchment area of each cell, the cell itself included, m2. Float64 `[rows * cols]`; 0 without data. */
export function accumulatedAreas(flow: Flow): Float64Array {
  const { cols } = flow.grid;
  const { x, y } = cellSizes(flow.grid);
  const sums = new Float64Array(flow.directions.length);
  for (let k = 0; k < flow.order.length; k += 1) {
    const at = flow.order[k]!;
    const row = Math.floor(at / cols);
    sums[at] = x[row]! * y[row]!;
  }
  return passDown(flow, sums);
}

/**
 * Adds the sum of each cell to the cell that it drains into. One pass from the end of `order` is enough, because each
 * cell is after the cell that it drains into.
 */
function passDown<T extends Uint32Array | Float64Array>({ grid, directions, order }: Flow, sums: T): T {
  const steps = stepsByCode(grid.cols);
  for (let k = order.length - 1; k >= 0; k -= 1) {
    const at = order[k]!;
    const step = steps[directions[at]!]!;
    if (step !== 0) sums[at + step] = sums[at + step]! + sums[at]!;
  }
  return sums;
}
