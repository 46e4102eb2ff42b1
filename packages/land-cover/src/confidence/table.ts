import { EVIDENCES } from './evidence.ts';

/**
 * Confidence in percent, a row per class 0..12, a column per kind of evidence 0..7. Made by `npm run confidence` from the four settings of
 * sample-world and published accuracies of global maps; a test makes it again and compares. Do not edit.
 */
// oxfmt-ignore
export const CONFIDENCE: readonly number[] = [
  0, 0, 0, 0, 0, 0, 0, 0, // 0
  83, 83, 86, 92, 83, 83, 89, 95, // 1
  92, 92, 92, 92, 92, 92, 92, 92, // 2
  92, 92, 92, 92, 92, 92, 92, 92, // 3
  92, 92, 92, 92, 92, 92, 92, 92, // 4
  0, 0, 0, 0, 0, 0, 0, 0, // 5
  81, 79, 77, 88, 81, 82, 93, 94, // 6
  57, 57, 56, 66, 57, 57, 57, 80, // 7
  75, 75, 74, 71, 75, 76, 87, 95, // 8
  75, 75, 76, 71, 75, 75, 84, 87, // 9
  75, 75, 74, 72, 75, 76, 86, 95, // 10
  65, 65, 65, 65, 65, 65, 61, 58, // 11
  47, 47, 46, 68, 47, 47, 43, 34, // 12
];

/** Confidence (percent, 1-100) of a class 1..12 that rests on evidence 0..7: the share of such pixels that is expected to be right. */
export const confidenceOf = (label: number, evidence: number): number => CONFIDENCE[label * EVIDENCES + evidence] ?? 0;

/** Confidence of a class that was filled or changed by other years: no table knows it, and it is as likely wrong as right. */
export const CONFIDENCE_OF_OTHER_YEARS = 50;
