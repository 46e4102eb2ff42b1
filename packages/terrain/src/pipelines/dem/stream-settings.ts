import type { ComputedPlace } from '@headwater/core';

/** Settings of layers with streams. */
export interface StreamSettings {
  /** Smallest catchment of a stream, hectares; default `STREAM_HECTARES`. */
  readonly streamHectares?: number | undefined;
}

/** Properties of an Item about the layer's streams. */
export const streamProperties = (streamHectares: number) => ({ 'headwater:stream_hectares': streamHectares });

/**
 * Parameters of blocks with streams. The latitude is that of the middle of the place, so the threshold in pixels does
 * not depend on the margin.
 */
export const streamParamsOf = ({ box: [, south, , north] }: Pick<ComputedPlace, 'box'>, streamHectares: number) => ({
  streamHectares,
  latitude: (south + north) / 2,
});
