import { cellSizes } from '../dem/cell-size.ts';
import type { Dem } from '../dem/dem.ts';
import type { PixelGrid } from '@headwater/core';
import { accumulatedCells } from './accumulate.ts';
import type { Streams } from './drainage.ts';
import { flowOf } from './flow.ts';
import { streamOrders } from './stream-order.ts';

/**
 * Catchment of a stream's first pixel in hectares: 100 pixels of 30 m. It is an area instead of a number of pixels, so
 * that finer DEMs give the same network (decision 071).
 */
export const STREAM_HECTARES = 9;
const M2_PER_HA = 10_000;

/** Number of cells with the area `STREAM_HECTARES`, by the pixel area in the middle row; at least one. */
export function streamThreshold(grid: PixelGrid): number {
  const { x, y } = cellSizes(grid);
  const middle = Math.floor(grid.rows / 2);
  return Math.max(1, Math.round((STREAM_HECTARES * M2_PER_HA) / (x[middle]! * y[middle]!)));
}

/**
 * Streams of a DEM: depressions filled, D8 flow, and Strahler orders of cells with a catchment of at least
 * `STREAM_HECTARES`.
 */
export function streamsOf(dem: Dem): Streams {
  const flow = flowOf(dem);
  const cells = accumulatedCells(flow);
  return { flow, cells, orders: streamOrders(flow, cells, streamThreshold(dem.grid)) };
}
