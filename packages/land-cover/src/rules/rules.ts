import { LULC_THRESHOLDS as T, scaled } from '../method/thresholds.ts';
import type { PixelYear } from '../series/year-stats.ts';

const S = {
  builtMaxNdvi: scaled(T.builtMaxNdvi),
  builtMaxAmplitude: scaled(T.builtMaxAmplitude),
  builtMinNdbi: scaled(T.builtMinNdbi),
  builtMaxBsi: scaled(T.builtMaxBsi),
  builtMaxGroundBsi: scaled(T.builtMaxGroundBsi),
  groundNdvi: scaled(T.groundNdvi),
  gardenMaxNdvi: scaled(T.gardenMaxNdvi),
  gardenMinNdbi: scaled(T.gardenMinNdbi),
  gardenMaxBsi: scaled(T.gardenMaxBsi),
  townMaxNdvi: scaled(T.townMaxNdvi),
  townMaxAmplitude: scaled(T.townMaxAmplitude),
  townMinMndwi: scaled(T.townMinMndwi),
  townMinNdbi: scaled(T.townMinNdbi),
  townMaxDryBsi: scaled(T.townMaxDryBsi),
  barrenMaxNdvi: scaled(T.barrenMaxNdvi),
  barrenSparseMaxNdvi: scaled(T.barrenSparseMaxNdvi),
  barrenMinBsi: scaled(T.barrenMinBsi),
  barrenMaxAmplitude: scaled(T.barrenMaxAmplitude),
  treeMinNdvi: scaled(T.treeMinNdvi),
  treeMinPeakNdvi: scaled(T.treeMinPeakNdvi),
  deciduousMinNdvi: scaled(T.deciduousMinNdvi),
  deciduousMeanNdvi: scaled(T.deciduousMeanNdvi),
  deciduousMaxDrop: scaled(T.deciduousMaxDrop),
  sheddingMinPeakNdvi: scaled(T.sheddingMinPeakNdvi),
  sheddingMinNdvi: scaled(T.sheddingMinNdvi),
  deciduousMinPeakNdvi: scaled(T.deciduousMinPeakNdvi),
  shrubMaxNdvi: scaled(T.shrubMaxNdvi),
};

/** BSI of the ground under sparse leaves: the change of BSI by leaves is computed from NDVI and removed. */
const groundBsi = (y: PixelYear): number => y.bsi + T.groundBsiPerNdvi * Math.max(0, y.mean - S.groundNdvi);

/** True for built-up land: little vegetation, no season, a lower BSI than soil, and no salt. */
const isBuiltUp = (y: PixelYear): boolean => !y.white && (isRoofs(y) || isTown(y));

const isTown = (y: PixelYear): boolean =>
  y.max < S.townMaxNdvi &&
  y.max - y.floor < S.townMaxAmplitude &&
  y.mndwi > S.townMinMndwi &&
  y.ndbi > S.townMinNdbi &&
  y.dryBsi < S.townMaxDryBsi;

const isRoofs = (y: PixelYear): boolean =>
  y.max - y.floor < S.builtMaxAmplitude &&
  ((y.max < S.builtMaxNdvi && y.ndbi > S.builtMinNdbi && y.bsi < S.builtMaxBsi) ||
    (y.max < S.gardenMaxNdvi && y.ndbi > S.gardenMinNdbi && y.bsi < S.gardenMaxBsi)) &&
  groundBsi(y) < S.builtMaxGroundBsi;

const isBarren = (y: PixelYear): boolean =>
  y.max < S.barrenMaxNdvi ||
  (y.max < S.barrenSparseMaxNdvi &&
    !y.harvested &&
    y.max - y.floor < S.barrenMaxAmplitude &&
    !(y.bsi <= S.barrenMinBsi));

/** True for a closed canopy that is green all year, or deciduous with at most one cycle. */
const isTree = (y: PixelYear): boolean =>
  y.max >= S.treeMinPeakNdvi &&
  !isGreenField(y) &&
  (y.min >= S.treeMinNdvi || (y.drop < S.deciduousMaxDrop && (y.floor >= S.treeMinNdvi || isDeciduous(y))));

const isDeciduous = (y: PixelYear): boolean =>
  y.floor >= S.deciduousMinNdvi && y.mean >= S.deciduousMeanNdvi && y.cycles <= 1 && isCanopy(y);

/** True for a field with two crops that each end with a harvest. Weeds may keep the field green. */
const isGreenField = (y: PixelYear): boolean => y.cycles >= 2 && y.cuts >= 2;

/** True for leaves of trees: a high NDVI, or a fall within weeks. Grass has a lower NDVI and dries over months. */
const isCanopy = (y: PixelYear): boolean =>
  y.max >= S.deciduousMinPeakNdvi || y.leafFall >= T.halvesMinShare * (y.max - y.floor);

/**
 * True for a canopy that is green for nearly `longSeasonSteps` or longer, and never as bare as a field
 * (`deciduousMinNdvi`).
 */
const isGreenForLong = (y: PixelYear): boolean =>
  y.floor >= S.deciduousMinNdvi && y.green >= T.longSeasonSteps - 1 && isCanopy(y);

/**
 * True for dry deciduous forest: at most one cycle, in a long season that stays green or ends with the fall of leaves.
 */
const isDryForest = (y: PixelYear): boolean =>
  ((y.sheds && (y.floor < S.deciduousMinNdvi || isCanopy(y))) || isGreenForLong(y)) &&
  y.cycles <= 1 &&
  y.max >= S.sheddingMinPeakNdvi &&
  y.floor >= S.sheddingMinNdvi &&
  (y.plateau < T.plateauSteps || !y.harvested);

/** True for vegetation without a harvest. Two low cycles are gardens, or grass that was watered twice. */
const isShrub = (y: PixelYear): boolean =>
  !y.harvested &&
  (y.cycles <= 1 ? y.max < S.shrubMaxNdvi || y.floor >= S.deciduousMinNdvi : y.cycles === 2 && y.max < S.townMaxNdvi);

/**
 * Cropping frequency 8..11 of cropland. A long green year is a perennial crop only if fewer than two crops were
 * counted.
 */
export function cropCode(y: PixelYear): number {
  if (y.cycles >= 3) return 11;
  if (y.cycles === 2) return 10;
  if (y.plateau >= T.plateauSteps || (y.green >= T.perennialSteps && y.greenGap < T.hiddenGapSteps)) return 11;
  const season = y.cycles === 1 ? y.peakStep : y.maxStep;
  return season <= T.kharifLastStep ? 8 : 9;
}

/**
 * Class of a pixel that is not water: built-up, barren, tree, shrub (the first that applies), otherwise the cropping
 * frequency.
 */
export function landCode(y: PixelYear): number {
  if (isBuiltUp(y)) return 1;
  if (isBarren(y)) return 7;
  if (isTree(y) || isDryForest(y)) return 6;
  return isShrub(y) ? 12 : cropCode(y);
}
