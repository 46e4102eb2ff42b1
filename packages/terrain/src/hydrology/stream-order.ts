import { stepsByCode } from './directions.ts';
import type { Flow } from './flow.ts';

/**
 * Strahler order (1957, Trans. AGU 38:913) of cells with at least `threshold` upstream cells; uint8 `[rows * cols]`,
 * 0 elsewhere. Below a confluence the order is the greatest order above it, plus one if at least two streams have
 * that order. `cells` is the result of `accumulatedCells`.
 */
export function streamOrders(flow: Flow, cells: Uint32Array, threshold: number): Uint8Array {
  const steps = stepsByCode(flow.grid.cols);
  const orders = new Uint8Array(cells.length);
  // 1 if at least two inflows of a cell have the greatest order.
  const twice = new Uint8Array(cells.length);
  for (let k = flow.order.length - 1; k >= 0; k -= 1) {
    const at = flow.order[k]!;
    if (cells[at]! < threshold) continue;
    const own = Math.max(1, orders[at]! + twice[at]!);
    orders[at] = own;
    const step = steps[flow.directions[at]!]!;
    if (step === 0) continue;
    const into = at + step;
    if (own > orders[into]!) {
      orders[into] = own;
      twice[into] = 0;
    } else if (own === orders[into]!) twice[into] = 1;
  }
  return orders;
}
