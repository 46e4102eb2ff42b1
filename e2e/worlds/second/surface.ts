import { julyFirst, type SecondYear, SIDE, yearOf } from './calendar.ts';
import { BARE, bilinear, canopy, type Five, litter, moisten, ROOFS, SOILS, WATERS } from './canopy.ts';
import { Dice } from './dice.ts';
import { kindIn, standOf } from './growth.ts';
import { CLASS_OF, type Lake, type Land, type Plot } from './land.ts';
import type { Rain } from './rain.ts';

/** The ground without clouds and haze. */
export interface Surface {
  /** Returns the reflectance of a pixel on a day. */
  readonly at: (pixel: number, day: number) => Five;
  /** Returns true while the pixel is under water. */
  readonly isWet: (pixel: number, day: number) => boolean;
  /** Returns the true class of a pixel in a year. */
  readonly truth: (pixel: number, year: number) => number;
}

/** Reflectance of a parcel on a day. `vigour` scales the leaf area of a pixel. */
type Appearance = (day: number, vigour: number) => Five;

/** Combines soil, plants, houses and water. */
export function surfaceOf(land: Land, rain: Rain, seed: number): Surface {
  const appearances = land.plots.map((plot) => appearanceOf(plot, rain, seed));
  const dice = new Dice('vigour', seed);
  const vigour = Float32Array.from({ length: SIDE * SIDE }, () => Math.max(0.5, 1 + dice.normal(0.12)));
  const dries = Float32Array.from({ length: SIDE * SIDE }, (_, pixel) => driesOn(land.lakes, pixel));
  const isWet = (pixel: number, day: number): boolean => isFull(dries[pixel] ?? 0, day);
  const bed = lakeBed(rain);
  const appearanceAt = (pixel: number): Appearance =>
    (dries[pixel] ?? 0) > 0 ? bed : (appearances[land.plotOf[pixel] ?? 0] ?? nothing);
  return {
    isWet,
    at: (pixel, day) =>
      isWet(pixel, day) ? openWater(rain, day, pixel) : appearanceAt(pixel)(day, vigour[pixel] ?? 1),
    truth: (pixel, year) => {
      const dry = dries[pixel] ?? 0;
      const plot = land.plots[land.plotOf[pixel] ?? 0];
      if (dry > 0) return waterClass(dry);
      return plot === undefined ? 0 : CLASS_OF[kindIn(plot, year)];
    },
  };
}

const nothing: Appearance = () => [0, 0, 0, 0, 0];

/** Days after 1 July on which the lake dries at a pixel; 0 outside of lakes. */
function driesOn(lakes: readonly Lake[], pixel: number): number {
  const [row, col] = [Math.floor(pixel / SIDE), pixel % SIDE];
  for (const { row: top, col: left, radii, dries } of lakes) {
    const reach = ((row - top) / radii[0]) ** 2 + ((col - left) / radii[1]) ** 2;
    if (reach < 1) return dries[1] + (dries[0] - dries[1]) * reach;
  }
  return 0;
}

/** True if a pixel of a lake is under water: from 5 July until it dries, or always. */
function isFull(dry: number, day: number): boolean {
  if (dry === 0) return false;
  const since = day - julyFirst(yearOf(day));
  return dry > 365 || (since >= 4 && since < dry);
}

/**
 * Class by the last season in which the water stays for at least about half of the season. Rabi begins on day 123, zaid
 * on day 243.
 */
function waterClass(dry: number): number {
  if (dry > 310) return 4;
  return dry > 183 ? 3 : 2;
}

function openWater(rain: Rain, day: number, pixel: number): Five {
  const [clear, algal, silty] = WATERS;
  if (clear === undefined || algal === undefined || silty === undefined) return nothing(day, 1);
  const still = bilinear(clear, algal, ((pixel * 2_654_435_761) >>> 0) / 4_294_967_296);
  return bilinear(still, silty, Math.min(1, 1.4 * rain.topSoil(day)));
}

function lakeBed(rain: Rain): Appearance {
  const [, , silt] = SOILS;
  return (day, vigour) =>
    silt === undefined ? nothing(day, 1) : canopy('bare', moisten(silt, 0.15 + 0.8 * rain.topSoil(day)), 0.35 * vigour);
}

function appearanceOf(plot: Plot, rain: Rain, seed: number): Appearance {
  const dice = new Dice('ground', plot.id, seed);
  const stand = standOf(plot, rain, seed);
  const bright = Math.exp(dice.normal(0.1));
  const one = (list: readonly Five[]): Five => dice.pick(list.map((spectrum) => [spectrum, 1] as const));
  const soil = bilinear(one(SOILS), one(SOILS), dice.next());
  const bare = bilinear(one(BARE), one(BARE), 0.4 * dice.next());
  const roof = bilinear(one(ROOFS), one(ROOFS), dice.next());
  const paved = dice.within(0.62, 0.94);
  const houses = plot.kinds.map(() => bilinear(soil, roof, paved));
  return (day, vigour) => {
    const kind = kindIn(plot, yearOf(day));
    const { leaf, dry } = stand(day);
    const wetness = rain.topSoil(day);
    const base =
      kind === 'built'
        ? (houses[0] ?? roof)
        : moisten(kind === 'bare' ? bare : soil, kind === 'bare' ? 0.5 * wetness : wetness);
    const ground: Five = [base[0] * bright, base[1] * bright, base[2] * bright, base[3] * bright, base[4] * bright];
    return canopy(kind, litter(ground, dry), leaf * vigour);
  };
}

/** Returns the true classes of a year, `[SIDE * SIDE]`. */
export function truthOf(surface: Surface, year: SecondYear): Uint8Array {
  return Uint8Array.from({ length: SIDE * SIDE }, (_, pixel) => surface.truth(pixel, year));
}
