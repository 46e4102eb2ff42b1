import { LULC_THRESHOLDS as T, scaled } from '../method/thresholds.ts';
import type { PixelYear } from '../series/year-stats.ts';
import type { SeriesCoverage } from './hidden-rise.ts';

const HARVEST = scaled(T.harvestMinDrop);
const BARE = scaled(T.harvestBareNdvi);

/**
 * Judges the end of the green season (`green` steps) and writes `drop`, `sheds` and `harvested`. A large fall is a harvest if it is quick,
 * or if it reaches bare ground and the season was not long. `harvested` is not reset if it is already true because of a hidden peak.
 */
export function judgeFall(year: PixelYear, smooth: Float64Array, coverage: SeriesCoverage): void {
  const swing = year.max - year.floor;
  year.drop = 0;
  year.sheds = false;
  if (swing < HARVEST) return;
  const start = coverage.from + year.maxStep;
  year.drop = largestDrop(smooth, start, coverage) | 0;
  const quick = year.drop >= T.harvestMinShare * swing;
  const unseen = quick ? year.drop : largestUnseenDrop(smooth, start, coverage);
  const maybeQuick = !quick && unseen >= T.harvestMinShare * swing;
  const isField = maybeQuick || (year.floor < BARE && coverage.cold === null);
  const long = year.green >= (isField ? T.longSeasonSteps : T.sheddingMinSteps);
  year.sheds = !year.harvested && !quick && long && year.ends;
  if (Math.max(year.drop, unseen) >= HARVEST && (quick || ((maybeQuick || year.floor < BARE) && !year.sheds)))
    year.harvested = true;
}

/** Largest fall within `harvestSteps` steps between `start` and the last observation `last`. */
function largestDrop(smooth: Float64Array, start: number, { last }: SeriesCoverage): number {
  let drop = 0;
  for (let s = start; s < last; s++) {
    const to = s + T.harvestSteps;
    const fall = smooth[s]! - smooth[to < last ? to : last]!;
    if (fall > drop) drop = fall;
  }
  return drop;
}

/**
 * Largest fall after `start` between two consecutive observations that are more than `harvestSteps` apart. The unobserved fall may have
 * been as quick as a harvest.
 */
function largestUnseenDrop(smooth: Float64Array, start: number, { seen, last }: SeriesCoverage): number {
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
