import { LULC_THRESHOLDS as T, scaled } from '../method/thresholds.ts';

/** Values of one pixel's year, the input of the rules. Indices are int16 x 10,000; steps are core steps from 0. */
export interface PixelYear {
  /** Number of core steps without cloud, shadow, snow and floods. */
  clear: number;
  /** Highest smoothed NDVI. */
  max: number;
  /** Lowest smoothed NDVI outside of the cold months. */
  min: number;
  /**
   * Lowest lasting NDVI: third lowest value; for a pixel with a winter, second lowest value outside of the cold months.
   * Lower values are haze or snow.
   */
  floor: number;
  mean: number;
  /** Core step of `max`. */
  maxStep: number;
  /** Number of steps with NDVI at or above `plateauMinNdvi`. */
  plateau: number;
  /** Largest fall within `harvestSteps` after the highest point; 0 for a small amplitude. */
  drop: number;
  /** Largest fall within `harvestSteps` in the series. Computed only for leafy land below a closed canopy. */
  leafFall: number;
  /** Length of the main season, steps without cold months. NDVI is at least the middle between floor and `max`. */
  green: number;
  /** Longest gap of observations in a long main season, steps; 0 for a shorter season. */
  greenGap: number;
  /** True if the end of the main season was observed. */
  ends: boolean;
  /** True if NDVI falls as quickly as in a harvest, or to bare ground after an unobserved peak. */
  harvested: boolean;
  /** True if a long season ends with one slow fall, because leaves fell and no crop was cut. */
  sheds: boolean;
  /** Number of growth cycles with a peak in the year. */
  cycles: number;
  /** Core step of the last peak of the first cycle. */
  peakStep: number;
  /** Number of growth cycles that end as quickly as in a harvest. */
  cuts: number;
  /** Mean NDBI and BSI of the clear core steps. NaN if unknown. Computed only for sparse cover without a season. */
  ndbi: number;
  bsi: number;
  /** Mean MNDWI of the clear steps without water. NaN if unknown, or if the mean BSI already shows soil. */
  mndwi: number;
  /** Third highest BSI of the clear core steps: the driest, barest ground. The mean BSI if that already shows soil. */
  dryBsi: number;
  /**
   * True for salt or lasting snow: bright ground with the MNDWI of water for most of the year. Set by callers that have
   * MNDWI.
   */
  white: boolean;
}

/** A year without values. */
export const blankYear = (): PixelYear => ({
  clear: 0,
  max: 0,
  min: 0,
  floor: 0,
  mean: 0,
  maxStep: 0,
  plateau: 0,
  drop: 0,
  leafFall: 0,
  green: 0,
  greenGap: 0,
  ends: false,
  harvested: false,
  sheds: false,
  cycles: 0,
  peakStep: 0,
  cuts: 0,
  ndbi: 0,
  bsi: 0,
  mndwi: 0,
  dryBsi: 0,
  white: false,
});

const PLATEAU = scaled(T.plateauMinNdvi);
const SPIKE = scaled(T.despikeDrop);
const NOTCH = scaled(T.notchDrop);
/** Maximum number of steps between the observations around a spike: two, or three if one step was not observed. */
const SPIKE_STEPS = 3;
const GREEN = scaled(T.cycleMinHeight);
const NO_GROUND = scaled(T.noGroundNdvi);

/** First core step of a series, and first and last core step of the cold months; null without a winter. */
export interface YearFrame {
  readonly from: number;
  readonly cold: readonly [first: number, last: number] | null;
}

/** Values of a tile, `[steps][width]`. */
export interface Rows {
  readonly values: Int16Array;
  readonly width: number;
}

/**
 * Selects the observed steps (bits of `seen`) of column `i` without cloud, shadow, snow and floods. Leaves out single
 * low steps, which are undetected clouds. In a year with plants, also leaves out values below the NDVI of soil.
 */
export function clean(rows: Rows, i: number, seen: number): number {
  const { values, width } = rows;
  let kept = seen;
  let high = -32_768;
  let low = 32_767;
  let a = 0;
  let before = -9;
  let v = 0;
  let now = -9;
  for (let left = seen; left !== 0; left &= left - 1) {
    const next = 31 - Math.clz32(left & -left);
    const b = values[i + next * width]!;
    if (b > high) high = b;
    if (b < low) low = b;
    const depth = (a < b ? a : b) - v;
    if (depth > NOTCH && (depth > SPIKE || (a > b ? a - b : b - a) < depth) && next - before <= SPIKE_STEPS) {
      kept &= ~(1 << now);
    } else {
      a = v;
      before = now;
    }
    v = b;
    now = next;
  }
  return low < NO_GROUND && high >= GREEN ? withoutSnow(rows, i, kept) : kept;
}

function withoutSnow({ values, width }: Rows, i: number, seen: number): number {
  let kept = seen;
  for (let left = seen; left !== 0; left &= left - 1) {
    const bit = left & -left;
    if (values[i + (31 - Math.clz32(bit)) * width]! < NO_GROUND) kept &= ~bit;
  }
  return kept;
}

/**
 * Computes max, mean and plateau of the core steps. Min and floor leave out the cold months, because snow and low sun
 * also lower NDVI.
 */
export function summarise(smooth: Float64Array, { from, cold }: YearFrame, year: PixelYear): void {
  let max = -1e9;
  let sum = 0;
  let plateau = 0;
  let maxAt = from;
  for (let s = from; s < from + T.coreSteps; s++) {
    const v = smooth[s]!;
    sum += v;
    if (v >= PLATEAU) plateau++;
    if (v > max) {
      max = v;
      maxAt = s;
    }
  }
  // The values are truncated to integers, because fractions would become heap objects.
  year.max = max | 0;
  year.mean = (sum / T.coreSteps) | 0;
  year.maxStep = maxAt - from;
  year.plateau = plateau;
  findFloor(smooth, { from, cold }, year);
}

/**
 * Writes the lowest and the third lowest value. If cold months are left out, the second lowest replaces the third,
 * because fewer steps show bare ground.
 */
function findFloor(smooth: Float64Array, { from, cold }: YearFrame, year: PixelYear): void {
  let min = 1e9;
  let second = 1e9;
  let third = 1e9;
  const coldStart = cold === null ? -1 : from + cold[0];
  for (let s = from; s < from + T.coreSteps; s++) {
    if (s === coldStart && cold !== null) s = from + cold[1] + 1;
    const v = smooth[s]!;
    if (v >= third) continue;
    third = v < second ? second : v;
    if (v >= second) continue;
    second = v < min ? min : v;
    if (v < min) min = v;
  }
  year.min = min | 0;
  year.floor = (cold === null ? third : second) | 0;
}
