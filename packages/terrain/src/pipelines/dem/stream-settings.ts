import type { ComputedPlace } from '@headwater/core';

/** Settings of layers with streams. */
export interface StreamSettings {
  /** Smallest catchment of a stream, hectares; default `STREAM_HECTARES`. */
  readonly streamHectares?: number | undefined;
}

/** Properties of an Item about the streams of its layer. */
export const streamProperties = (streamHectares: number) => ({ 'headwater:stream_hectares': streamHectares });

/** Parameters of stream blocks. The latitude of the place keeps the threshold independent of the margin. */
export const streamParamsOf = ({ box: [, south, , north] }: Pick<ComputedPlace, 'box'>, streamHectares: number) => ({
  streamHectares,
  latitude: (south + north) / 2,
});
