import { createCycleCounter } from '../cycles/count-cycles.ts';
import type { Dormancy } from '../cycles/dormancy.ts';
import { judgeFall } from '../cycles/harvest.ts';
import { hidesHarvest, measureSeason } from '../cycles/season.ts';
import { fallsBare, look, type Sight } from '../cycles/hidden-rise.ts';
import { LULC_THRESHOLDS as T, scaled } from '../method/thresholds.ts';
import { INDEX_NODATA } from '@headwater/core/pixel-plan';
import { MARKED, WET } from '../water/bright.ts';
import { TILE, yearKernel } from '../series/year-kernel.ts';
import { blankYear, type PixelYear } from '../series/year-stats.ts';

/** Planes of one block, `[step][pixels]`, int16 x 10000: NDVI with margins, MNDWI, NDBI and BSI of the core. */
export interface YearPlanes {
  readonly pixels: number;
  readonly ndvi: Int16Array;
  readonly mndwi: Int16Array;
  readonly ndbi: Int16Array;
  readonly bsi: Int16Array;
  /** First core step of `ndvi`. */
  readonly from: number;
  /** Core steps in which growth sleeps. */
  readonly cold: Dormancy;
}

/** From this max NDVI, or this amplitude, on no rule looks at MNDWI, NDBI or BSI. */
const SPARSE = scaled(Math.max(T.gardenMaxNdvi, T.townMaxNdvi, T.barrenSparseMaxNdvi));
const SOIL = scaled(T.townMaxDryBsi);
const EVERGREEN = scaled(T.treeMinNdvi);
const CANOPY = scaled(T.treeMinPeakNdvi);
const FLAT = scaled(Math.max(T.builtMaxAmplitude, T.townMaxAmplitude, T.barrenMaxAmplitude));

/**
 * Makes a reader of pixels in ascending order. It returns the pixel's year, or undefined where too few steps are clear.
 * The returned object is reused by the next call.
 */
export function createYearReader(planes: YearPlanes): (pixel: number) => PixelYear | undefined {
  const { pixels, from } = planes;
  const kernel = yearKernel();
  const tile = kernel.load(planes);
  const steps = Math.floor(planes.ndvi.length / pixels);
  const sight: Sight = { steps, from, cold: planes.cold, seen: 0, first: 0, last: 0, clear: 0, afterGap: 0 };
  let known: number | undefined;
  const countCycles = createCycleCounter();
  const year = blankYear();
  const any: MeanRange = { pixels, from: MARKED, to: -MARKED };
  const dry: MeanRange = { pixels, from: MARKED, to: WET };
  let read = -1;

  return (pixel) => {
    const slot = pixel % TILE;
    if (pixel - slot !== read) {
      read = pixel - slot;
      kernel.read(read);
    }
    const seen = tile.seen[slot]!;
    const smooth = tile.smooth[slot]!;
    // What is seen depends on the missing steps alone, and neighbours mostly share them.
    if (seen !== known) look(~seen, sight);
    known = seen;
    if (sight.clear < T.minClearSteps) return undefined;
    year.clear = sight.clear;
    year.max = tile.max[slot]!;
    year.mean = tile.mean[slot]!;
    year.maxStep = tile.maxStep[slot]!;
    year.plateau = tile.plateau[slot]!;
    year.min = tile.min[slot]!;
    year.floor = tile.floor[slot]!;
    if (year.min >= EVERGREEN && year.max >= CANOPY) return standAllYear(year);
    countCycles(year, smooth, sight);
    const hidden = sight.afterGap >= 0 && fallsBare(smooth, sight.afterGap, sight.last);
    if (hidden) addHidden(sight.afterGap - from);
    year.harvested = hidden;
    measureSeason(year, smooth, sight);
    judgeFall(year, smooth, sight);
    if (hidesHarvest(year)) year.cycles = 2;
    if (year.max < SPARSE && year.max - year.floor < FLAT) lookAtGround(pixel);
    return year;
  };

  /** Looks up what tells roofs from soil. Where BSI is a soil's on average, it is so at its driest, and the rest need not be known. */
  function lookAtGround(pixel: number): void {
    year.ndbi = meanOf(planes.ndbi, pixel, any);
    year.bsi = meanOf(planes.bsi, pixel, any);
    const isSoil = year.bsi >= SOIL;
    year.mndwi = isSoil ? Number.NaN : meanOf(planes.mndwi, pixel, dry);
    year.dryBsi = isSoil ? year.bsi : thirdHighest(planes.bsi, pixel, pixels);
  }

  /** Counts a cycle whose peak was hidden before `step`, unless a peak was found there after all. */
  function addHidden(step: number): void {
    if (year.cycles > 0 && year.peakStep <= step + 1) return;
    year.peakStep = step;
    year.cycles++;
  }
}

/** A closed canopy that never opens is trees whatever else could be measured: its ups and downs are no cycles. */
function standAllYear(year: PixelYear): PixelYear {
  year.cycles = 0;
  year.green = T.coreSteps;
  year.greenGap = 0;
  year.drop = 0;
  year.ends = false;
  year.harvested = false;
  year.sheds = false;
  return year;
}

/** Values that enter a mean, and pixels per plane. */
interface MeanRange {
  readonly pixels: number;
  readonly from: number;
  readonly to: number;
}

/** Mean over the clear steps of one pixel that lie between two values; NaN where none: no comparison with it holds. */
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

/** Third highest of the clear steps of one pixel; NaN where fewer. */
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
