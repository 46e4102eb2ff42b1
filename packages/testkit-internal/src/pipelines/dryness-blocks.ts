import type { CombineBlock } from '@headwater/core/pixel-plan';

/** Nodata value of the dryness raster, whose other values are per mille. */
export const NO_DRYNESS = -32_768;

/**
 * Converts wetness (-1 to 1, NaN without data) to `permille` (int16, -1000 times the wetness) and `square` (float32,
 * square of the wetness).
 */
export const drynessBlock: CombineBlock = ({ pixels, inputs, outputs }) => {
  const { wetness } = inputs;
  const { permille, square } = outputs;
  if (wetness === undefined || permille === undefined || square === undefined)
    throw new TypeError('drynessBlock: needs the input wetness, and the outputs permille and square');
  for (let i = 0; i < pixels; i++) {
    const value = wetness[i] ?? Number.NaN;
    permille[i] = Number.isNaN(value) ? NO_DRYNESS : Math.round(-1000 * value);
    square[i] = value * value;
  }
};
