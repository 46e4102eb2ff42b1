import { LULC_THRESHOLDS as T } from '../method/thresholds.ts';

/** First and last core step of the cold months, in which what fades is asleep; null where no winter stops growth. */
export type Dormancy = readonly [first: number, last: number] | null;

/**
 * The cold months at a latitude (degrees, north positive; undefined = unknown). Winter cereals and rape green in autumn, fade under cold and snow and green
 * again: one crop with two peaks. The southern winter lies around 1 July, where the year is cut, and needs no rule.
 */
export function dormancyAt(latitude: number | undefined): Dormancy {
  // Not "less than": a latitude that is no number is unknown too.
  if (latitude === undefined || !(latitude >= T.dormantLatitude)) return null;
  const [from, to] = T.dormantDays;
  return [Math.floor(from / T.stepDays), Math.floor(to / T.stepDays)];
}

/** Where a series falls asleep: its smoothed values, its first core step and its lowest lasting value. */
export interface Sleeper {
  readonly values: Float64Array;
  readonly from: number;
  readonly floor: number;
}

/**
 * True where the lowest point between two peaks lies in the cold months and what made the first peak still stood when they began. A crop
 * that was cut in autumn had fallen by then: what greens after it is another one.
 */
export function sleepsBetween(
  { values, from, floor }: Sleeper,
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

/** Steps of a series' stretch `start .. end` that lie in the cold months; `from` is its first core step. */
export function coldSteps(cold: Dormancy, from: number, [start, end]: readonly [number, number]): number {
  if (cold === null) return 0;
  return Math.max(0, Math.min(end, from + cold[1]) - Math.max(start, from + cold[0]) + 1);
}
