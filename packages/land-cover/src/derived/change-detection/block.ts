import type { CombineBlock } from '@headwater/core/pixel-plan';
import { CHANGE_NAMES } from './layers.ts';
import { changesOf } from './transitions.ts';

/** Name of the input with the classes of a year; years count from 0 (the oldest). */
export const labelsOf = (year: number): string => `labels_${year}`;

/** Computes the five change layers from yearly classes (`labels_0`, ..., oldest first). */
export const changeBlock: CombineBlock = ({ inputs, outputs }) => {
  const years = Object.keys(inputs).map((_, index) => {
    const labels = inputs[labelsOf(index)];
    if (labels === undefined) throw new TypeError(`changeBlock: needs the input ${labelsOf(index)}`);
    return labels;
  });
  const [Urbanization, Degradation, Deforestation, Afforestation, CropIntensity] = CHANGE_NAMES.map((n) => outputs[n]);
  if (!Urbanization || !Degradation || !Deforestation || !Afforestation || !CropIntensity)
    throw new TypeError(`changeBlock: needs the outputs ${CHANGE_NAMES.join(', ')}`);
  changesOf(years, { Urbanization, Degradation, Deforestation, Afforestation, CropIntensity });
};
