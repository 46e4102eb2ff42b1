import { DAYS, julyFirst, monthOf } from './calendar.ts';
import { Dice } from './dice.ts';

/** Probability of a wet day, and mean rain on a wet day (mm), by month. */
const CLIMATE: Readonly<Record<number, readonly [number, number]>> = {
  1: [0.05, 6],
  2: [0.04, 6],
  3: [0.03, 5],
  4: [0.03, 5],
  5: [0.08, 8],
  6: [0.35, 11],
  7: [0.62, 14],
  8: [0.58, 13],
  9: [0.42, 12],
  10: [0.14, 10],
  11: [0.05, 8],
  12: [0.03, 6],
};

/** Daily rain over the square, with its effect on soil and plants. */
export interface Rain {
  /** Wetness of the top soil, 0-1. */
  readonly topSoil: (day: number) => number;
  /** Greenness of rain-fed grass and bushes, 0-1, with a delay of about three weeks. */
  readonly green: (day: number) => number;
  /** First day on which the soil is wet enough to sow. It is between 30 May and 21 July. */
  readonly onset: (year: number) => number;
}

/** Number of simulated days before the first scene, so that the soil water is realistic at the first scene. */
const WARM_UP = 240;

/** Draws daily rain, and simulates two stores of soil water. */
export function fallingRain(seed: number): Rain {
  const dice = new Dice('rain', seed);
  const first = DAYS[0] - WARM_UP;
  const count = DAYS[1] - first;
  const [top, root, green] = [new Float32Array(count), new Float32Array(count), new Float32Array(count)];
  for (let i = 1; i < count; i++) {
    const [share, depth] = CLIMATE[monthOf(first + i)] ?? [0, 0];
    const fall = dice.hits(share) ? -depth * Math.log(1 - dice.next()) : 0;
    top[i] = Math.min(25, (top[i - 1] ?? 0) * 0.8 + fall);
    root[i] = Math.min(140, (root[i - 1] ?? 0) * 0.975 + 0.7 * fall);
    green[i] = (green[i - 1] ?? 0) + ((root[i] ?? 0) / 140 - (green[i - 1] ?? 0)) / 22;
  }
  const at = (store: Float32Array, day: number): number =>
    store[Math.min(count - 1, Math.max(0, Math.round(day) - first))] ?? 0;
  return {
    topSoil: (day) => at(top, day) / 25,
    green: (day) => Math.min(1, 1.15 * at(green, day)),
    onset: (year) => {
      let day = julyFirst(year) - 32;
      while (at(root, day) < 45 && day < julyFirst(year) + 20) day++;
      return day;
    },
  };
}
