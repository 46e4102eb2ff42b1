import { planeOf, type WholeBlock, type WholeBlockInput } from '@headwater/core/pixel-plan';
import { z } from 'zod';
import { createDem, type Dem } from '../dem/dem.ts';
import { accumulatedAreas } from '../hydrology/accumulate.ts';
import { bordersGap, edgeContamination, SIDES } from '../hydrology/edge-contamination.ts';
import type { Streams } from '../hydrology/drainage.ts';
import { flowOf } from '../hydrology/flow.ts';
import { distanceToStreams } from '../hydrology/nearest-stream.ts';
import { streamsOf } from '../hydrology/stream-network.ts';
import { publishedOrders } from '../zones/stream-order-shares.ts';
import { findLines, type FoundLines } from './drainage/find-lines.ts';
import { zoneRings } from './dem/elevation-about.ts';

const M2_PER_HA = 10_000;

const demOf = ({ grid, inputs }: WholeBlockInput): Dem =>
  createDem({ grid, heights: planeOf(inputs, 'heights', 'float32') });

const streamParams = z.object({
  streamHectares: z.number().positive(),
  latitude: z.number().optional(),
});

const streamsIn = (input: WholeBlockInput): Streams => {
  const { streamHectares, latitude } = streamParams.parse(input.params);
  return streamsOf(demOf(input), streamHectares, latitude);
};

/**
 * Computes Strahler orders from `heights` (m), with `streamParams`. Writes `values`, uint8, as in `publishedOrders`.
 */
export const streamOrderBlock: WholeBlock = (input) => {
  const dem = demOf(input);
  const { flow, orders } = streamsIn(input);
  const unseen = edgeContamination(flow);
  const known = dem.heights.map((height, at) => (unseen[at] === 0 ? height : Number.NaN));
  planeOf(input.outputs, 'values', 'uint8').set(publishedOrders(orders, known));
  return null;
};

/**
 * Computes catchment areas in hectares from `heights`. Writes `values`, float32; NaN for an incomplete catchment or an
 * unknown height.
 */
export const catchmentAreaBlock: WholeBlock = (input) => {
  const flow = flowOf(demOf(input));
  const areas = accumulatedAreas(flow);
  const unseen = edgeContamination(flow);
  const values = planeOf(input.outputs, 'values', 'float32');
  // A pixel with a height has at least its own area, so an area of 0 means no height.
  for (let at = 0; at < values.length; at += 1)
    values[at] = areas[at] === 0 || unseen[at] !== 0 ? Number.NaN : areas[at]! / M2_PER_HA;
  return null;
};

/**
 * Computes the distance to the nearest stream in m from `heights`, with `streamParams`. Writes `values`, float32. A
 * pixel with an incomplete catchment (except at a coast) may be a stream: if it is nearer than the nearest known
 * stream, the value is NaN. Also NaN without a height or without any known stream.
 */
export const streamDistanceBlock: WholeBlock = (input) => {
  const dem = demOf(input);
  const values = planeOf(input.outputs, 'values', 'float32');
  const { flow, orders } = streamsIn(input);
  values.set(distanceToStreams(dem.grid, orders));
  const unseen = edgeContamination(flow);
  const isCoast = (at: number): boolean => unseen[at] === SIDES.gap && bordersGap(flow, at);
  const possible = distanceToStreams(
    dem.grid,
    orders.map((order, at) => Math.max(order, unseen[at] !== 0 && !isCoast(at) ? 1 : 0)),
  );
  for (let at = 0; at < values.length; at += 1) {
    const isUnknown = Number.isNaN(dem.heights[at]) || values[at] === Infinity || possible[at]! < values[at]!;
    if (isUnknown) values[at] = Number.NaN;
  }
  return null;
};

/**
 * Computes the depth of depressions in m from `heights`. Writes `values`, float32; 0 outside of depressions, NaN
 * without height.
 */
export const depressionBlock: WholeBlock = (input) => {
  const dem = demOf(input);
  const { filled } = flowOf(dem);
  planeOf(input.outputs, 'values', 'float32').set(filled.map((level, at) => level - dem.heights[at]!));
  return null;
};

/** Computes drainage lines from `heights`, with `streamParams` and `zones` (lon/lat). Returns `FoundLines`. */
export const drainageBlock: WholeBlock = (input): FoundLines =>
  findLines(streamsIn(input), zoneRings.parse(input.params['zones']));
