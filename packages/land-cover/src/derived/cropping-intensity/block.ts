import type { CombineBlock } from '@headwater/core/pixel-plan';
import { CROP_CODES } from './intensity.ts';

/** Writes 1 to the output `ever` if any input (yearly classes) is a crop, otherwise 0. */
export const everCroppedBlock: CombineBlock = ({ pixels, inputs, outputs }) => {
  const { ever } = outputs;
  if (ever === undefined) throw new TypeError('everCroppedBlock: needs the output ever');
  const isCrop = new Uint8Array(256);
  for (const code of CROP_CODES) isCrop[code] = 1;
  for (const labels of Object.values(inputs)) for (let i = 0; i < pixels; i++) ever[i]! |= isCrop[labels[i]!]!;
};
