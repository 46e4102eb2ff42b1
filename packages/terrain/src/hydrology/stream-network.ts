import { cellSizes } from '../dem/cell-size.ts';
import type { Dem } from '../dem/dem.ts';
import type { PixelGrid } from '@headwater/core';
import { accumulatedCells } from './accumulate.ts';
import type { Streams } from './drainage.ts';
import { flowOf } from './flow.ts';
import { streamOrders } from './stream-order.ts';

/** Hectares from which a stream begins: 100 pixels of 30 m. An area, so that finer DEMs give the same network; why: decision 071. */
export const STREAM_HECTARES = 9;
const M2_PER_HA = 10_000;

/** Cells of a grid that make `STREAM_HECTARES`, by the area of a pixel in its middle row; at least one. */
export function streamThreshold(grid: PixelGrid): number {
  const { x, y } = cellSizes(grid);
  const middle = Math.floor(grid.rows / 2);
  return Math.max(1, Math.round((STREAM_HECTARES * M2_PER_HA) / (x[middle]! * y[middle]!)));
}

/** Streams of a DEM: depressions filled, D8 flow, Strahler orders of cells through which `STREAM_HECTARES` drain. */
export function streamsOf(dem: Dem): Streams {
  const flow = flowOf(dem);
  const cells = accumulatedCells(flow);
  return { flow, cells, orders: streamOrders(flow, cells, streamThreshold(dem.grid)) };
}
