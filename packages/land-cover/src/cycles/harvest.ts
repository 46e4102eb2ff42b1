import { LULC_THRESHOLDS as T, scaled } from '../method/thresholds.ts';
import type { PixelYear } from '../series/year-stats.ts';
import type { Sight } from './hidden-rise.ts';

const HARVEST = scaled(T.harvestMinDrop);
const BARE = scaled(T.harvestBareNdvi);

/**
 * Tells how the year's green ends, into `drop`, `sheds` and `harvested`. A fall that is large, and quick or (where the season was not long) down to
 * bare ground, is a harvest. A year that is `harvested` already (its peak was hidden) stays so.
 */
export function judgeFall(year: PixelYear, smooth: Float64Array, { from, last }: Sight): void {
  const swing = year.max - year.min;
  year.drop = swing < HARVEST ? 0 : largestDrop(smooth, from + year.maxStep, last);
  const quick = year.drop >= T.harvestMinShare * swing;
  year.sheds = !year.harvested && !quick && swing >= HARVEST && greenSteps(smooth, from, year) >= T.sheddingMinSteps;
  if (year.drop >= HARVEST && (quick || (year.min < BARE && !year.sheds))) year.harvested = true;
}

/** Largest fall over `harvestSteps` from step `start` to step `last`, the last observation: what is held or opened after it was not seen. */
function largestDrop(smooth: Float64Array, start: number, last: number): number {
  let drop = 0;
  for (let s = start; s < last; s++) {
    const fall = (smooth[s] ?? 0) - (smooth[Math.min(s + T.harvestSteps, last)] ?? 0);
    if (fall > drop) drop = fall;
  }
  return drop;
}

/** Core steps at or above the middle between the year's lowest and highest value: how long the season is. */
function greenSteps(smooth: Float64Array, from: number, { max, min }: PixelYear): number {
  const middle = (max + min) / 2;
  let count = 0;
  for (let s = from; s < from + T.coreSteps; s++) if ((smooth[s] ?? 0) >= middle) count++;
  return count;
}
