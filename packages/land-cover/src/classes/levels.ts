import type { StyleClass } from '@headwater/layer-kit';
import { displayColor, LULC_CLASSES } from './classes.ts';

/** Level of a style: 1 = groups of land, 2 = trees and crops, 3 = every class. */
export type LulcLevel = 1 | 2 | 3;

/** All levels of styles. */
export const LULC_LEVELS: readonly LulcLevel[] = [1, 2, 3];

interface LevelGroup {
  readonly codes: readonly number[];
  readonly label: string;
  readonly color: string;
  readonly alpha: number;
}

const CROPS = [8, 9, 10, 11];

/** Groups of classes, as in the styles of the CoRE Stack. Classes without a group are transparent. */
const GROUPS: Readonly<Record<1 | 2, readonly LevelGroup[]>> = {
  1: [
    { codes: [1], label: 'Built Up', color: '#ff0000', alpha: 179 },
    { codes: [2, 3, 4], label: 'Water', color: '#1ca3ec', alpha: 179 },
    { codes: [6, ...CROPS], label: 'Greenery', color: '#73bb53', alpha: 179 },
    { codes: [7], label: 'Barren Lands', color: '#a9a9a9', alpha: 255 },
    { codes: [12], label: 'Shrubs / Scrubs', color: '#eaa4f0', alpha: 179 },
  ],
  2: [
    { codes: [6], label: 'Tree / Forests', color: '#73bb53', alpha: 179 },
    { codes: CROPS, label: 'Crop', color: '#fad36f', alpha: 179 },
  ],
};

/** Style of each class in a level, without code 5, which no result contains. */
export function levelStyle(level: LulcLevel): readonly StyleClass[] {
  return LULC_CLASSES.filter(({ code }) => code !== 5).map((each): StyleClass => {
    if (level === 3) {
      return { value: each.code, label: each.title, color: displayColor(each), alpha: each.code === 0 ? 0 : 255 };
    }
    const group = GROUPS[level].find(({ codes }) => codes.includes(each.code));
    if (group === undefined) return { value: each.code, label: each.title, color: '#000000', alpha: 0 };
    return { value: each.code, label: group.label, color: group.color, alpha: group.alpha };
  });
}
