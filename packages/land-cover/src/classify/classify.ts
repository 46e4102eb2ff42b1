import { INDEX_NODATA } from '@headwater/core/pixel-plan';
import { createCycleCounter } from '../cycles/count-cycles.ts';
import { hasSecondCrop } from '../cycles/second-crop.ts';
import { COLD } from '../cycles/dormancy.ts';
import { hidesHarvest, measureSeason } from '../cycles/season.ts';
import { fallsBare, readCoverage, type SeriesCoverage } from '../cycles/hidden-rise.ts';
import { LULC_THRESHOLDS as T, scaled } from '../method/thresholds.ts';
import { MARKED, WET } from '../water/water.ts';
import type { YearSeries } from '../confidence/series-evidence.ts';
import { TILE, yearKernel } from '../series/year-kernel.ts';
import { blankYear, type PixelYear } from '../series/year-stats.ts';

/**
 * Planes of one block, `[step][pixels]`, int16 x 10000: NDVI of the core (the steps of the year) and its margins; MNDWI, NDBI and BSI of
 * the core only.
 */
export interface YearPlanes {
  readonly pixels: number;
  readonly ndvi: Int16Array;
  readonly mndwi: Int16Array;
  readonly ndbi: Int16Array;
  readonly bsi: Int16Array;
  /** Index of the first core step in `ndvi`. */
  readonly from: number;
  /** Pixels that have a winter: 1 for each such pixel, or one boolean for all pixels. */
  readonly winters: Uint8Array | boolean;
}

/**
 * Limits x 10000 for a pixel's year. Rules use MNDWI, NDBI or BSI only if the maximum NDVI is below `SPARSE` and the amplitude is below
 * `FLAT`; for all other pixels these means are not computed.
 */
const SPARSE = scaled(Math.max(T.gardenMaxNdvi, T.townMaxNdvi, T.barrenSparseMaxNdvi));
const SOIL = scaled(T.townMaxDryBsi);
const EVERGREEN = scaled(T.treeMinNdvi);
const LEAFLESS = scaled(T.deciduousMinNdvi);
const CLOSED = scaled(T.deciduousMinPeakNdvi);
const GREEN_FIELD = scaled(T.greenFieldMinSwing);
const CANOPY = scaled(T.treeMinPeakNdvi);
const FLAT = scaled(Math.max(T.builtMaxAmplitude, T.townMaxAmplitude, T.barrenMaxAmplitude));

/**
 * Creates a reader of pixels in ascending order. The reader returns the pixel's year, or undefined if too few steps are clear. Each call
 * returns the same object with new values. Each call also writes the smoothed series and the coverage of the pixel into `series`.
 */
export function createYearReader(planes: YearPlanes, series?: YearSeries): (pixel: number) => PixelYear | undefined {
  const { pixels, from, winters } = planes;
  const kernel = yearKernel();
  const tile = kernel.load({ ...planes, cold: winters === true ? COLD : null });
  const steps = Math.floor(planes.ndvi.length / pixels);
  const coverage: SeriesCoverage = {
    steps,
    from,
    cold: winters === true ? COLD : null,
    seen: 0,
    first: 0,
    last: 0,
    clear: 0,
    afterGap: 0,
  };
  if (series) series.coverage = coverage;
  let lastSeen: number | undefined;
  const countCycles = createCycleCounter();
  const year = blankYear();
  const any: MeanRange = { pixels, from: MARKED, to: -MARKED };
  const dry: MeanRange = { pixels, from: MARKED, to: WET };
  let read = -1;
  // Lowest values of a tile's pixels, computed as if all pixels had a winter. Only these values are computed twice, because no other
  // value of a tile depends on the winter.
  const cold = { min: new Int32Array(TILE), floor: new Int32Array(TILE) };

  return (pixel) => {
    const slot = pixel % TILE;
    if (pixel - slot !== read) {
      read = pixel - slot;
      if (typeof winters !== 'boolean') readCold();
      kernel.read(read);
    }
    const hasWinter = typeof winters === 'boolean' ? winters : winters[pixel] === 1;
    coverage.cold = hasWinter ? COLD : null;
    const seen = tile.seen[slot]!;
    const smooth = tile.smooth[slot]!;
    if (series) series.smooth = smooth;
    // The coverage depends only on the missing steps, which are mostly the same for neighbouring pixels. So it is computed again only if
    // the missing steps differ from those of the last pixel.
    if (seen !== lastSeen) readCoverage(~seen, coverage);
    lastSeen = seen;
    if (coverage.clear < T.minClearSteps) return undefined;
    year.clear = coverage.clear;
    year.max = tile.max[slot]!;
    year.mean = tile.mean[slot]!;
    year.maxStep = tile.maxStep[slot]!;
    year.plateau = tile.plateau[slot]!;
    const lowest = hasWinter && winters !== true ? cold : tile;
    year.min = lowest.min[slot]!;
    year.floor = lowest.floor[slot]!;
    if (year.min >= EVERGREEN && year.max >= CANOPY && year.max - year.min < GREEN_FIELD) return evergreen(year);
    countCycles(year, smooth, coverage);
    const hidden = coverage.afterGap >= 0 && fallsBare(smooth, coverage.afterGap, coverage.last);
    if (hidden) addHidden(coverage.afterGap - from);
    year.harvested = hidden;
    measureSeason(year, smooth, coverage);
    judgeFall(year, smooth, coverage);
    const isLeafy = year.floor >= LEAFLESS && year.max < CLOSED;
    year.leafFall = isLeafy ? largestDrop(smooth, coverage.first, coverage) | 0 : 0;
    if (hidesHarvest(year) || hasSecondCrop(year, smooth, coverage)) year.cycles = 2;
    else if (isPasture(year, coverage)) year.cycles = 1;
    if (year.max < SPARSE && year.max - year.floor < FLAT) measureGround(pixel);
    return year;
  };

  /** Reads the tile as if all its pixels had a winter, and copies the lowest values. */
  function readCold(): void {
    kernel.setCold(from, COLD);
    kernel.read(read);
    cold.min.set(tile.min);
    cold.floor.set(tile.floor);
    kernel.setCold(from, null);
  }

  /**
   * Computes the values that distinguish roofs from soil. If the mean BSI shows soil, the highest BSI also shows soil, so the values
   * that need more reads are not computed.
   */
  function measureGround(pixel: number): void {
    year.ndbi = meanOf(planes.ndbi, pixel, any);
    year.bsi = meanOf(planes.bsi, pixel, any);
    const isSoil = year.bsi >= SOIL;
    year.mndwi = isSoil ? Number.NaN : meanOf(planes.mndwi, pixel, dry);
    year.dryBsi = isSoil ? year.bsi : thirdHighest(planes.bsi, pixel, pixels);
  }

  /** Counts a cycle whose hidden (unobserved) peak was before `step`, unless a peak was already found before `step`. */
  function addHidden(step: number): void {
    if (year.cycles > 0 && year.peakStep <= step + 1) return;
    year.peakStep = step;
    year.cycles++;
  }
}

/**
 * Resets the season of a year with an always closed canopy. Such a canopy consists of trees, and the changes of NDVI of trees are not
 * growth cycles.
 */
function evergreen(year: PixelYear): PixelYear {
  year.cycles = 0;
  year.cuts = 0;
  year.leafFall = 0;
  year.green = T.coreSteps;
  year.greenGap = 0;
  year.drop = 0;
  year.ends = false;
  year.harvested = false;
  year.sheds = false;
  return year;
}

/**
 * True if the ground is never bare, and a cycle ends without a harvest. Such land is pasture whose NDVI fell for some weeks in the
 * rains. The rule is not used in places with cold winters: the floor (lowest lasting NDVI) leaves out the cold months there, so the
 * floor does not show if the ground was bare.
 */
const isPasture = (year: PixelYear, { cold }: SeriesCoverage): boolean =>
  cold === null && year.cycles >= 2 && year.cuts < 2 && year.floor >= LEAFLESS;

/** Range of values for a mean, and number of pixels per plane. */
interface MeanRange {
  readonly pixels: number;
  readonly from: number;
  readonly to: number;
}

/** Mean of one pixel's clear values within a range. NaN if there is no such value; comparisons with the mean are then false. */
function meanOf(plane: Int16Array, pixel: number, { pixels, from, to }: MeanRange): number {
  let sum = 0;
  let count = 0;
  for (let at = pixel; at < plane.length; at += pixels) {
    const v = plane[at] ?? INDEX_NODATA;
    if (v < from || v > to) continue;
    sum += v;
    count++;
  }
  return count === 0 ? Number.NaN : sum / count;
}

/** Third highest clear value of one pixel; NaN if there are fewer than three clear values. */
function thirdHighest(plane: Int16Array, pixel: number, pixels: number): number {
  let first = INDEX_NODATA;
  let second = INDEX_NODATA;
  let third = INDEX_NODATA;
  for (let at = pixel; at < plane.length; at += pixels) {
    const v = plane[at]!;
    if (v <= third) continue;
    third = v <= second ? v : second;
    if (v <= second) continue;
    second = v <= first ? v : first;
    if (v > first) first = v;
  }
  return third === INDEX_NODATA ? Number.NaN : third;
}

const HARVEST = scaled(T.harvestMinDrop);
const BARE = scaled(T.harvestBareNdvi);
const NEARLY_BARE = scaled(T.bareMaxNdvi);

/**
 * Finds the fall at the end of the green season (`green` steps) and writes `drop`, `sheds` and `harvested`. A large fall is a harvest if
 * it is quick. A large fall is also a harvest if it was not observed, or the NDVI reaches that of bare ground, after a season that was not long. The NDVI of a
 * crop that is picked over weeks loses only half of its height within the time of a harvest. For such a crop the season may be longer
 * than for other crops. If `harvested` is already true because of a hidden peak, `harvested` stays true.
 */
function judgeFall(year: PixelYear, smooth: Float64Array, coverage: SeriesCoverage): void {
  const swing = year.max - year.floor;
  year.drop = 0;
  year.sheds = false;
  if (swing < HARVEST) return;
  const start = coverage.from + year.maxStep;
  year.drop = largestDrop(smooth, start, coverage) | 0;
  const quick = year.drop >= T.harvestMinShare * swing;
  const unseen = quick ? year.drop : largestUnseenDrop(smooth, start, coverage);
  const maybeQuick = !quick && unseen >= T.harvestMinShare * swing;
  const halves = year.drop >= T.halvesMinShare * swing && year.floor < NEARLY_BARE;
  const isField = maybeQuick || ((halves || year.floor < BARE) && coverage.cold === null);
  const longest = halves && year.floor < BARE ? T.perennialSteps + 1 : isField ? T.longSeasonSteps : T.sheddingMinSteps;
  year.sheds = !year.harvested && !quick && year.green >= longest && year.ends;
  if (Math.max(year.drop, unseen) >= HARVEST && (quick || ((maybeQuick || halves || year.floor < BARE) && !year.sheds)))
    year.harvested = true;
}

/** Largest fall within `harvestSteps` steps between `start` and the last observation. */
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
 * Largest fall after `start` between two consecutive observations that are more than `harvestSteps` apart. Such a fall was not observed
 * and may have been as quick as a harvest.
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
