import { LULC_THRESHOLDS as T, scaled } from '../method/thresholds.ts';
import type { PixelYear } from '../series/year-stats.ts';
import { coldSteps } from './dormancy.ts';
import type { SeriesCoverage } from './hidden-rise.ts';

const LEAFLESS = scaled(T.deciduousMinNdvi);

/**
 * Measures the season: the consecutive steps around the highest NDVI whose NDVI is at least the mean of floor and
 * highest NDVI. Writes `green` (number of steps, without cold months), `greenGap` (most consecutive unobserved steps of
 * a long season) and `ends` (true if the end was observed). Reduces `plateau` by the cold steps of the season.
 */
export function measureSeason(year: PixelYear, smooth: Float64Array, coverage: SeriesCoverage): void {
  const { seen, from, first, last } = coverage;
  const middle = (year.max + year.floor) / 2;
  const at = from + year.maxStep;
  let start = seasonStart(smooth, { at, middle, end: first });
  let end = seasonEnd(smooth, { at, middle, end: last });
  year.ends = end < last || last >= from + T.coreSteps + T.unseenMarginSteps;
  const beyond = start === first || end === last ? beyondTheYear(year, smooth, { coverage, middle, start, end }) : 0;
  while (start < end && !isSeen(seen, start)) start++;
  while (end > start && !isSeen(seen, end)) end--;
  let before = start - 1;
  while (before > first && !isSeen(seen, before)) before--;
  let after = end + 1;
  while (after < last && !isSeen(seen, after)) after++;
  const asleep = coverage.cold === null ? 0 : coldSteps(coverage.cold, from, [start, end]);
  const run = end - start + 1 - asleep;
  if (asleep > 0) year.plateau = Math.max(0, year.plateau - asleep);
  year.green = run + beyond + Math.min(run, (start - 1 - before + after - 1 - end) >> 1);
  year.greenGap = run + 1 < T.longSeasonSteps ? 0 : longestGap(seen, start, end);
}

/** Step inside the season, lowest NDVI of a green step, and observed step at which the search stops. */
interface SeasonSearch {
  readonly at: number;
  readonly middle: number;
  readonly end: number;
}

/** First step of the consecutive steps around `at` with an NDVI of at least `middle`. */
export function seasonStart(smooth: Float64Array, { at, middle, end }: SeasonSearch): number {
  let start = at;
  while (start > end && smooth[start - 1]! >= middle) start--;
  return start;
}

/** Last step of the consecutive steps around `at` with an NDVI of at least `middle`. */
export function seasonEnd(smooth: Float64Array, { at, middle, end }: SeasonSearch): number {
  let last = at;
  while (last < end && smooth[last + 1]! >= middle) last++;
  return last;
}

const isSeen = (seen: number, step: number): boolean => ((seen >>> step) & 1) === 1;

interface Season {
  readonly coverage: SeriesCoverage;
  readonly middle: number;
  readonly start: number;
  readonly end: number;
}

/**
 * Number of steps by which a season continues beyond the observations, counted at the other end of the year. Correct
 * only for land that turns green at the same time each year. Land that is bare at times and has a peak may be a field,
 * so its result is 0.
 */
function beyondTheYear(year: PixelYear, smooth: Float64Array, { coverage, middle, start, end }: Season): number {
  const { from, first, last } = coverage;
  const next = from + T.coreSteps;
  if (year.floor < LEAFLESS && year.cycles > 0) return 0;
  if (last < next - T.unseenEndSteps || first >= from + T.unseenStartSteps) return 0;
  let steps = 0;
  if (start === first && first >= from)
    for (let s = Math.min(last, next - 1); s > end && smooth[s]! >= middle; s--) steps++;
  else if (end === last && last < next) for (let s = first; s < start && smooth[s]! >= middle; s++) steps++;
  return steps;
}

function longestGap(seen: number, start: number, end: number): number {
  let longest = 0;
  let gap = 0;
  for (let s = start; s <= end; s++) {
    gap = isSeen(seen, s) ? 0 : gap + 1;
    if (gap > longest) longest = gap;
  }
  return longest;
}

/** True for a long harvested season whose gap can hide a harvest and a new sowing. It is counted as two crops. */
export const hidesHarvest = (y: PixelYear): boolean =>
  y.cycles === 1 && y.harvested && y.floor < LEAFLESS && y.green >= T.longSeasonSteps && y.greenGap >= T.hiddenGapSteps;
