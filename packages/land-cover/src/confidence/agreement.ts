import { MOST } from './evidence.ts';

/** Confidence (percent) of a class that was filled in or changed by the classes of other years. */
export const CONFIDENCE_OF_OTHER_YEARS = 50;

/**
 * Changes of the log-odds of a class by one neighbouring year, for three cases: the year has another class, another class of the same kind (crop
 * or water), or the same class. In the generated landscape of `e2e/worlds/second`, another class changes the log-odds by -2 to -4, and the same
 * class by 0.3 to 1. About half of these values is used here, because real land changes, and errors of real neighbouring years are correlated. A
 * missing or unobserved year changes nothing.
 */
const [OTHER, KIND, SAME] = [-1.5, -0.5, 0.3];
const STEPS = [0, OTHER, KIND, SAME] as const;

const isCrop = (v: number): boolean => v >= 8 && v <= 11;
const isWater = (v: number): boolean => v >= 2 && v <= 4;

/**
 * Agreement of a class with the class of one neighbouring year: 0 = not observed, 1 = another class, 2 = another class of the same kind, 3 = the
 * same class.
 */
export function agreementOf(label: number, neighbour: number): number {
  if (neighbour === 0) return 0;
  if (neighbour === label) return 3;
  return (isCrop(label) && isCrop(neighbour)) || (isWater(label) && isWater(neighbour)) ? 2 : 1;
}

const TABLE = Uint8Array.from({ length: 16 * 128 }, (_, at) => {
  const percent = at % 128;
  const [before, after] = [at >> 9, (at >> 7) & 3];
  if (percent === 0 || percent >= 100 || before + after === 0) return percent;
  const odds = Math.log(percent / (100 - percent)) + STEPS[before]! + STEPS[after]!;
  return Math.max(1, Math.min(Math.max(MOST, percent), Math.round(100 / (1 + Math.exp(-odds)))));
});

/** Returns a confidence (percent), adjusted by the agreements (0-3) with the years before and after. */
export const withNeighbours = (confidence: number, before: number, after: number): number =>
  TABLE[(before << 9) | (after << 7) | confidence]!;
