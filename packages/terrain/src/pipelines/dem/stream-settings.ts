import type { ComputedPlace } from '@headwater/core';

/** Settings of layers that contain streams. */
export interface StreamSettings {
  /**
   * Smallest catchment of a stream, in hectares; default: `STREAM_HECTARES`. Streams begin at pixels through which this
   * area drains.
   */
  readonly streamHectares?: number | undefined;
}

/** Properties of an Item about the streams of its layer. */
export const streamProperties = (streamHectares: number) => ({ 'headwater:stream_hectares': streamHectares });

/**
 * Parameters of block functions that find streams. The latitude is that of the middle of the place, so that the
 * threshold in pixels does not depend on the margin around the place.
 */
export const streamParamsOf = ({ box: [, south, , north] }: Pick<ComputedPlace, 'box'>, streamHectares: number) => ({
  streamHectares,
  latitude: (south + north) / 2,
});
