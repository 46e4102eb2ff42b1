import { LULC_THRESHOLDS as T, scaled } from '../method/thresholds.ts';
import type { PixelYear } from '../series/year-stats.ts';
import type { Sight } from './hidden-rise.ts';

const HARVEST = scaled(T.harvestMinDrop);
const BARE = scaled(T.harvestBareNdvi);

/**
 * Tells how the year's green (`green` steps of it) ends, into `drop`, `sheds` and `harvested`. A fall that is large, and quick or (where the
 * season was not long) down to bare ground, is a harvest. A year that is `harvested` already (its peak was hidden) stays so.
 */
export function judgeFall(year: PixelYear, smooth: Float64Array, sight: Sight): void {
  const swing = year.max - year.floor;
  year.drop = 0;
  year.sheds = false;
  if (swing < HARVEST) return;
  const start = sight.from + year.maxStep;
  year.drop = largestDrop(smooth, start, sight) | 0;
  const quick = year.drop >= T.harvestMinShare * swing;
  const unseen = quick ? year.drop : largestUnseenDrop(smooth, start, sight);
  const maybeQuick = !quick && unseen >= T.harvestMinShare * swing;
  const isField = maybeQuick || (year.floor < BARE && sight.cold === null);
  const long = year.green >= (isField ? T.longSeasonSteps : T.sheddingMinSteps);
  year.sheds = !year.harvested && !quick && long && year.ends;
  if (Math.max(year.drop, unseen) >= HARVEST && (quick || ((maybeQuick || year.floor < BARE) && !year.sheds)))
    year.harvested = true;
}

/** Largest fall over `harvestSteps` from step `start` to step `last`, the last observation: what is held after it was not seen. */
function largestDrop(smooth: Float64Array, start: number, { last }: Sight): number {
  let drop = 0;
  for (let s = start; s < last; s++) {
    const to = s + T.harvestSteps;
    const fall = smooth[s]! - smooth[to < last ? to : last]!;
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
    const fall = before < 0 || s - before <= T.harvestSteps ? 0 : smooth[before]! - smooth[s]!;
    if (fall > drop) drop = fall;
    before = s;
  }
  return drop;
}
