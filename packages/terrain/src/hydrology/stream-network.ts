import type { PixelGrid } from '@headwater/core';
import { cellSizes } from '../dem/cell-size.ts';
import type { Dem } from '../dem/dem.ts';
import { accumulatedCells } from './accumulate.ts';
import type { Streams } from './drainage.ts';
import { flowOf, type Flow } from './flow.ts';
import { stepsByCode } from './directions.ts';

/**
 * Default of the smallest catchment of a stream, in hectares. It is the smallest threshold at which streams have a
 * constant drop (`dropTests`) on 890 km2 of the Appalachians, measured by SRTM (decision 223). It is an area and not a
 * number of pixels, so that finer DEMs give the same network (decision 071).
 */
export const STREAM_HECTARES = 11;
const M2_PER_HA = 10_000;

/**
 * Number of cells that together have the area `hectares`, at least 1. The number is computed from the pixel area at
 * `latitude`; default: the latitude of the grid's middle row. For a grid in UTM, `latitude` has no effect, because all
 * pixels have the same area.
 */
export function streamThreshold(grid: PixelGrid, hectares = STREAM_HECTARES, latitude?: number): number {
  const { x, y } = cellSizes(grid);
  const isInDegrees = grid.crs === 'EPSG:4326' && latitude !== undefined;
  const row = Math.floor(isInDegrees ? (grid.north - latitude) / grid.pixelHeight : grid.rows / 2);
  const within = Math.min(Math.max(row, 0), grid.rows - 1);
  return Math.max(1, Math.round((hectares * M2_PER_HA) / (x[within]! * y[within]!)));
}

/**
 * Streams of a DEM. Depressions are filled, the flow is D8, and cells with a catchment of at least `hectares` have
 * Strahler orders. If the latitude of the place is passed, the threshold does not depend on the margin around the
 * place.
 */
export function streamsOf(dem: Dem, hectares = STREAM_HECTARES, latitude?: number): Streams {
  const flow = flowOf(dem);
  const cells = accumulatedCells(flow);
  return { flow, cells, orders: streamOrders(flow, cells, streamThreshold(dem.grid, hectares, latitude)) };
}

/**
 * Strahler order (1957, Trans. AGU 38:913) of cells with at least `threshold` upstream cells; uint8 `[rows * cols]`, 0
 * elsewhere. Below a confluence the order is the greatest order above it, plus one if at least two streams with this
 * order meet. `cells` is the result of `accumulatedCells`.
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
