import type { ComputedPlace } from '@headwater/core';

/** Settings of layers with streams. */
export interface StreamSettings {
  /** Smallest catchment of a stream, hectares; default `STREAM_HECTARES`. */
  readonly streamHectares?: number | undefined;
}

/** Properties of an Item about the layer's streams. */
export const streamProperties = (streamHectares: number) => ({ 'headwater:stream_hectares': streamHectares });

/** Parameters of blocks with streams. The place's latitude makes the threshold independent of the margin. */
export const streamParamsOf = ({ box: [, south, , north] }: Pick<ComputedPlace, 'box'>, streamHectares: number) => ({
  streamHectares,
  latitude: (south + north) / 2,
});
