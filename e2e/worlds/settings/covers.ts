import type { Dice } from '../second/dice.ts';

/** Shares of the ground under green leaves and dry plants on a day, 0-1. */
export interface CoverShares {
  readonly green: number;
  readonly dry: number;
  readonly flooded: boolean;
}

/** Returns the cover on a day. Day 0 is 1 July of the year; days outside of the year are allowed. */
export type CoverByDay = (day: number) => CoverShares;

/**
 * One growing season: first and last days of greening (`rise`) and browning (`fall`), and the greatest green share
 * (`height`).
 */
export interface GrowingSeason {
  readonly rise: readonly [begin: number, full: number];
  readonly fall: readonly [begin: number, gone: number];
  readonly height: number;
  /**
   * Only for paddy: flooding begins this number of days before the first day of `rise`, and ends 12 days after that
   * day.
   */
  readonly flood?: number;
  /** Harvest day, from which the green share falls to zero within five days. */
  readonly cut?: number;
}

/** Rises as half a cosine wave from 0 on day `from` to 1 on day `to`. */
const ease = (day: number, from: number, to: number): number => {
  const share = Math.min(1, Math.max(0, (day - from) / (to - from)));
  return 0.5 - 0.5 * Math.cos(Math.PI * share);
};

function greenOf({ rise, fall, height, cut }: GrowingSeason, day: number): number {
  const standing = height * ease(day, ...rise) * (1 - 0.97 * ease(day, ...fall));
  return cut === undefined ? standing : standing * (1 - ease(day, cut, cut + 5));
}

/** Dry share: ripe stalks, then stubble that decays over some weeks. */
function dryOf({ rise, fall, height, cut }: GrowingSeason, day: number): number {
  if (day < rise[1]) return 0;
  const end = cut ?? fall[1];
  const ripe = 0.75 * height * ease(day, ...fall);
  return day < end ? ripe : Math.min(0.4, 0.75 * height) * 0.5 ** ((day - end) / 25);
}

/** Cover of a field with crops and weeds. Dates vary from year to year (standard deviation 5 days). */
export function sown(
  rotation: (year: -1 | 0 | 1) => readonly GrowingSeason[],
  weeds: (day: number) => number,
  dice: Dice,
): CoverByDay {
  const all = ([-1, 0, 1] as const).flatMap((year) => {
    const shift = 365 * year + dice.normal(5);
    return rotation(year).map((season) => moved(season, shift));
  });
  return (day) => {
    const green = all.reduce((sum, season) => sum + greenOf(season, day), weeds(day));
    const dry = all.reduce((most, season) => Math.max(most, dryOf(season, day)), 0.03);
    const flooded = all.some(({ rise, flood }) => flood !== undefined && day > rise[0] - flood && day < rise[0] + 12);
    return { green: Math.min(0.97, green), dry: Math.min(dry, 1 - green), flooded };
  };
}

function moved({ rise, fall, height, flood, cut }: GrowingSeason, shift: number): GrowingSeason {
  return {
    rise: [rise[0] + shift, rise[1] + shift],
    fall: [fall[0] + shift, fall[1] + shift],
    height,
    ...(flood === undefined ? {} : { flood }),
    ...(cut === undefined ? {} : { cut: cut + shift }),
  };
}

/** Growth on land that is not sown; shares of the ground, 0-1. */
export interface UnsownGrowth extends Pick<GrowingSeason, 'rise' | 'fall'> {
  readonly least: number;
  readonly most: number;
  /** Dry share of the ground without green plants. */
  readonly litter: number;
}

/** Cover of unsown land, with equal dates each year. */
export function wild({ rise, fall, least, most, litter }: UnsownGrowth): CoverByDay {
  return (day) => {
    const share = Math.max(...[-365, 0, 365].map((shift) => greenOf({ rise, fall, height: 1 }, day + shift)));
    return { green: least + (most - least) * share, dry: litter * (1 - share), flooded: false };
  };
}
