import type { ComputedPlace } from '@headwater/core';

/** Settings of layers that contain streams. */
export interface StreamSettings {
  /** Least catchment of a stream's pixels in hectares; default: `STREAM_HECTARES`. */
  readonly streamHectares?: number | undefined;
}

/** Properties of an Item about the streams of its layer. */
export const streamProperties = (streamHectares: number) => ({ 'headwater:stream_hectares': streamHectares });

/**
 * Parameters of block functions that find streams. The threshold depends on the place's latitude, but not on the width of its
 * window.
 */
export const streamParamsOf = ({ box: [, south, , north] }: Pick<ComputedPlace, 'box'>, streamHectares: number) => ({
  streamHectares,
  latitude: (south + north) / 2,
});
