import { isDormantBetween } from '../cycles/dormancy.ts';
import type { SeriesCoverage } from '../cycles/hidden-rise.ts';
import { dipsOf, hasSlopes, lowestBit, type Slopes, topsOf } from '../cycles/peaks.ts';
import { LULC_THRESHOLDS as T, scaled } from '../method/thresholds.ts';
import type { PixelYear } from '../series/year-stats.ts';
import { MONTH_OF_STEP, WET, type WaterInput } from '../water/water.ts';

/** Series and coverage of the pixel that was read last. */
export interface YearSeries {
  smooth: Float64Array;
  coverage: SeriesCoverage | undefined;
}

const HEIGHT = scaled(T.cycleMinHeight);
const PROMINENCE = scaled(T.cycleMinProminence);
/** Upper limit of all distances, NDVI x 10000. */
export const FAR = 10_000;
const CORE = 2 ** T.coreSteps - 1;
const FALL = scaled(T.deciduousMaxDrop);
const RISE = scaled(T.canopyMaxRise);

/**
 * Longest run of core steps (steps of the year) without observation. A crop, harvest or flood in such a run can be
 * missed.
 */
export function longestGap({ seen, from }: SeriesCoverage): number {
  // Each round shortens every run by one (Warren 2012, Hacker's Delight, 6-3).
  let missing = ~(seen >>> from) & CORE;
  let gap = 0;
  for (; missing !== 0; missing &= missing << 1) gap++;
  return gap;
}

/** Mean change of the slope between steps, NDVI x 10000: large for crops, small for a canopy. */
export function roughness(smooth: Float64Array, { first, last }: SeriesCoverage): number {
  let sum = 0;
  for (let s = first + 1; s < last; s++) sum += Math.abs(smooth[s - 1]! - 2 * smooth[s]! + smooth[s + 1]!);
  return last - first < 2 ? FAR : sum / (last - first - 1);
}

/**
 * Smaller one of two distances, NDVI x 10000: of the largest fall to its limit for a canopy, and of the largest rise to
 * its limit. Changes are measured over `harvestSteps` steps. Steps outside of the year count too. Steps in winter also
 * count, because snow does not cover the crowns of trees.
 */
export function canopyMargin(smooth: Float64Array, { first, last }: SeriesCoverage): number {
  let [fall, rise] = [0, 0];
  for (let s = first; s + T.harvestSteps <= last; s++) {
    const change = smooth[s + T.harvestSteps]! - smooth[s]!;
    if (change > rise) rise = change;
    else if (-change > fall) fall = -change;
  }
  return Math.min(FALL - fall, RISE - rise);
}

// Local maxima of a series, their steps, and the local minima before, between and after them. Reused for every pixel,
// because otherwise there would be millions of arrays.
const tops = new Float64Array(16);
const steps = new Uint8Array(16);
const dips = new Float64Array(17);

/**
 * Smallest change of NDVI (x 10000) that would change the number of cycles. It would remove the weakest counted
 * peak, or add the strongest uncounted peak. 0 if another rule decided `year.cycles`.
 */
export function peakMargin(year: PixelYear, smooth: Float64Array, coverage: SeriesCoverage): number {
  const { from, cold } = coverage;
  const swing = year.max - year.floor;
  const height = Math.max(HEIGHT, year.floor + T.cycleMinShare * swing);
  const prominence = Math.max(PROMINENCE, T.cycleMinProminenceShare * swing);
  const count = findTops(smooth, coverage);
  let cycles = 0;
  let weakest = FAR;
  let now = FAR;
  let rival = FAR;
  let before = -1;
  for (let k = 0; k < count; k++) {
    const step = steps[k]!;
    if (step < from || step >= from + T.coreSteps) continue;
    // Skips a low peak: it lacks at least as much height as the strongest uncounted peak, so it cannot change the
    // result.
    if (height - tops[k]! >= rival) continue;
    const over = Math.min(tops[k]! - height, prominenceOf(k, count) - prominence);
    const isSame =
      before >= 0 &&
      (step - before < T.cycleMinSpacing ||
        (cold !== null && isDormantBetween({ values: smooth, from, floor: year.floor }, [before, step], cold)));
    if (over < 0) {
      if (!isSame && -over < rival) rival = -over;
      continue;
    }
    if (!isSame) {
      if (now < weakest) weakest = now;
      cycles++;
      now = over;
    } else if (over > now) now = over;
    before = step;
  }
  return cycles === year.cycles ? Math.min(weakest, now, rival) : 0;
}

/** Writes `tops`, `steps` and `dips`; returns the number of tops. */
function findTops(smooth: Float64Array, coverage: SeriesCoverage): number {
  const { first, last, rises = 0, falls = 0 } = coverage;
  const slopes = { first, last, rises, falls };
  return hasSlopes(slopes) ? topsOfSlopes(smooth, slopes) : topsOfValues(smooth, coverage);
}

function topsOfSlopes(smooth: Float64Array, slopes: Slopes): number {
  const { first, last, rises, falls } = slopes;
  let count = 0;
  for (let bits = dipsOf(slopes) | (rises & (1 << first)); bits !== 0; bits &= bits - 1)
    dips[count++] = smooth[lowestBit(bits)]!;
  count = 0;
  for (let bits = topsOf(slopes); bits !== 0; bits &= bits - 1) {
    const step = lowestBit(bits);
    tops[count] = smooth[step]!;
    steps[count++] = step;
  }
  if ((falls >>> (last - 1)) & 1) dips[count] = smooth[last]!;
  return count;
}

function topsOfValues(smooth: Float64Array, { first, last }: SeriesCoverage): number {
  let count = 0;
  let rises = false;
  dips[0] = smooth[first] ?? 0;
  let v = dips[0];
  for (let s = first + 1; s <= last && count < tops.length; s++) {
    const next = smooth[s]!;
    if (rises ? next < v : next > v) {
      rises = !rises;
      if (rises) dips[count] = v;
      else {
        tops[count] = v;
        steps[count++] = s - 1;
      }
    }
    v = next;
  }
  if (!rises) dips[count] = v;
  return count;
}

/** Height of a top above the higher one of the lowest points on both sides. A side ends at the next higher top. */
function prominenceOf(k: number, count: number): number {
  const top = tops[k]!;
  let left = top;
  for (let i = k; i >= 0; i--) {
    if (dips[i]! < left) left = dips[i]!;
    if (i > 0 && tops[i - 1]! > top) break;
  }
  let right = top;
  for (let j = k + 1; j <= count; j++) {
    if (dips[j]! < right) right = dips[j]!;
    if (j < count && tops[j]! > top) break;
  }
  return top - Math.max(left, right);
}

/** Share of wet steps among the clear steps, and mean distance of the clear steps to the limits of water (x 10000). */
export interface WetSeason {
  readonly share: number;
  readonly strength: number;
}

/** Evidence of the season that decided a water class: 2 kharif, 3 rabi, 4 zaid. */
export function wetSeason({ pixels, mndwi, ndvi, ndviFrom }: WaterInput, pixel: number, code: number): WetSeason {
  let [clear, wet, sum] = [0, 0, 0];
  for (let step = MONTH_OF_STEP.indexOf(4 * (code - 2)); MONTH_OF_STEP[step]! < 4 * (code - 1); step++) {
    const m = mndwi[step * pixels + pixel]!;
    const v = ndvi[(step + ndviFrom) * pixels + pixel]!;
    if (m < -FAR || v < -FAR) continue;
    clear++;
    const over = Math.min(m - WET, m - v);
    if (over > 0) wet++;
    sum += over;
  }
  return clear === 0 ? { share: 0, strength: 0 } : { share: wet / clear, strength: sum / clear };
}
