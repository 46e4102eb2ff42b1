import type { ZoneIndex } from '../landforms/zone-moments.ts';
import { stepsByCode } from './directions.ts';
import type { Flow } from './flow.ts';

/** Cells at which water leaves the data, by descending number of upstream cells. */
export function outlets(flow: Flow, cells: Uint32Array): readonly number[] {
  const steps = stepsByCode(flow.grid.cols);
  const found: number[] = [];
  for (let k = 0; k < flow.order.length; k += 1) {
    const at = flow.order[k]!;
    if (steps[flow.directions[at]!] === 0) found.push(at);
  }
  return found.toSorted((a, b) => cells[b]! - cells[a]! || a - b);
}

/** Number (from 1) of the first pour point downstream of each cell. Int32 `[rows * cols]`; 0 without a pour point. */
export function watersheds({ grid, directions, order }: Flow, pourPoints: readonly number[]): Int32Array {
  const steps = stepsByCode(grid.cols);
  const labels = new Int32Array(directions.length);
  pourPoints.forEach((at, index) => {
    labels[at] = index + 1;
  });
  for (let k = 0; k < order.length; k += 1) {
    const at = order[k]!;
    if (labels[at] === 0) labels[at] = labels[at + steps[directions[at]!]!]!;
  }
  return labels;
}

/** Cell with the most upstream cells, by zone; -1 for a zone without data. Entry 0 is unused. */
export function pourPoints({ zones, count }: ZoneIndex, cells: Uint32Array): Int32Array {
  const best = new Int32Array(count + 1).fill(-1);
  for (let at = 0; at < cells.length; at += 1) {
    const zone = zones[at]!;
    if (zone === 0 || cells[at] === 0) continue;
    const champion = best[zone]!;
    if (champion === -1 || cells[at]! > cells[champion]!) best[zone] = at;
  }
  return best;
}
