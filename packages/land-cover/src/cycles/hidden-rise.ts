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
  /** Core steps with a value. */
  clear: number;
  /**
   * Last kharif core step that is the first clear one after a gap of at least `hiddenGapSteps`; -1 where none. Such a gap (the monsoon)
   * can hide the peak of a kharif crop.
   */
  afterGap: number;
}

/** Reads which steps of the column `[at .. at + steps)` have a value. */
export function look(column: Int16Array, at: number, sight: Sight): void {
  const { steps, from } = sight;
  const to = from + T.coreSteps;
  let first = -1;
  let clear = 0;
  let afterGap = -1;
  let gap = 0;
  for (let s = 0; s < steps; s++) {
    if (column[at + s] === INDEX_NODATA) {
      gap++;
      continue;
    }
    if (first < 0) first = s;
    if (s >= from && s < to) {
      clear++;
      if (gap >= T.hiddenGapSteps && s <= from + T.kharifLastStep) afterGap = s;
    }
    gap = 0;
  }
  sight.first = first;
  sight.clear = clear;
  sight.afterGap = afterGap;
}

/**
 * True where the (filled) column falls from position `k` to bare ground within the time of a harvest, without rising first:
 * the end of a growth cycle whose peak was not seen.
 */
export function fallsBare(column: Int16Array, k: number): boolean {
  const start = column[k] ?? 0;
  if (start < HEIGHT) return false;
  for (let s = k + 1; s <= k + T.harvestSteps; s++) {
    const v = column[s] ?? 0;
    if (v > start) return false;
    if (v < BARE && start - v >= FALL) return true;
  }
  return false;
}

/**
 * Replaces the values held before the first observation by a rise from the column's lowest value: what came before is unknown, and
 * a held value would hide the peak of a crop that is first seen near its height. Lowers no minimum, raises no maximum.
 */
export function openStart(column: Int16Array, at: number, { first, steps }: Sight): void {
  let low = column[at + first] ?? 0;
  for (let s = first + 1; s < steps; s++) low = Math.min(low, column[at + s] ?? low);
  for (let s = 0; s < first - 1; s++) column[at + s] = low;
  column[at + first - 1] = (low + (column[at + first] ?? low)) >> 1;
}
