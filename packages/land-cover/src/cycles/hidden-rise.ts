import { LULC_THRESHOLDS as T, scaled } from '../method/thresholds.ts';
import type { Dormancy } from './dormancy.ts';

const HEIGHT = scaled(T.hiddenMinHeight);
const FALL = scaled(T.hiddenMinFall);
const BARE = scaled(T.bareMaxNdvi);

/** Where a column of raw medians was seen; steps are counted from the series' start. */
export interface Sight {
  /** Length of the series and its first core step. */
  readonly steps: number;
  readonly from: number;
  /** Core steps in which growth sleeps. */
  readonly cold: Dormancy;
  /** Bit s is set where step s has a value. */
  seen: number;
  /** First step with a value, -1 where none. */
  first: number;
  /** Last step with a value, -1 where none. */
  last: number;
  /** Core steps with a value. */
  clear: number;
  /**
   * Last kharif core step that is the first clear one after a gap of at least `hiddenGapSteps` core steps; -1 where none. Such a gap (the
   * monsoon) can hide the peak of a kharif crop. What is missing before the year is no monsoon: a pixel that is green on 1 July and
   * falls then carries last year's crop.
   */
  afterGap: number;
}

const CORE = 2 ** T.coreSteps - 1;
const KHARIF = 2 ** (T.kharifLastStep + 1) - 1;

/** Reads a column's gaps into `sight`; `missing`: bit s is set where step s has no value. At most 32 steps. */
export function look(missing: number, sight: Sight): void {
  const { steps, from } = sight;
  const seen = ~missing & (2 ** steps - 1);
  sight.seen = seen;
  sight.first = highest(seen & -seen);
  sight.last = highest(seen);
  sight.clear = countBits((seen >>> from) & CORE);
  const gone = missing >>> from;
  let after = (seen >>> from) & KHARIF;
  for (let k = 1; k <= T.hiddenGapSteps; k++) after &= gone << k;
  sight.afterGap = after === 0 ? -1 : from + highest(after);
}

/** Place of the highest bit that is set, -1 where none is. */
const highest = (bits: number): number => 31 - Math.clz32(bits);

/** Bits that are set (Warren 2012, Hacker's Delight, 5-1). */
function countBits(bits: number): number {
  const pairs = bits - ((bits >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/**
 * True where the smoothed column falls from position `k` to bare ground within the time of a harvest, without rising first:
 * the end of a growth cycle whose peak was not seen. Looks no further than position `last`, the last observation.
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
