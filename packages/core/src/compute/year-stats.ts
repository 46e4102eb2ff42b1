import { LULC_THRESHOLDS as T, scaled } from './lulc-thresholds.ts';
import type { PixelYear } from './rules.ts';

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

/** Largest fall over `harvestSteps` from step `start` to the end of the series. */
export function largestDrop(smooth: Float64Array, start: number): number {
  const last = smooth.length - 1;
  let drop = 0;
  for (let s = start; s < last; s++) {
    const fall = (smooth[s] ?? 0) - (smooth[Math.min(s + T.harvestSteps, last)] ?? 0);
    if (fall > drop) drop = fall;
  }
  return drop;
}
