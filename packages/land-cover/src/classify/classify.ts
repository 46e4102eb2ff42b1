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
 * Planes of one block, `[step][pixels]`, int16 x 10000. NDVI also has the steps before and after the year (margins);
 * the other indices have only the steps of the year (core steps).
 */
export interface YearPlanes {
  readonly pixels: number;
  readonly ndvi: Int16Array;
  readonly mndwi: Int16Array;
  readonly ndbi: Int16Array;
  readonly bsi: Int16Array;
  /** Index of the first core step in `ndvi`. */
  readonly from: number;
  /** Pixels with a winter: 1 or 0 for each pixel, or one boolean for all pixels. */
  readonly winters: Uint8Array | boolean;
}

/**
 * Limits x 10000. Rules use MNDWI, NDBI or BSI only for pixels whose highest NDVI is below `SPARSE` and whose amplitude
 * is below `FLAT`.
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
 * Creates a function that returns the year of a pixel, or undefined if it has too few clear steps. Read pixels in
 * ascending order, because the function loads tiles. Each call overwrites the returned object and `series`.
 */
export function createYearReader(planes: YearPlanes, series?: YearSeries): (pixel: number) => PixelYear | undefined {
  const { pixels, from, winters } = planes;
  const kernel = yearKernel();
  const tile = kernel.load({ ...planes, cold: winters === true ? COLD : null });
  const steps = Math.floor(planes.ndvi.length / pixels);
  const coverage = blankCoverage(steps, from, winters === true ? COLD : null);
  if (series) series.coverage = coverage;
  let lastSeen: number | undefined;
  const countCycles = createCycleCounter();
  const year = blankYear();
  const any: MeanRange = { pixels, from: MARKED, to: -MARKED };
  const dry: MeanRange = { pixels, from: MARKED, to: WET };
  let read = -1;
  // Lowest values of a tile, computed as if all pixels had a winter. No other value of a tile depends on the winter.
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
    // Neighbours mostly miss the same steps, so the coverage is often reused.
    if (seen !== lastSeen) readCoverage(~seen, coverage);
    lastSeen = seen;
    coverage.rises = tile.rises[slot]!;
    coverage.falls = tile.falls[slot]!;
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

  function readCold(): void {
    kernel.setCold(from, COLD);
    kernel.read(read);
    cold.min.set(tile.min);
    cold.floor.set(tile.floor);
    kernel.setCold(from, null);
  }

  /**
   * Computes the values that distinguish roofs from soil. If the mean BSI already shows soil, MNDWI and the third
   * highest BSI are not needed.
   */
  function measureGround(pixel: number): void {
    year.ndbi = meanOf(planes.ndbi, pixel, any);
    year.bsi = meanOf(planes.bsi, pixel, any);
    const isSoil = year.bsi >= SOIL;
    year.mndwi = isSoil ? Number.NaN : meanOf(planes.mndwi, pixel, dry);
    year.dryBsi = isSoil ? year.bsi : thirdHighest(planes.bsi, pixel, pixels);
  }

  /**
   * Adds a first cycle, whose peak before `step` (a core step) was not observed. Adds none if the last peak of the
   * counted first cycle is at `step + 1` or earlier.
   */
  function addHidden(step: number): void {
    if (year.cycles > 0 && year.peakStep <= step + 1) return;
    year.peakStep = step;
    year.cycles++;
  }
}

const blankCoverage = (steps: number, from: number, cold: SeriesCoverage['cold']): SeriesCoverage => ({
  steps,
  from,
  cold,
  seen: 0,
  rises: 0,
  falls: 0,
  first: 0,
  last: 0,
  clear: 0,
  afterGap: 0,
});

/**
 * Removes the growth cycles of a canopy that is always closed. Such a canopy consists of trees, whose changes are
 * not growth cycles.
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
 * True for pasture: ground that is never bare, with several cycles of which at most one has a harvest. The rule is not
 * used in places with cold winters, because the floor leaves out the cold months there.
 */
const isPasture = (year: PixelYear, { cold }: SeriesCoverage): boolean =>
  cold === null && year.cycles >= 2 && year.cuts < 2 && year.floor >= LEAFLESS;

interface MeanRange {
  readonly pixels: number;
  readonly from: number;
  readonly to: number;
}

/** Mean of the clear values in a range. NaN if there are none, so that comparisons are false. */
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
 * Writes `drop`, `sheds` and `harvested` from the falls after the highest NDVI. A quick large fall is a harvest. After
 * a season that is not long, a large fall is also a harvest if it was unobserved or reaches bare ground.
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
 * Largest fall between two successive observations that are more than `harvestSteps` apart. Such a fall may have been
 * as quick as a harvest.
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
