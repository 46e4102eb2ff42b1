import { OUTLET, stepsByCode } from './directions.ts';
import { hasGap, type Flow } from './flow.ts';

/** Bits of the sides from which unseen water (from outside) may enter a DEM; `gap`: from cells without a height. */
export const SIDES = { north: 1, east: 2, south: 4, west: 8, gap: 16 } as const;

/**
 * Sides from which unseen water may reach each cell, as bits of `SIDES` (edge contamination check of TauDEM).
 * Uint8 `[rows * cols]`; 0 if the catchment is complete.
 */
export function edgeContamination(flow: Flow): Uint8Array {
  const { grid, directions, order } = flow;
  const { rows, cols } = grid;
  const sides = new Uint8Array(directions.length);
  const steps = stepsByCode(cols);
  for (let k = order.length - 1; k >= 0; k -= 1) {
    const at = order[k]!;
    const col = at % cols;
    let own = sides[at]!;
    if (at < cols) own |= SIDES.north;
    if (at >= (rows - 1) * cols) own |= SIDES.south;
    if (col === 0) own |= SIDES.west;
    if (col === cols - 1) own |= SIDES.east;
    if ((isAtBorder(at, grid) || directions[at] !== OUTLET) && bordersGap(flow, at)) own |= SIDES.gap;
    sides[at] = own;
    const step = steps[directions[at]!]!;
    if (step !== 0) sides[at + step]! |= own;
  }
  return sides;
}

function isAtBorder(at: number, { rows, cols }: Flow['grid']): boolean {
  const col = at % cols;
  return at < cols || at >= (rows - 1) * cols || col === 0 || col === cols - 1;
}

/** True if a neighbour of a cell has no height. */
export const bordersGap = (flow: Flow, at: number): boolean =>
  isAtBorder(at, flow.grid) ? hasGapWithin(flow, at) : hasGap(flow.filled, at, flow.grid.cols);

/** True if a neighbour inside of the DEM has no height. Used for border cells. */
function hasGapWithin({ grid: { rows, cols }, filled }: Flow, at: number): boolean {
  const [row, col] = [Math.floor(at / cols), at % cols];
  for (let r = Math.max(0, row - 1); r <= Math.min(rows - 1, row + 1); r += 1) {
    for (let c = Math.max(0, col - 1); c <= Math.min(cols - 1, col + 1); c += 1) {
      if (Number.isNaN(filled[r * cols + c]!)) return true;
    }
  }
  return false;
}
