import { LULC_THRESHOLDS as T, scaled } from '../method/thresholds.ts';
import type { PixelYear } from '../series/year-stats.ts';
import { isDormantBetween } from './dormancy.ts';
import type { SeriesCoverage } from './hidden-rise.ts';
import { blankSpan, findPeaks, type PeakRule, setSeries, type Span } from './peaks.ts';

const HEIGHT = scaled(T.cycleMinHeight);
const PROMINENCE = scaled(T.cycleMinProminence);
/** A series rises or falls if it changes by more than this value between two steps. */
const SLOPE = scaled(T.unseenMinSlope);
const MOST = 8;
const CUT = scaled(T.harvestMinDrop);

/**
 * Creates a counter of growth cycles: peaks of smoothed NDVI with enough height and prominence. Peaks in the margins
 * are not counted; two peaks that are near, or with only a winter between, are one cycle. Writes `cycles`, `cuts`
 * (number of cycles with a harvest) and `peakStep` (core step of the last peak of the first cycle).
 */
export function createCycleCounter(): (year: PixelYear, smooth: Float64Array, coverage: SeriesCoverage) => void {
  const peaks = new Uint8Array(MOST);
  // Reused for every pixel, because otherwise there would be millions of objects.
  const span: Span = blankSpan();
  const rule: PeakRule = { height: 0, prominence: 0 };
  return (year, smooth, coverage) => {
    const { from, last, cold } = coverage;
    const swing = year.max - year.floor;
    rule.height = Math.max(HEIGHT, year.floor + T.cycleMinShare * swing);
    year.cycles = 0;
    year.cuts = 0;
    if (year.max < rule.height) return;
    rule.prominence = Math.max(PROMINENCE, T.cycleMinProminenceShare * swing);
    setSeries(span, smooth, coverage);
    span.openStart = isOpenStart(smooth, coverage);
    span.openEnd = isOpenEnd(smooth, coverage);
    const count = findPeaks(span, rule, peaks) - (isCutByTheYear(span, rule, (year.max + year.floor) / 2) ? 1 : 0);
    let before = -1;
    let cut = false;
    for (let i = 0; i < count; i++) {
      const peak = peaks[i] ?? 0;
      if (peak < from || peak >= from + T.coreSteps) continue;
      const isSame =
        before >= 0 &&
        (peak - before < T.cycleMinSpacing ||
          (cold !== null && isDormantBetween({ values: smooth, from, floor: year.floor }, [before, peak], cold)));
      if (!isSame) {
        year.cycles++;
        year.cuts += cut ? 1 : 0;
        cut = false;
      }
      if (year.cycles === 1) year.peakStep = peak - from;
      // The harvest may follow any top of the cycle, so the fall after each top is checked.
      cut ||= isCut(smooth, peak, i + 1 < count ? peaks[i + 1]! : last);
      before = peak;
    }
    year.cuts += cut ? 1 : 0;
  };
}

/** True if NDVI falls as quickly as in a harvest between `peak` and `end`. */
export function isCut(smooth: Float64Array, peak: number, end: number): boolean {
  let low = peak;
  for (let s = peak; s <= end; s++) if (smooth[s]! < smooth[low]!) low = s;
  let drop = 0;
  for (let s = peak; s < low; s++) {
    const fall = smooth[s]! - smooth[Math.min(low, s + T.harvestSteps)]!;
    if (fall > drop) drop = fall;
  }
  return drop >= CUT && drop >= T.harvestMinShare * (smooth[peak]! - smooth[low]!);
}

/** True if the first observation is late, or if NDVI rises at this observation after a mostly unobserved margin. */
function isOpenStart(smooth: Float64Array, { first, from }: SeriesCoverage): boolean {
  if (first >= from + T.unseenStartSteps) return true;
  return first > from - T.unseenMarginSteps && (smooth[first + 1] ?? 0) - (smooth[first] ?? 0) > SLOPE;
}

/** True if the last observation is early, or if NDVI falls at this observation before a mostly unobserved margin. */
function isOpenEnd(smooth: Float64Array, { last, from }: SeriesCoverage): boolean {
  if (last < from + T.coreSteps - T.unseenEndSteps) return true;
  return last < from + T.coreSteps - 1 + T.unseenMarginSteps && (smooth[last - 1] ?? 0) - (smooth[last] ?? 0) > SLOPE;
}

const others = new Uint8Array(MOST);

/**
 * True if both ends of the series belong to one season that the start of the year cuts: both are green, and each counts
 * as a peak only because it is open.
 */
function isCutByTheYear(whole: Span, rule: PeakRule, middle: number): boolean {
  const { values, first, last, openStart, openEnd } = whole;
  if (!openStart || !openEnd || values[first]! < middle || values[last]! < middle) return false;
  const span: Span = { ...whole };
  const all = findPeaks(span, rule, others);
  span.openEnd = false;
  if (all < 2 || findPeaks(span, rule, others) === all) return false;
  span.openEnd = true;
  span.openStart = false;
  return findPeaks(span, rule, others) < all;
}
