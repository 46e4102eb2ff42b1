import { LULC_THRESHOLDS as T, scaled } from '../method/thresholds.ts';

/** Values of one pixel's year, the input of the rules. Indices int16 x 10000; steps are core steps (without the steps of the margins), 0-based. */
export interface PixelYear {
  /** Number of core steps that are free of cloud, shadow, snow and floods. */
  clear: number;
  /** Highest smoothed NDVI of the core steps. */
  max: number;
  /** Lowest smoothed NDVI of the core steps outside of the cold months. */
  min: number;
  /**
   * Lowest lasting NDVI: third lowest value of the core steps; at latitudes with a winter, second lowest value outside of the cold months. Still
   * lower values are haze or snow, because bare ground lasts longer than one or two steps.
   */
  floor: number;
  mean: number;
  /** Core step of `max`. */
  maxStep: number;
  /** Number of steps with NDVI at or above `plateauMinNdvi`. */
  plateau: number;
  /** Largest fall within `harvestSteps` after the highest point; 0 if the amplitude is below `harvestMinDrop`. */
  drop: number;
  /** Largest fall within `harvestSteps` in the whole series. Computed only for leafy land with an NDVI below that of a closed canopy. */
  leafFall: number;
  /** Number of consecutive steps at or above the middle between floor and highest value: the length of the main season. */
  green: number;
  /** Largest number of consecutive steps of the main season without an observation. */
  greenGap: number;
  /**
   * True if the end of the main season is known: an observation shows that NDVI fell below the middle between floor and highest value, or the margin after the year was observed.
   */
  ends: boolean;
  /** True if NDVI falls as quickly as in a harvest after the highest point, or falls to bare ground after a hidden (unobserved) peak. */
  harvested: boolean;
  /** True if a long green season ends with one fall that is slower than a harvest. Such a fall means that leaves fell and no crop was cut. */
  sheds: boolean;
  /** Number of growth cycles with a peak in the year. */
  cycles: number;
  /** Core step of the peak of the first cycle. */
  peakStep: number;
  /** Number of growth cycles that end with a fall as quick as a harvest. */
  cuts: number;
  /** Mean NDBI (built-up index) of the clear core steps; `bsi`: mean BSI (bare soil index) of these steps. NaN if unknown. Computed only for sparse cover without a season. */
  ndbi: number;
  bsi: number;
  /** Mean MNDWI of the clear steps whose MNDWI is not that of water, because a remaining flood or snow in shade gives no information about roofs. */
  mndwi: number;
  /** Third highest BSI of the clear core steps: the BSI at the time when the ground is driest and barest. */
  dryBsi: number;
  /**
   * True for salt or lasting snow: bright ground whose MNDWI is like that of water for most of the year. Callers that have MNDWI set this member;
   * otherwise this member is false.
   */
  white: boolean;
}

/** A year without any values yet. */
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
/**
 * Maximum distance in steps between the observations before and after a spike: two, or three if one step between these observations was not
 * observed.
 */
const SPIKE_STEPS = 3;
const GREEN = scaled(T.cycleMinHeight);
const NO_GROUND = scaled(T.noGroundNdvi);

/** Position of the first core step in a series; first and last core step of the cold months, or null for land without a winter. */
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
 * Selects the observed steps (bit s of `seen`) of column `i` that are free of cloud, shadow, snow and floods. Leaves out single steps that are
 * far below the values within 32 days on both sides. The cause of such a step is not a harvest, but a cloud or shadow that the mask missed. If
 * the values on both sides are similar, a smaller difference is enough. If plants grow in this year, values that are lower than those of soil are
 * also left out, because such values are snow, cloud or a flooded field.
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
 * Computes max, mean and plateau from the core steps of a smoothed series, and min and floor from the core steps outside of the cold months. In
 * the cold months a low value does not mean bare ground, because snow, low sun and frozen leaves also have low values. A field is still found to
 * be bare without these months, because it is also bare between harvest and sowing.
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
  // The results are truncated to integers, because the JavaScript engine would store fractions as heap objects.
  year.max = max | 0;
  year.mean = (sum / T.coreSteps) | 0;
  year.maxStep = maxAt - from;
  year.plateau = plateau;
  findFloor(smooth, { from, cold }, year);
}

/**
 * Computes the lowest and the third lowest value. If the cold months are left out, computes the second lowest value instead of the third, because
 * fewer of the remaining steps show bare ground.
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
