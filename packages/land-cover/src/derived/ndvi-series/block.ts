import { type CombineBlock, type CompositeBlock, INDEX_NODATA, type Plane, planeOf } from '@headwater/core/pixel-plan';
import { COVERS } from './covers.ts';

/** Output of a fortnight; they count from 0. */
export const stepName = (step: number): string => `ndvi_${step}`;

/** Medians of NDVI (int16 x 10000) as they are, gaps not filled: a plane per fortnight. */
export const ndviBlock: CompositeBlock<Plane> = ({ pixels, series, outputs }) => {
  const { ndvi } = series;
  if (ndvi === undefined) throw new TypeError('ndviBlock: needs the series ndvi');
  for (const [step, name] of Object.keys(outputs).map((_, index) => [index, stepName(index)] as const)) {
    planeOf(outputs, name, 'int16').set(ndvi.subarray(step * pixels, (step + 1) * pixels));
  }
};

/** NDVI where the land has a cover, no data elsewhere: a plane per cover. Inputs: `labels`, `ndvi`. */
export const coverNdviBlock: CombineBlock<Plane> = ({ pixels, inputs, outputs }) => {
  const [labels, ndvi] = [planeOf(inputs, 'labels', 'uint8'), planeOf(inputs, 'ndvi', 'int16')];
  for (const { name, codes } of COVERS) {
    const isCover = new Uint8Array(256);
    for (const code of codes) isCover[code] = 1;
    const plane = planeOf(outputs, name, 'int16');
    for (let i = 0; i < pixels; i++) plane[i] = isCover[labels[i]!] === 1 ? ndvi[i]! : INDEX_NODATA;
  }
};
