import { INDEX_NODATA } from '@headwater/core/pixel-plan';
import { LULC_THRESHOLDS as T, scaled } from '../method/thresholds.ts';

/** First and last step of the cold months, in which growth pauses, counted from 1 July. Null without a winter. */
export type Dormancy = readonly [first: number, last: number] | null;

const [COLD_FROM, COLD_TO] = T.dormantDays;
/**
 * Cold months of the northern hemisphere. A winter crop has a peak before and a peak after them. The winter of the
 * southern hemisphere is at the ends of a hydrological year, so it needs no rule.
 */
export const COLD: NonNullable<Dormancy> = [Math.floor(COLD_FROM / T.stepDays), Math.floor(COLD_TO / T.stepDays)];
const [REST_FROM, REST_TO] = T.restDays;
const REST = [Math.floor(REST_FROM / T.stepDays), Math.floor(REST_TO / T.stepDays)] as const;
const LEAST_SWING = scaled(T.restMinSwing);

/**
 * Strength of the winter by latitude (degrees north): 0 up to `dormantLatitudes[0]`, 1 from `dormantLatitudes[1]` on.
 */
export function winterStrength(latitude: number): number {
  const [from, to] = T.dormantLatitudes;
  const share = (latitude - from) / (to - from);
  return share <= 0 ? 0 : Math.min(1, share) ** T.dormantEase;
}

/**
 * NDVI of a block before smoothing, `[step][pixels]`, int16 x 10000; `INDEX_NODATA` where nothing was observed. `from`:
 * first core step.
 */
export interface WinterPlanes {
  readonly pixels: number;
  readonly ndvi: Int16Array;
  readonly from: number;
}

/**
 * Pixels with a winter: 1 or 0 for each pixel, or one boolean for the block. Between the two `dormantLatitudes`, the
 * change of NDVI in December to February decides (decision 224).
 */
export function findWinters(planes: WinterPlanes, latitudeOf: (pixel: number) => number): Uint8Array | boolean {
  const { pixels } = planes;
  const [one, other] = [latitudeOf(0), latitudeOf(pixels - 1)];
  const [from, to] = T.dormantLatitudes;
  // A block is whole rows of a UTM grid. So all its latitudes are between those of its first and last pixel, or at most
  // `CORNER_MARGIN` degrees beyond them.
  if (!(Math.max(one, other) >= from - CORNER_MARGIN)) return false;
  if (Math.min(one, other) >= to + CORNER_MARGIN) return true;
  return Uint8Array.from({ length: pixels }, (_, pixel) =>
    winterStrength(latitudeOf(pixel)) > changeInRest(planes, pixel) ? 1 : 0,
  );
}

const CORNER_MARGIN = 0.1;

/**
 * Highest minus lowest NDVI of December to February, as a share of the year's amplitude, 0 to below 1. The change is
 * small for resting plants. With fewer than three observed steps, neighbouring values are used too.
 */
export function changeInRest({ pixels, ndvi, from }: WinterPlanes, pixel: number): number {
  let [low, high] = [32_767, -32_768];
  let [lowest, highest, ground] = [32_767, -32_768, 32_767];
  let [last, before, after, count] = [INDEX_NODATA, INDEX_NODATA, INDEX_NODATA, 0];
  for (let s = 0; s < T.coreSteps; s++) {
    const v = ndvi[(s + from) * pixels + pixel]!;
    if (v === INDEX_NODATA) continue;
    if (v < low) low = v;
    if (v > high) high = v;
    if (s < REST[0]) before = v;
    else if (s > REST[1]) after = after === INDEX_NODATA ? v : after;
    else {
      if (count > 0) ground = Math.min(ground, Math.max(last, v));
      if (v < lowest) lowest = v;
      if (v > highest) highest = v;
      last = v;
      count++;
    }
  }
  if (high < low) return 0;
  // One low value is haze; two consecutive low values show the ground.
  if (count > 3) lowest = ground;
  if (count < 3 && before !== INDEX_NODATA) [lowest, highest] = [Math.min(lowest, before), Math.max(highest, before)];
  if (count < 3 && after !== INDEX_NODATA) [lowest, highest] = [Math.min(lowest, after), Math.max(highest, after)];
  return Math.min(0.999, Math.max(0, highest - lowest) / Math.max(LEAST_SWING, high - low));
}

/** Smoothed values, first core step, and floor (lowest lasting value). */
export interface DormantSeries {
  readonly values: Float64Array;
  readonly from: number;
  readonly floor: number;
}

/**
 * True if the lowest point between two peaks is in the cold months, and the first crop still stood when these months
 * began. Otherwise the crop was harvested in autumn.
 */
export function isDormantBetween(
  { values, from, floor }: DormantSeries,
  [one, other]: readonly [number, number],
  cold: Dormancy,
): boolean {
  if (cold === null) return false;
  let low = one;
  for (let s = one + 1; s < other; s++) if ((values[s] ?? 0) < (values[low] ?? 0)) low = s;
  if (low < from + cold[0] || low > from + cold[1]) return false;
  const standing = (values[Math.max(one, from + cold[0])] ?? 0) - floor;
  return standing >= T.dormantMinShare * ((values[one] ?? 0) - floor);
}

/** Number of cold steps from `start` to `end`; `from`: first core step. */
export function coldSteps(cold: Dormancy, from: number, [start, end]: readonly [number, number]): number {
  if (cold === null) return 0;
  return Math.max(0, Math.min(end, from + cold[1]) - Math.max(start, from + cold[0]) + 1);
}
