import { LULC_THRESHOLDS as T, scaled } from '../method/thresholds.ts';
import type { PixelYear } from '../series/year-stats.ts';
import { CONFIDENCE } from './table.ts';

const TREE = scaled(T.treeMinNdvi);
const BARREN = scaled(T.barrenMaxNdvi);
const PLATEAU = scaled(T.plateauMinNdvi);
const EVEN = scaled(T.firmMaxAmplitude);

/** Number of kinds of evidence for a class: four amounts of observations, each for an unambiguous or a doubtful case. */
export const EVIDENCES = 8;

/**
 * Returns the kind of evidence for a class, 0..7: the amount of observations (fewer than 6, 10, 15 clear steps, or more), plus 4 for an
 * unambiguous case. Unambiguous cases: roofs without a season, a canopy that is always closed, ground that is never green, a tall crop with
 * an observed harvest, scrub without a growth cycle.
 */
export function evidenceOf(label: number, year: PixelYear): number {
  const { clear } = year;
  const seen = clear < 6 ? 0 : clear < 10 ? 1 : clear < 15 ? 2 : 3;
  return isFirm(label, year) ? seen + 4 : seen;
}

function isFirm(label: number, y: PixelYear): boolean {
  if (label === 1) return y.max - y.floor < EVEN;
  if (label === 6) return y.min >= TREE;
  if (label === 7) return y.max < BARREN;
  if (label >= 8 && label <= 11) return y.harvested && y.max >= PLATEAU;
  return label === 12 && y.cycles === 0;
}

/** Returns the confidence (percent, 1-100) of a class 1..12 with evidence 0..7: the expected share of correct pixels. */
export const confidenceOf = (label: number, evidence: number): number => CONFIDENCE[label * EVIDENCES + evidence] ?? 0;

/** Confidence of a class that was filled or changed by other years, in percent. The table `CONFIDENCE` has no value for such a class. */
export const CONFIDENCE_OF_OTHER_YEARS = 50;
