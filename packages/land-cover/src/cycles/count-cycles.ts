import { LULC_THRESHOLDS as T, scaled } from '../method/thresholds.ts';
import type { PixelYear } from '../series/year-stats.ts';
import { sleepsBetween } from './dormancy.ts';
import type { Sight } from './hidden-rise.ts';
import { findPeaks, type PeakRule, type Span } from './peaks.ts';

const HEIGHT = scaled(T.cycleMinHeight);
const PROMINENCE = scaled(T.cycleMinProminence);
/** Change between two steps from which on a series is on its way and not level. */
const SLOPE = scaled(T.unseenMinSlope);
const MOST = 8;

/**
 * Makes a counter of growth cycles: peaks of the smoothed NDVI that stand high and prominent enough, by size and beside the year's amplitude. A
 * cycle belongs to the year of its peak: those in the margins are the neighbours'. Peaks with nothing but a winter between them are one
 * cycle, which counts at the last of them. The counter writes `cycles` and `peakStep`, the core step of the first.
 */
export function createCycleCounter(): (year: PixelYear, smooth: Float64Array, sight: Sight) => void {
  const peaks = new Uint8Array(MOST);
  // Reused for every pixel: objects of their own would be millions.
  const span: Span = { values: new Float64Array(), first: 0, last: 0, openStart: false, openEnd: false };
  const rule: PeakRule = { height: 0, prominence: 0 };
  return (year, smooth, sight) => {
    const { from, first, last, cold } = sight;
    const swing = year.max - year.floor;
    rule.height = Math.max(HEIGHT, year.floor + T.cycleMinShare * swing);
    year.cycles = 0;
    if (year.max < rule.height) return;
    rule.prominence = Math.max(PROMINENCE, T.cycleMinProminenceShare * swing);
    span.values = smooth;
    span.first = first;
    span.last = last;
    span.openStart = isOpenStart(smooth, sight);
    span.openEnd = isOpenEnd(smooth, sight);
    const count = findPeaks(span, rule, peaks) - (isCutByTheYear(span, rule, (year.max + year.floor) / 2) ? 1 : 0);
    let before = -1;
    for (let i = 0; i < count; i++) {
      const peak = peaks[i] ?? 0;
      if (peak < from || peak >= from + T.coreSteps) continue;
      const isSame =
        before >= 0 &&
        (peak - before < T.cycleMinSpacing ||
          (cold !== null && sleepsBetween({ values: smooth, from, floor: year.floor }, [before, peak], cold)));
      if (!isSame) year.cycles++;
      if (year.cycles === 1) year.peakStep = peak - from;
      before = peak;
    }
  };
}

/** Nothing was seen until late, or what is seen first is rising already and what came before was hardly seen. */
function isOpenStart(smooth: Float64Array, { first, from }: Sight): boolean {
  if (first >= from + T.unseenStartSteps) return true;
  return first > from - T.unseenMarginSteps && (smooth[first + 1] ?? 0) - (smooth[first] ?? 0) > SLOPE;
}

/** Nothing was seen from early on, or what is seen last is falling and what comes after was hardly seen. */
function isOpenEnd(smooth: Float64Array, { last, from }: Sight): boolean {
  if (last < from + T.coreSteps - T.unseenEndSteps) return true;
  return last < from + T.coreSteps - 1 + T.unseenMarginSteps && (smooth[last - 1] ?? 0) - (smooth[last] ?? 0) > SLOPE;
}

/** Scratch of `isCutByTheYear`. */
const others = new Uint8Array(MOST);

/** Green at both ends, and a peak at either counts only because that end is open: one season that the cut of the year parts in two. */
function isCutByTheYear({ values, first, last, openStart, openEnd }: Span, rule: PeakRule, middle: number): boolean {
  if (!openStart || !openEnd || values[first]! < middle || values[last]! < middle) return false;
  const span: Span = { values, first, last, openStart, openEnd };
  const all = findPeaks(span, rule, others);
  span.openEnd = false;
  if (all < 2 || findPeaks(span, rule, others) === all) return false;
  span.openEnd = true;
  span.openStart = false;
  return findPeaks(span, rule, others) < all;
}
