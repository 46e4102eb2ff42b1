import type { PixelGrid } from '@headwater/core';
import { cellSizes } from '../dem/cell-size.ts';
import type { Dem } from '../dem/dem.ts';
import { accumulatedCells } from './accumulate.ts';
import type { Streams } from './drainage.ts';
import { flowOf, type Flow } from './flow.ts';
import { stepsByCode } from './directions.ts';

/**
 * Default of the smallest catchment of a stream, hectares. An area, unlike a number of cells, gives the same network
 * on finer DEMs (decisions 071 and 223).
 */
export const STREAM_HECTARES = 11;
const M2_PER_HA = 10_000;

/**
 * Number of cells (at least 1) with an area of `hectares` at `latitude` (default: at the middle row). In UTM,
 * `latitude` has no effect.
 */
export function streamThreshold(grid: PixelGrid, hectares = STREAM_HECTARES, latitude?: number): number {
  const { x, y } = cellSizes(grid);
  const isInDegrees = grid.crs === 'EPSG:4326' && latitude !== undefined;
  const row = Math.floor(isInDegrees ? (grid.north - latitude) / grid.pixelHeight : grid.rows / 2);
  const within = Math.min(Math.max(row, 0), grid.rows - 1);
  return Math.max(1, Math.round((hectares * M2_PER_HA) / (x[within]! * y[within]!)));
}

/**
 * Streams of a DEM with Strahler orders. The threshold is computed at `latitude`, or else at the middle row, which
 * depends on the margin of the DEM.
 */
export function streamsOf(dem: Dem, hectares = STREAM_HECTARES, latitude?: number): Streams {
  const flow = flowOf(dem);
  const cells = accumulatedCells(flow);
  return { flow, cells, orders: streamOrders(flow, cells, streamThreshold(dem.grid, hectares, latitude)) };
}

/**
 * Strahler order (1957, Trans. AGU 38:913) of cells through which at least `threshold` cells drain, themselves
 * included; uint8 `[rows * cols]`, 0 elsewhere.
 */
export function streamOrders(flow: Flow, cells: Uint32Array, threshold: number): Uint8Array {
  const steps = stepsByCode(flow.grid.cols);
  const orders = new Uint8Array(cells.length);
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
