import { LULC_THRESHOLDS as T, scaled } from '../method/thresholds.ts';

/** What the rules look at: one pixel's year. Indices int16 x 10000; steps are core steps, 0-based. */
export interface PixelYear {
  /** Of the filled, smoothed NDVI of the core steps. */
  max: number;
  min: number;
  mean: number;
  /** Core step of `max`. */
  maxStep: number;
  /** Steps with NDVI at or above `plateauMinNdvi`. */
  plateau: number;
  /** Largest fall within `harvestSteps` after the highest point; 0 where the amplitude is below `harvestMinDrop`. */
  drop: number;
  /** NDVI falls as by a harvest after the highest point, or to bare ground after a hidden peak. */
  harvested: boolean;
  /** A long green season with one fall after it that is slower than a harvest: leaves fall, nothing is cut. */
  sheds: boolean;
  /** Growth cycles with their peak inside the year. */
  cycles: number;
  /** Core step of the first of them. */
  peakStep: number;
  /** Means over the clear core steps. */
  ndbi: number;
  bsi: number;
}

const PLATEAU = scaled(T.plateauMinNdvi);
const SPIKE = scaled(T.despikeDrop);

/** Bridges single steps of the column `[at .. at + steps)` that lie far below both neighbours: cloud or shadow that the mask missed. */
export function despike(column: Int16Array, at: number, steps: number): void {
  const end = at + steps - 1;
  let a = column[at] ?? 0;
  let v = column[at + 1] ?? 0;
  for (let s = at + 1; s < end; s++) {
    const b = column[s + 1] ?? 0;
    if (v < a - SPIKE && v < b - SPIKE) {
      v = (a + b) >> 1;
      column[s] = v;
    }
    a = v;
    v = b;
  }
}

/** Max, min, mean and plateau of the core steps of a smoothed series whose first core step is `from`. */
export function summarise(smooth: Float64Array, from: number, year: PixelYear): void {
  let max = -1e9;
  let min = 1e9;
  let sum = 0;
  let plateau = 0;
  let maxAt = from;
  for (let s = from; s < from + T.coreSteps; s++) {
    const v = smooth[s] ?? 0;
    sum += v;
    if (v >= PLATEAU) plateau++;
    if (v < min) min = v;
    if (v > max) {
      max = v;
      maxAt = s;
    }
  }
  year.max = max;
  year.min = min;
  year.mean = sum / T.coreSteps;
  year.maxStep = maxAt - from;
  year.plateau = plateau;
}

/** Largest fall over `harvestSteps` from step `start` to step `last`, the last observation: what is held or opened after it was not seen. */
export function largestDrop(smooth: Float64Array, start: number, last: number): number {
  let drop = 0;
  for (let s = start; s < last; s++) {
    const fall = (smooth[s] ?? 0) - (smooth[Math.min(s + T.harvestSteps, last)] ?? 0);
    if (fall > drop) drop = fall;
  }
  return drop;
}

/** Core steps at or above the middle between the year's lowest and highest value: how long the season is. */
export function greenSteps(smooth: Float64Array, from: number, { max, min }: PixelYear): number {
  const middle = (max + min) / 2;
  let count = 0;
  for (let s = from; s < from + T.coreSteps; s++) if ((smooth[s] ?? 0) >= middle) count++;
  return count;
}
