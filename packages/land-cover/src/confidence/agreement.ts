import { MOST } from './evidence.ts';

/** Confidence (percent) of a class that other years filled in or changed. */
export const CONFIDENCE_OF_OTHER_YEARS = 50;

/**
 * Amounts that a neighbouring year adds to the log-odds of the class of a pixel. `OTHER`: the neighbouring year has
 * another class. `KIND`: it has another class of the same kind (crop or water). `SAME`: it has the same class. They are
 * about half of the values that `e2e/worlds/second` measured (-2 to -4 for another class, 0.3 to 1 for the same class),
 * because real land changes, and errors of neighbouring years are correlated.
 */
const [OTHER, KIND, SAME] = [-1.5, -0.5, 0.3];
const STEPS = [0, OTHER, KIND, SAME] as const;

const isCrop = (v: number): boolean => v >= 8 && v <= 11;
const isWater = (v: number): boolean => v >= 2 && v <= 4;

/**
 * Agreement with a neighbouring year: 0 = not observed, 1 = another class, 2 = another class of the same kind, 3 = the
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

/** Confidence (percent), adjusted by the agreements (0-3) with the years before and after. */
export const withNeighbours = (confidence: number, before: number, after: number): number =>
  TABLE[(before << 9) | (after << 7) | confidence]!;
