/** Settings of layers that contain streams. */
export interface StreamSettings {
  /** Least catchment of a stream's pixels in hectares; default: `STREAM_HECTARES`. */
  readonly streamHectares?: number | undefined;
}

/** Properties of an Item about the streams of its layer. */
export const streamProperties = (streamHectares: number) => ({ 'headwater:stream_hectares': streamHectares });
