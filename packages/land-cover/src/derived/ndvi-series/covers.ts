import { CROP_CODES } from '../cropping-intensity/intensity.ts';

/** Kinds of land that have a series each, under the names that end layers and series. */
export const COVERS = [
  { name: 'crop', title: 'crops', codes: CROP_CODES },
  { name: 'shrub', title: 'shrub', codes: [12] },
  { name: 'tree', title: 'trees', codes: [6] },
] as const;

/** `crop`, `shrub` or `tree`. */
export type CoverName = (typeof COVERS)[number]['name'];
