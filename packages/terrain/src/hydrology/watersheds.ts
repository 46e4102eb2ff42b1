import type { ZoneIndex } from '../landforms/zone-moments.ts';
import { stepsByCode } from './directions.ts';
import type { Flow } from './flow.ts';

/**
 * Cells at which water leaves the DEM. The cells with the most upstream cells are first; cells with equal numbers of upstream cells are in
 * the order of their indexes. `cells` is the result of `accumulatedCells`.
 */
export function outlets(flow: Flow, cells: Uint32Array): readonly number[] {
  const steps = stepsByCode(flow.grid.cols);
  const found: number[] = [];
  for (let k = 0; k < flow.order.length; k += 1) {
    const at = flow.order[k]!;
    if (steps[flow.directions[at]!] === 0) found.push(at);
  }
  return found.toSorted((a, b) => cells[b]! - cells[a]! || a - b);
}

/**
 * Watersheds of the given cells (`pourPoints`), numbered from 1 in the order of these cells. Each cell of the DEM has the number of the
 * first pour point downstream; 0 means that there is no pour point downstream. Int32 `[rows * cols]`. If a pour point is upstream of a
 * second pour point, the watershed of the second pour point does not include the watershed of the first.
 */
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

/**
 * For each zone, the cell of the zone with the most upstream cells. The result is indexed by zone; -1 for a zone without data. Entry 0 is
 * unused. `cells` is the result of `accumulatedCells`.
 */
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
