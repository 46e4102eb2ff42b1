import { findPeaks } from '../cycles/cycles.ts';
import { judgeFall } from '../cycles/harvest.ts';
import { createGapFiller } from '../series/gap-fill.ts';
import { fallsBare, look, type Sight } from '../cycles/hidden-rise.ts';
import { openEnd, openStart } from '../cycles/open-ends.ts';
import { LULC_THRESHOLDS as T, scaled } from '../method/thresholds.ts';
import { INDEX_NODATA } from '@headwater/core/pixel-plan';
import { smooth5 } from '../series/smooth.ts';
import { blankYear, despike, summarise, type PixelYear } from '../series/year-stats.ts';

/** Planes of one block, `[step][pixels]`, int16 x 10000: NDVI with margins, NDBI and BSI of the core. */
export interface YearPlanes {
  readonly pixels: number;
  readonly ndvi: Int16Array;
  readonly ndbi: Int16Array;
  readonly bsi: Int16Array;
  /** First core step of `ndvi`. */
  readonly from: number;
}

/** Pixels whose columns are gathered at a time: 64 x 31 int16 stay in the first-level cache. */
const TILE = 64;
/** Steps that a bit set holds. */
const BITS = 32;
const PEAKS = { height: scaled(T.cycleMinHeight), prominence: scaled(T.cycleMinProminence) };
/** From this max NDVI, or this amplitude, on no rule looks at NDBI or BSI. */
const SPARSE = scaled(Math.max(T.gardenMaxNdvi, T.barrenSparseMaxNdvi));
const FLAT = scaled(Math.max(T.builtMaxAmplitude, T.barrenMaxAmplitude));

/**
 * Makes a reader of pixels in ascending order. It returns the pixel's year, or undefined when too few steps are clear or a gap is too long.
 * The returned object is reused by the next call.
 */
export function createYearReader(planes: YearPlanes): (pixel: number) => PixelYear | undefined {
  const { pixels, from } = planes;
  const steps = Math.floor(planes.ndvi.length / pixels);
  if (steps > BITS) throw new RangeError(`createYearReader: ${steps} steps of NDVI; give at most ${BITS}`);
  const columns = new Int16Array(TILE * steps);
  const missing = new Int32Array(TILE);
  let known: number | undefined;
  const smooth = new Float64Array(steps);
  const series = { values: smooth, at: 0, steps };
  const peaks = new Uint8Array(8);
  const sight: Sight = { steps, from, first: 0, last: 0, clear: 0, afterGap: 0 };
  const fill = createGapFiller({
    steps,
    core: [from, from + T.coreSteps],
    reach: T.gapFillSteps,
  });
  const year = blankYear();
  let gathered = -1;

  return (pixel) => {
    const slot = pixel % TILE;
    if (pixel - slot !== gathered) {
      gathered = pixel - slot;
      gather(planes, gathered, { columns, missing });
    }
    const at = slot * steps;
    // What is seen and where the gaps are depends on the missing steps alone, and neighbours mostly share them.
    const same = missing[slot] === known;
    if (!same) look(missing[slot] ?? 0, sight);
    known = missing[slot];
    if (!fill(columns, at, same) || sight.clear < T.minClearSteps) return undefined;
    if (sight.first >= from + T.unseenStartSteps) openStart(columns, at, sight);
    if (sight.last < from + T.coreSteps - T.unseenEndSteps) openEnd(columns, at, sight);
    despike(columns, at, steps);
    smooth5(columns, at, smooth);
    summarise(smooth, from, year);
    countCycles();
    const hidden = sight.afterGap >= 0 && fallsBare(columns, at + sight.afterGap, at + sight.last);
    if (hidden) addHidden(sight.afterGap - from);
    year.harvested = hidden;
    judgeFall(year, smooth, sight);
    if (year.max < SPARSE && year.max - year.min < FLAT) {
      year.ndbi = meanOf(planes.ndbi, pixel, pixels);
      year.bsi = meanOf(planes.bsi, pixel, pixels);
    }
    return year;
  };

  /** Cycles belong to the year of their peak: those in the margins are the neighbours'. */
  function countCycles(): void {
    year.cycles = 0;
    if (year.max < PEAKS.height) return;
    const count = findPeaks(series, PEAKS, peaks);
    for (let i = 0; i < count; i++) {
      const step = (peaks[i] ?? 0) - from;
      if (step < 0 || step >= T.coreSteps) continue;
      if (year.cycles === 0) year.peakStep = step;
      year.cycles++;
    }
  }

  /** Counts a cycle whose peak was hidden before `step`, unless a peak was found there after all. */
  function addHidden(step: number): void {
    if (year.cycles > 0 && year.peakStep <= step + 1) return;
    year.peakStep = step;
    year.cycles++;
  }
}

/** Columns `[pixel][step]` of a tile, and a bit per step that is missing in each. */
interface Tile {
  readonly columns: Int16Array;
  readonly missing: Int32Array;
}

/** Transposes `TILE` pixels from `first` on into columns. */
function gather(planes: YearPlanes, first: number, { columns, missing }: Tile): void {
  const { pixels, ndvi } = planes;
  const steps = columns.length / TILE;
  const count = Math.min(TILE, pixels - first);
  missing.fill(0);
  for (let s = 0; s < steps; s++) {
    const row = s * pixels + first;
    const bit = 1 << s;
    for (let i = 0, at = s; i < count; i++, at += steps) {
      const v = ndvi[row + i] ?? INDEX_NODATA;
      columns[at] = v;
      if (v === INDEX_NODATA) missing[i] = (missing[i] ?? 0) | bit;
    }
  }
}

/** Mean over the clear steps of one pixel; 0 where none. */
function meanOf(plane: Int16Array, pixel: number, pixels: number): number {
  let sum = 0;
  let count = 0;
  for (let at = pixel; at < plane.length; at += pixels) {
    const v = plane[at] ?? INDEX_NODATA;
    if (v === INDEX_NODATA) continue;
    sum += v;
    count++;
  }
  return count === 0 ? 0 : sum / count;
}
