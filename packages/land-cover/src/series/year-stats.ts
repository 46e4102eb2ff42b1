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
  /** Bright and as if wet for most of the year: salt or lasting snow. Set by whoever knows the water index; false else. */
  white: boolean;
}

/** A year of which nothing is known yet. */
export const blankYear = (): PixelYear => ({
  max: 0,
  min: 0,
  mean: 0,
  maxStep: 0,
  plateau: 0,
  drop: 0,
  harvested: false,
  sheds: false,
  cycles: 0,
  peakStep: 0,
  ndbi: 0,
  bsi: 0,
  white: false,
});

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
