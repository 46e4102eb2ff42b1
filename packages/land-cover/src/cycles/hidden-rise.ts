import { LULC_THRESHOLDS as T, scaled } from '../method/thresholds.ts';
import { INDEX_NODATA } from '@headwater/core/pixel-plan';

const HEIGHT = scaled(T.hiddenMinHeight);
const FALL = scaled(T.hiddenMinFall);
const BARE = scaled(T.bareMaxNdvi);

/** Where a column of raw medians was seen; steps are counted from the series' start. */
export interface Sight {
  /** Length of the series and its first core step. */
  readonly steps: number;
  readonly from: number;
  /** First step with a value, -1 where none. */
  first: number;
  /** Last step with a value, -1 where none. */
  last: number;
  /** Core steps with a value. */
  clear: number;
  /**
   * Last kharif core step that is the first clear one after a gap of at least `hiddenGapSteps` core steps; -1 where none. Such a gap (the
   * monsoon) can hide the peak of a kharif crop. What is missing before the year is no monsoon: a pixel that is green on 1 July and
   * falls then carries last year's crop.
   */
  afterGap: number;
}

/** Reads which steps of the column `[at .. at + steps)` have a value. */
export function look(column: Int16Array, at: number, sight: Sight): void {
  const { steps, from } = sight;
  const to = from + T.coreSteps;
  let first = -1;
  let last = -1;
  let clear = 0;
  let afterGap = -1;
  let gap = 0;
  for (let s = 0; s < steps; s++) {
    if (s === from) gap = 0;
    if (column[at + s] === INDEX_NODATA) {
      gap++;
      continue;
    }
    if (first < 0) first = s;
    last = s;
    if (s >= from && s < to) {
      clear++;
      if (gap >= T.hiddenGapSteps && s <= from + T.kharifLastStep) afterGap = s;
    }
    gap = 0;
  }
  sight.first = first;
  sight.last = last;
  sight.clear = clear;
  sight.afterGap = afterGap;
}

/**
 * True where the (filled) column falls from position `k` to bare ground within the time of a harvest, without rising first:
 * the end of a growth cycle whose peak was not seen. Looks no further than position `last`, the last observation.
 */
export function fallsBare(column: Int16Array, k: number, last: number): boolean {
  const start = column[k] ?? 0;
  if (start < HEIGHT) return false;
  for (let s = k + 1; s <= k + T.harvestSteps && s <= last; s++) {
    const v = column[s] ?? 0;
    if (v > start) return false;
    if (v < BARE && start - v >= FALL) return true;
  }
  return false;
}
