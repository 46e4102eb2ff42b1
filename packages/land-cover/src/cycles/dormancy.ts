import { LULC_THRESHOLDS as T } from '../method/thresholds.ts';

/** First and last core step of the cold months, in which growth pauses; null without a winter. */
export type Dormancy = readonly [first: number, last: number] | null;

/**
 * Returns the cold months at a latitude (degrees, north positive; undefined = unknown). Winter cereals and rape become green in autumn, fade under
 * cold and snow, and become green again: this is one crop with two peaks. The southern winter is around 1 July, where the hydrological year
 * begins, so no rule is necessary there.
 */
export function dormancyAt(latitude: number | undefined): Dormancy {
  // The negated comparison also treats NaN as an unknown latitude.
  if (latitude === undefined || !(latitude >= T.dormantLatitude)) return null;
  const [from, to] = T.dormantDays;
  return [Math.floor(from / T.stepDays), Math.floor(to / T.stepDays)];
}

/** A series: smoothed values, position of the first core step, and lowest lasting value. */
export interface DormantSeries {
  readonly values: Float64Array;
  readonly from: number;
  readonly floor: number;
}

/**
 * True if the lowest point between two peaks is in the cold months and the first crop was still standing when these months began. The NDVI of a
 * crop harvested in autumn has fallen by then, so later greening is another crop.
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

/** Number of steps from `start` to `end` that are in the cold months; `from` is the first core step. */
export function coldSteps(cold: Dormancy, from: number, [start, end]: readonly [number, number]): number {
  if (cold === null) return 0;
  return Math.max(0, Math.min(end, from + cold[1]) - Math.max(start, from + cold[0]) + 1);
}
