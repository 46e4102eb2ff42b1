import { type CompositeBlock, type Plane, planeOf } from '@headwater/core/pixel-plan';

/** Name of the output of a fortnight; fortnights count from 0. */
export const stepName = (step: number): string => `ndvi_${step}`;

/** Copies medians of NDVI (int16 x 10000) without filling gaps: a plane per fortnight. */
export const ndviBlock: CompositeBlock<Plane> = ({ pixels, series, outputs }) => {
  const { ndvi } = series;
  if (ndvi === undefined) throw new TypeError('ndviBlock: needs the series ndvi');
  for (const [step, name] of Object.keys(outputs).map((_, index) => [index, stepName(index)] as const)) {
    planeOf(outputs, name, 'int16').set(ndvi.subarray(step * pixels, (step + 1) * pixels));
  }
};
