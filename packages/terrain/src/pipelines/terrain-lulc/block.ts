import type { CombineBlock } from '@headwater/core/pixel-plan';
import { landCoverCodes } from '../../zones/land-cover-by-terrain.ts';

/** Name of the input plane of the year with this index, from 0. */
export const labelsOf = (year: number): string => `labels_${year}`;

/**
 * Computes codes (`landCoverCodes`) of land cover on plains and slopes. Reads `landforms` and `labels_0`, ... (oldest
 * first).
 */
export const terrainLulcBlock: CombineBlock = ({ inputs, outputs }) => {
  const { landforms, ...labels } = inputs;
  const { codes } = outputs;
  if (landforms === undefined || codes === undefined)
    throw new TypeError('terrainLulcBlock: needs the input landforms and the output codes');
  const years = Object.keys(labels).map((_, index) => {
    const year = labels[labelsOf(index)];
    if (year === undefined) throw new TypeError(`terrainLulcBlock: needs the input ${labelsOf(index)}`);
    return year;
  });
  landCoverCodes({ landforms, years }, codes);
};
