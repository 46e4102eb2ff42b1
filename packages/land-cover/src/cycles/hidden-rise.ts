import { LULC_THRESHOLDS as T, scaled } from '../method/thresholds.ts';
import type { Dormancy } from './dormancy.ts';

const HEIGHT = scaled(T.hiddenMinHeight);
const FALL = scaled(T.hiddenMinFall);
const BARE = scaled(T.bareMaxNdvi);

/** Observed steps of a series before smoothing. Steps are numbered from the start of the series. */
export interface SeriesCoverage {
  /** Length of the series. `from`: first core step (step of the year without margins). */
  readonly steps: number;
  readonly from: number;
  /** Cold months of the pixel; null without a winter. */
  cold: Dormancy;
  /** Bit s is set if step s has a value. */
  seen: number;
  /** Slopes of the smoothed series, see `Slopes`. Absent if unknown. */
  rises?: number;
  falls?: number;
  /** First step with a value, or -1. */
  first: number;
  /** Last step with a value, or -1. */
  last: number;
  /** Number of core steps with a value. */
  clear: number;
  /**
   * Last observed kharif step that directly follows a gap of at least `hiddenGapSteps` core steps, or -1. Such a gap
   * (the monsoon) can hide a peak.
   */
  afterGap: number;
}

const CORE = 2 ** T.coreSteps - 1;
const KHARIF = 2 ** (T.kharifLastStep + 1) - 1;

/** Writes the coverage of at most 32 steps. Bit s of `missing`: step s has no value. */
export function readCoverage(missing: number, coverage: SeriesCoverage): void {
  const { steps, from } = coverage;
  const seen = ~missing & (2 ** steps - 1);
  coverage.seen = seen;
  coverage.first = highest(seen & -seen);
  coverage.last = highest(seen);
  coverage.clear = countBits((seen >>> from) & CORE);
  const missingCore = missing >>> from;
  let after = (seen >>> from) & KHARIF;
  for (let k = 1; k <= T.hiddenGapSteps; k++) after &= missingCore << k;
  coverage.afterGap = after === 0 ? -1 : from + highest(after);
}

const highest = (bits: number): number => 31 - Math.clz32(bits);

/** Number of set bits (Warren 2012, Hacker's Delight, 5-1). */
function countBits(bits: number): number {
  const pairs = bits - ((bits >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/**
 * True if the smoothed series falls from `k` to bare ground as quickly as in a harvest: the end of a cycle with an
 * unobserved peak. `last`: last observation.
 */
export function fallsBare(column: Float64Array | Int16Array, k: number, last: number): boolean {
  const start = column[k] ?? 0;
  if (start < HEIGHT) return false;
  for (let s = k + 1; s <= k + T.harvestSteps && s <= last; s++) {
    const v = column[s] ?? 0;
    if (v > start) return false;
    if (v < BARE && start - v >= FALL) return true;
  }
  return false;
}
