import type { CombineBlock } from '@headwater/core/pixel-plan';

/** Nodata value of the dryness raster, in per mille. */
export const NO_DRYNESS = -32_768;

/** Converts wetness (-1 to 1) to dryness: `permille` (int16) and `square` (float32). */
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
