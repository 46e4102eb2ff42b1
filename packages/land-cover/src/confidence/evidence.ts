import { LULC_THRESHOLDS as T, scaled } from '../method/thresholds.ts';
import type { PixelYear } from '../series/year-stats.ts';
import type { WaterInput } from '../water/water.ts';
import { canopyMargin, longestGap, peakMargin, roughness, wetSeason, type YearSeries } from './series-evidence.ts';
import { WEIGHTS } from './table.ts';

const PEAK = scaled(T.treeMinPeakNdvi);
const BARE = scaled(T.harvestBareNdvi);
const LEAFLESS = scaled(T.deciduousMinNdvi);
const BARREN = scaled(T.barrenSparseMaxNdvi);
const SOIL = scaled(T.barrenMinBsi);
const SHRUB = scaled(T.shrubMaxNdvi);
const TOWN = scaled(T.townMaxAmplitude);
const ROOFS = scaled(T.townMinNdbi);
const HARVEST = scaled(T.harvestMinDrop);
const HEIGHT = scaled(T.cycleMinHeight);

type Levels = readonly number[];
const MARGIN: Levels = T.marginLevels.map(scaled);
const AMPLITUDE: Levels = T.amplitudeMarginLevels.map(scaled);
const VOTES: Levels = T.wetShareLevels;
const PEAKS: Levels = [1, ...T.peakMarginLevels.map(scaled)];
const ROUGH: Levels = T.roughnessLevels.map((level) => -scaled(level));
const ROOF: Levels = T.roofMarginLevels.map(scaled);
const GROUND: Levels = T.soilMarginLevels.map(scaled);
const COVER: Levels = T.coverMarginLevels.map(scaled);
const WATER: Levels = T.waterMarginLevels.map(scaled);
const GAPS: Levels = T.gapLevels.map((steps) => -steps);

/**
 * Greatest level of each of the four kinds of evidence; the lowest level is 0. In this order: `margin` (distance to
 * the NDVI threshold that decided the class, or share of wet steps), `shape` (depends on the class, such as peaks or
 * roughness), `dates` (higher if the longest gap without observation is shorter), `ends` (1 if every cycle ends with a
 * harvest).
 */
export const EVIDENCE_LEVELS = [3, 7, 3, 1] as const;
/** Position of each evidence's lowest bit in the byte. */
export const EVIDENCE_SHIFTS = [0, 2, 5, 7] as const;

const levelOf = (value: number, levels: Levels): number => {
  let level = 0;
  while (level < levels.length && value >= levels[level]!) level++;
  return level;
};

/**
 * Measurements of a pixel. `year`: undefined for too few clear steps. `water`: planes for the water rules. `pixel`:
 * index of the pixel in these planes.
 */
export interface Measured {
  year: PixelYear | undefined;
  readonly series: YearSeries;
  readonly water: WaterInput;
  pixel: number;
}

// Last computed level of `dates` (shifted). It is often reused, because neighbours mostly miss the same steps.
let [lastSeen, lastFrom, dates] = [-1, -1, 0];

/** Evidence for a class in one byte: the levels of `EVIDENCE_LEVELS` at `EVIDENCE_SHIFTS`. */
export function evidenceOf(label: number, { year, series, water, pixel }: Measured): number {
  const { smooth, coverage } = series;
  if (label === 0 || coverage === undefined) return 0;
  if (coverage.seen !== lastSeen || coverage.from !== lastFrom) {
    [lastSeen, lastFrom] = [coverage.seen, coverage.from];
    dates = levelOf(-longestGap(coverage), GAPS) << 5;
  }
  if (label >= 2 && label <= 4) {
    const { share, strength } = wetSeason(water, pixel, label);
    return levelOf(share, VOTES) | (levelOf(strength, WATER) << 2) | dates;
  }
  if (year === undefined) return dates;
  const distance = label === 6 ? Math.min(closedBy(year), canopyMargin(smooth, coverage)) : marginOf(label, year);
  const margin = levelOf(distance, label === 1 ? AMPLITUDE : MARGIN);
  if (label === 1) return margin | (levelOf(year.ndbi - ROOFS, ROOF) << 2) | dates;
  if (label === 7) return margin | (levelOf(year.bsi - SOIL, GROUND) << 2) | dates;
  if (label === 6) return margin | (levelOf(-roughness(smooth, coverage), ROUGH) << 2) | dates;
  if (label === 12) return margin | (levelOf(year.floor - BARE, COVER) << 2) | dates;
  const isLong = label === 11 && year.cycles < 3;
  const peaks = (isLong ? longSteps(year) : levelOf(peakMargin(year, smooth, coverage), PEAKS)) << 2;
  return margin | peaks | dates | (year.cycles > 0 && year.cuts >= year.cycles ? 128 : 0);
}

const longSteps = ({ plateau, green }: PixelYear): number =>
  Math.max(0, Math.min(7, Math.max(plateau - T.plateauSteps, green - T.perennialSteps) + 1));

/** Highest NDVI minus the upper limit of an open canopy, x 10000. This limit is `MARGIN[1]` below `PEAK`. */
const closedBy = (y: PixelYear): number => y.max - PEAK + MARGIN[1]!;

/**
 * Distance to the NDVI thresholds that decided the class, x 10000. Not used for trees, for which `evidenceOf` takes the
 * smaller one of `closedBy` and `canopyMargin`.
 */
function marginOf(label: number, y: PixelYear): number {
  const swing = y.max - y.floor;
  if (label === 1) return TOWN - swing;
  if (label === 7) return BARREN - y.max;
  if (label === 12) return Math.min(Math.max(SHRUB - y.max, y.floor - LEAFLESS), y.max - BARREN);
  if (label === 11) return y.max - HEIGHT;
  return y.harvested ? Math.min(y.max - HEIGHT, Math.max(y.drop, swing / 2) - HARVEST) : 0;
}

/** Greatest confidence, percent. No known map of this kind agrees better with labels from the ground. */
export const MOST = 95;

/**
 * Shares of the evidence: each level divided by its greatest level (0-1). The last share is the smaller one of
 * margin and shape, because one weak evidence often means a wrong class. Each share has a weight.
 */
export function sharesOf(evidence: number): readonly number[] {
  const shares = EVIDENCE_LEVELS.map((most, k) => ((evidence >> EVIDENCE_SHIFTS[k]!) & most) / most);
  return [...shares, Math.min(shares[0]!, shares[1]!)];
}

/**
 * Confidence by `[class * 256 + evidence]`, percent, 1 to `MOST`: logistic function of the constant of the class plus
 * the sum of weight x share. 0 for classes without a constant.
 */
const CONFIDENCE = confidences(WEIGHTS);

/**
 * Confidence of every class and evidence. A row of `rows` has the constant and the weights of one class; the weights
 * are not negative.
 */
export function confidences(rows: readonly (readonly number[])[]): Uint8Array {
  const table = new Uint8Array(rows.length * 256);
  for (const [label, [base, ...weights]] of rows.entries()) {
    if (base === undefined) continue;
    for (let evidence = 0; evidence < 256; evidence++) {
      const odds = sharesOf(evidence).reduce((sum, share, k) => sum + (weights[k] ?? 0) * share, base);
      table[label * 256 + evidence] = Math.max(1, Math.min(MOST, Math.round(100 / (1 + Math.exp(-odds)))));
    }
  }
  return table;
}

/**
 * Confidence (percent, 1-95) of a class 1..12 with evidence 0..255: expected share of correct pixels. 0 for a pixel
 * without a class, and for class 5, which no result contains.
 */
export const confidenceOf = (label: number, evidence: number): number => CONFIDENCE[label * 256 + evidence] ?? 0;
