import { LULC_THRESHOLDS as T, scaled } from '../method/thresholds.ts';
import { MOST_STEPS } from '../series/year-kernel.ts';
import type { PixelYear } from '../series/year-stats.ts';
import { isCut } from './count-cycles.ts';
import { isDormantBetween } from './dormancy.ts';
import type { SeriesCoverage } from './hidden-rise.ts';
import { blankSpan, findPeaks, type PeakRule, setSeries } from './peaks.ts';
import { seasonEnd, seasonStart } from './season.ts';

const LEAFLESS = scaled(T.deciduousMinNdvi);
const BARE = scaled(T.harvestBareNdvi);
const NOTCH = scaled(T.shallowGapNdvi);
const WEAK: PeakRule = { height: scaled(T.weakMinHeight), prominence: scaled(T.weakMinProminence) };
const [SHORTEST, LONGEST] = T.twoCropSteps;

// Reused for every pixel, because otherwise there would be millions of objects.
const peaks = new Uint8Array(8);
/** Highest value from each step to the end of the season. */
const later = new Float64Array(MOST_STEPS);
const span = blankSpan();

/**
 * True if a harvested year with one cycle has a second crop. Either a long season has a notch or gap, or a low crop
 * grew at another time. Sets `cuts` to 2 if a notch shows a second crop on ground that is never bare.
 */
export function hasSecondCrop(year: PixelYear, smooth: Float64Array, coverage: SeriesCoverage): boolean {
  if (!year.harvested || year.cycles !== 1) return false;
  if (year.green >= T.longSeasonSteps - 1 && year.green <= LONGEST && hasNotch(year, smooth, coverage)) return true;
  const mayBeTwo = year.floor < LEAFLESS && year.green >= SHORTEST && year.green <= LONGEST;
  if (mayBeTwo && year.greenGap >= 1) return true;
  return year.floor < BARE && hasLowCrop(year, smooth, coverage);
}

/**
 * True if the first notch of the season is outside of the cold months. On ground that is bare at times, the season must
 * also have `longSeasonSteps` steps or more. On ground that is never bare, there must be no cold months, and the second
 * fall must be as quick as a harvest, because pasture dries slowly.
 */
function hasNotch(year: PixelYear, smooth: Float64Array, { from, first, last, cold }: SeriesCoverage): boolean {
  const middle = (year.max + year.floor) / 2;
  const start = seasonStart(smooth, { at: from + year.maxStep, middle, end: first });
  const end = seasonEnd(smooth, { at: from + year.maxStep, middle, end: last });
  const at = firstNotch(smooth, start, end);
  if (at < 0 || (cold !== null && at >= from + cold[0] && at <= from + cold[1])) return false;
  if (year.floor < LEAFLESS) return year.green >= T.longSeasonSteps;
  if (cold !== null || !isCut(smooth, highest(smooth, at, end), last)) return false;
  year.cuts = 2;
  return true;
}

/**
 * First step that is at least `NOTCH` lower than the highest values before and after it. It is at least
 * `harvestSteps` from both ends; -1 if there is no such step.
 */
function firstNotch(smooth: Float64Array, start: number, end: number): number {
  const [from, to] = [start + T.harvestSteps, end - T.harvestSteps];
  let highest = -Infinity;
  for (let s = end; s >= from; s--) {
    highest = Math.max(highest, smooth[s]!);
    later[s] = highest;
  }
  highest = -Infinity;
  for (let s = start; s <= to; s++) {
    highest = Math.max(highest, smooth[s]!);
    if (s >= from && Math.min(highest, later[s]!) - smooth[s]! >= NOTCH) return s;
  }
  return -1;
}

function highest(smooth: Float64Array, start: number, end: number): number {
  let at = start;
  for (let s = start + 1; s <= end; s++) if (smooth[s]! > smooth[at]!) at = s;
  return at;
}

/**
 * True if a low crop grew at another time: it rises from bare ground, stays high, and falls as quickly as in a harvest.
 */
function hasLowCrop(year: PixelYear, smooth: Float64Array, coverage: SeriesCoverage): boolean {
  const { from } = coverage;
  setSeries(span, smooth, coverage);
  const count = findPeaks(span, WEAK, peaks);
  const main = from + year.maxStep;
  for (let i = 0; i < count; i++) {
    const peak = peaks[i]!;
    if (peak < from || peak >= from + T.coreSteps || Math.abs(peak - main) < T.cycleMinSpacing) continue;
    if (isLowCrop(year, smooth, { peak, main, coverage })) return true;
  }
  return false;
}

interface LowPeak {
  readonly peak: number;
  readonly main: number;
  readonly coverage: SeriesCoverage;
}

function isLowCrop({ floor }: PixelYear, smooth: Float64Array, { peak, main, coverage }: LowPeak): boolean {
  const { from, first, last, cold } = coverage;
  const height = smooth[peak]! - floor;
  const middle = floor + height / 2;
  const start = seasonStart(smooth, { at: peak, middle, end: first });
  const end = seasonEnd(smooth, { at: peak, middle, end: last });
  if (end - start + 1 < T.weakMinSteps || start === first || end === last) return false;
  if (start <= main && main <= end) return false;
  const pair = [Math.min(peak, main), Math.max(peak, main)] as const;
  if (isDormantBetween({ values: smooth, from, floor }, pair, cold)) return false;
  for (let s = peak; s <= end; s++) {
    const fall = smooth[s]! - smooth[Math.min(last, s + T.harvestSteps)]!;
    if (fall >= T.harvestMinShare * height) return true;
  }
  return false;
}
