import { CONFIDENCE } from './table.ts';
import { EVIDENCES } from './evidence.ts';

/** Confidence (percent, 1-100) of a class 1..12 that rests on evidence 0..7: the share of such pixels that is expected to be right. */
export const confidenceOf = (label: number, evidence: number): number => CONFIDENCE[label * EVIDENCES + evidence] ?? 0;

/** Confidence of a class that was filled or changed by other years: no table knows it, and it is as likely wrong as right. */
export const CONFIDENCE_OF_OTHER_YEARS = 50;
