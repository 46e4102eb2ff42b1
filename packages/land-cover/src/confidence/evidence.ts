import { LULC_THRESHOLDS as T, scaled } from '../method/thresholds.ts';
import type { PixelYear } from '../series/year-stats.ts';
import { CONFIDENCE } from './table.ts';

const TREE = scaled(T.treeMinNdvi);
const PEAK = scaled(T.treeMinPeakNdvi);
const SHEDDING = scaled(T.sheddingMinNdvi);
const BARREN = scaled(T.barrenSparseMaxNdvi);
const SHRUB = scaled(T.shrubMaxNdvi);
const TOWN = scaled(T.townMaxAmplitude);
const HARVEST = scaled(T.harvestMinDrop);
const HEIGHT = scaled(T.cycleMinHeight);

/** Number of kinds of evidence for a class: four margins, each with few or many observations. */
export const EVIDENCES = 8;
const LEVELS = T.marginLevels.map(scaled);
const LEAST = scaled(T.marginLevels[0]);

/**
 * Returns the kind of evidence for a class, 0..7: twice the level of the margin (0..3), plus 1 for at least `manyClearSteps` clear steps. The margin is the
 * distance of the year to the nearest threshold of NDVI that decided the class.
 */
export function evidenceOf(label: number, year: PixelYear): number {
  const margin = marginOf(label, year);
  let level = 0;
  while (level < LEVELS.length && margin >= LEVELS[level]!) level++;
  return 2 * level + (year.clear < T.manyClearSteps ? 0 : 1);
}

/** Distance of a year to the thresholds that decided its class, NDVI x 10000. */
function marginOf(label: number, y: PixelYear): number {
  const swing = y.max - y.floor;
  if (label === 1) return TOWN - swing;
  if (label === 7) return BARREN - y.max;
  if (label === 12) return Math.min(SHRUB - y.max, HARVEST - y.drop, y.max - BARREN);
  if (label === 6) return Math.min(y.max - PEAK, y.min >= TREE ? y.min - TREE + LEAST : y.floor - SHEDDING);
  if (label === 0 || label < 8) return 0;
  return y.harvested ? Math.min(y.max - HEIGHT, Math.max(y.drop, swing / 2) - HARVEST) : 0;
}

/** Returns the confidence (percent, 1-100) of a class 1..12 with evidence 0..7: the expected share of correct pixels. */
export const confidenceOf = (label: number, evidence: number): number => CONFIDENCE[label * EVIDENCES + evidence] ?? 0;

/** Confidence of a class that was filled or changed by other years, in percent. The table `CONFIDENCE` has no value for such a class. */
export const CONFIDENCE_OF_OTHER_YEARS = 50;
