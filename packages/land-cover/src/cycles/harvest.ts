import { LULC_THRESHOLDS as T, scaled } from '../method/thresholds.ts';
import type { PixelYear } from '../series/year-stats.ts';
import type { Sight } from './hidden-rise.ts';

const HARVEST = scaled(T.harvestMinDrop);
const BARE = scaled(T.harvestBareNdvi);
const LEAFLESS = scaled(T.deciduousMinNdvi);

/**
 * Tells how long the year's green stands and how it ends, into `green`, `drop`, `sheds` and `harvested`. A fall that is large, and quick or (where the
 * season was not long) down to bare ground, is a harvest. A year that is `harvested` already (its peak was hidden) stays so.
 */
export function judgeFall(year: PixelYear, smooth: Float64Array, sight: Sight): void {
  const swing = year.max - year.floor;
  measureSeason(year, smooth, sight);
  const start = sight.from + year.maxStep;
  year.drop = swing < HARVEST ? 0 : largestDrop(smooth, start, sight);
  const quick = year.drop >= T.harvestMinShare * swing;
  const unseen = quick || swing < HARVEST ? year.drop : largestUnseenDrop(smooth, start, sight);
  const maybeQuick = !quick && unseen >= T.harvestMinShare * swing;
  const long = year.green >= (maybeQuick ? T.longSeasonSteps : T.sheddingMinSteps);
  year.sheds = !year.harvested && !quick && swing >= HARVEST && long;
  if (Math.max(year.drop, unseen) >= HARVEST && (quick || ((maybeQuick || year.floor < BARE) && !year.sheds)))
    year.harvested = true;
}

/** Largest fall over `harvestSteps` from step `start` to step `last`, the last observation: what is held after it was not seen. */
function largestDrop(smooth: Float64Array, start: number, { last }: Sight): number {
  let drop = 0;
  for (let s = start; s < last; s++) {
    const fall = (smooth[s] ?? 0) - (smooth[Math.min(s + T.harvestSteps, last)] ?? 0);
    if (fall > drop) drop = fall;
  }
  return drop;
}

/** Largest fall between two observations after step `start` that lie further apart than `harvestSteps`: it may have been as quick as a harvest. */
function largestUnseenDrop(smooth: Float64Array, start: number, { seen, last }: Sight): number {
  let drop = 0;
  let before = -1;
  for (let s = start; s <= last; s++) {
    if (((seen >>> s) & 1) === 0) continue;
    const fall = before < 0 || s - before <= T.harvestSteps ? 0 : (smooth[before] ?? 0) - (smooth[s] ?? 0);
    if (fall > drop) drop = fall;
    before = s;
  }
  return drop;
}

/**
 * Measures the season around the highest value, margins included: steps seen in a row at or above the middle between the year's lowest and highest value,
 * and half of those unseen at its ends, into `green`; the longest stretch within that was not seen into `greenGap`; steps without an observation right
 * before into `unseenBefore`. Where the margin on one side was not seen, the other end of the year stands for it: land that is no field
 * turns green and brown at the same time each year.
 */
function measureSeason(year: PixelYear, smooth: Float64Array, sight: Sight): void {
  const { seen, from, first, last } = sight;
  const middle = (year.max + year.floor) / 2;
  const isGreen = (s: number): boolean => (smooth[s] ?? 0) >= middle;
  const isSeen = (s: number): boolean => ((seen >>> s) & 1) === 1;
  const top = from + year.maxStep;
  let start = top;
  while (start > first && isGreen(start - 1)) start--;
  let end = top;
  while (end < last && isGreen(end + 1)) end++;
  let others = 0;
  const next = from + T.coreSteps;
  const everyYear = year.floor >= LEAFLESS || year.cycles === 0;
  if (everyYear && start === first && first >= from)
    for (let s = Math.min(last, next - 1); s > end && isGreen(s) && last >= next - T.unseenEndSteps; s--) others++;
  else if (everyYear && end === last && last < next)
    for (let s = first; s < start && isGreen(s) && first < from + T.unseenStartSteps; s++) others++;
  while (start < end && !isSeen(start)) start++;
  while (end > start && !isSeen(end)) end--;
  let [longest, gap] = [0, 0];
  for (let s = start; s <= end; s++) {
    gap = isSeen(s) ? 0 : gap + 1;
    if (gap > longest) longest = gap;
  }
  let before = start - 1;
  while (before > first && !isSeen(before)) before--;
  let after = end + 1;
  while (after < last && !isSeen(after)) after++;
  year.green = end - start + 1 + others + (start - 1 - before + after - 1 - end) / 2;
  year.greenGap = longest;
}

/**
 * One harvested season that is longer than a crop stands, with a stretch unseen in it that a harvest and a new sowing fit into: two crops, the
 * second sown right after the first.
 */
export const hidesHarvest = (y: PixelYear): boolean =>
  y.cycles === 1 && y.harvested && y.floor < LEAFLESS && y.green >= T.longSeasonSteps && y.greenGap >= T.hiddenGapSteps;
