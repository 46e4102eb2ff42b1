import { LAND } from './land-classes.ts';
import type { Parcel } from './land-mosaic.ts';
import { between, chance } from './random.ts';
import { firstOfJuly, hydroYear, SAMPLE_YEARS } from './sample-frame.ts';

/** Cover of a parcel on one day, as shares 0-1. The rest is visible ground: soil, roofs or rock. */
export interface GroundCover {
  readonly landClass: number;
  readonly leaf: number;
  readonly stubble: number;
  readonly water: number;
  /** Moisture of the top soil, 0 dry to 1 field capacity. */
  readonly moisture: number;
}

/**
 * Class of a parcel in any hydrological year. Outside of `SAMPLE_YEARS`, this is the class in the nearest of these
 * years.
 */
export function classIn(parcel: Parcel, year: number): number {
  const index = Math.min(SAMPLE_YEARS.length - 1, Math.max(0, year - SAMPLE_YEARS[0]));
  return parcel.classes[index] ?? parcel.classes[0];
}

/**
 * Cover of a parcel (index `id` in its mosaic) on a day number. A crop belongs to the hydrological year of its peak.
 */
export function groundCover(parcel: Parcel, id: number, day: number): GroundCover {
  const year = hydroYear(day);
  const landClass = classIn(parcel, year);
  const crops = [year - 1, year, year + 1].flatMap((y) => cropCycles(classIn(parcel, y), y, id));
  const water = waterShare(landClass, { year, day, id });
  const background = backgroundLeaf(landClass, day - firstOfJuly(year), id);
  const leaf = Math.max(background * (1 - water), ...crops.map((crop) => leafOf(crop, day)));
  const stubble = Math.min(0.5, (1 - leaf) * Math.max(0, ...crops.map((crop) => stubbleOf(crop, day))));
  return { landClass, leaf, stubble, water, moisture: moisture(day - firstOfJuly(year), crops, day) };
}

function bump(day: number, centre: number, width: number): number {
  const gap = ((((day - centre) % 365) + 547.5) % 365) - 182.5;
  return Math.exp(-((gap / width) ** 2));
}

function backgroundLeaf(landClass: number, day: number, id: number): number {
  if (landClass === LAND.trees) {
    const crown = between(0.84, 0.93, [id, 20]);
    return crown - between(0.1, 0.2, [id, 21]) * bump(day, 275, 42);
  }
  if (landClass === LAND.scrub) return between(0.14, 0.2, [id, 22]) + between(0.14, 0.2, [id, 23]) * bump(day, 92, 62);
  if (landClass === LAND.builtUp) return between(0.1, 0.18, [id, 24]) + 0.03 * bump(day, 90, 60);
  if (landClass === LAND.barren) return 0.004 + 0.008 * bump(day, 80, 45);
  return between(0.012, 0.022, [id, 25]) + 0.022 * bump(day, 75, 45);
}

/** Begin and end of the time when a water body of the class is full, in days after 1 July. */
const FULL: Readonly<Record<number, readonly [number, number]>> = {
  [LAND.waterKharif]: [6, 132],
  [LAND.waterTwoSeasons]: [2, 250],
  [LAND.waterAllYear]: [-400, 800],
};

function waterShare(landClass: number, { year, day, id }: { year: number; day: number; id: number }): number {
  const full = FULL[landClass];
  if (full === undefined) return 0;
  const start = firstOfJuly(year) + full[0] + between(-4, 4, [id, year, 26]);
  const end = firstOfJuly(year) + full[1] + between(-5, 5, [id, year, 27]);
  return 1 / (1 + Math.exp((start - day) / 1.5)) / (1 + Math.exp((day - end) / 2.5));
}

function moisture(dayOfYear: number, crops: readonly CropCycle[], day: number): number {
  const monsoon = 0.75 * bump(dayOfYear, 48, 50);
  const irrigated = crops.some((c) => day > c.green - 22 && day < c.dry - 8) ? 0.35 : 0;
  return Math.min(1, 0.06 + Math.max(monsoon, irrigated));
}

/**
 * Day numbers at which half of the canopy has grown (`green`) and half has dried (`dry`), and the highest leaf share.
 */
interface CropCycle {
  readonly green: number;
  readonly dry: number;
  readonly leaf: number;
  /** Time constant of the growth, days. */
  readonly pace: number;
}

/**
 * Days after 1 July at which half of the canopy has grown (`green`) and half has dried (`dry`), and their spread
 * between parcels.
 */
interface Season {
  readonly green: number;
  readonly dry: number;
  readonly spread: number;
}

const KHARIF: Season = { green: 40, dry: 122, spread: 8 };
const KHARIF_BEFORE_RABI: Season = { green: 38, dry: 118, spread: 6 };
const KHARIF_EARLY: Season = { green: 30, dry: 110, spread: 4 };
const RABI: Season = { green: 170, dry: 248, spread: 8 };
const RABI_EARLY: Season = { green: 162, dry: 234, spread: 4 };
const ZAID: Season = { green: 272, dry: 329, spread: 4 };
const ZAID_ALONE: Season = { green: 264, dry: 329, spread: 6 };
/** Sugarcane is cut in January, has grown again by March, and is on the field until the next January. */
const CANE: Season = { green: 247, dry: 365 + 188, spread: 5 };
/** Share of cane among the parcels of class 11 (three crops or a perennial one). */
const CANE_SHARE = 0.04;

function cropCycles(landClass: number, year: number, parcel: number): readonly CropCycle[] {
  return seasonsOf(landClass, parcel).map((season, nth) => {
    const key = [parcel, year, nth];
    const shift = between(-season.spread, season.spread, [...key, 1]);
    const start = firstOfJuly(year) + shift;
    return {
      green: start + season.green,
      dry: start + season.dry + between(-4, 4, [...key, 2]),
      leaf: between(0.74, 0.94, [...key, 3]) * between(0.94, 1, [year, 4]),
      pace: between(4.5, 6.5, [...key, 5]),
    };
  });
}

function seasonsOf(landClass: number, parcel: number): readonly Season[] {
  if (landClass === LAND.kharifCrop) return [KHARIF];
  if (landClass === LAND.otherCrop) return [chance(parcel, 6) < 0.2 ? ZAID_ALONE : RABI];
  if (landClass === LAND.twoCrops) return [KHARIF_BEFORE_RABI, RABI];
  if (landClass === LAND.threeCrops && chance(parcel, 7) < CANE_SHARE) return [CANE];
  if (landClass === LAND.threeCrops) return [KHARIF_EARLY, RABI_EARLY, ZAID];
  return [];
}

/** Leaf share of a crop on a day, 0-1: rises as a logistic curve, and falls faster at harvest. */
function leafOf(crop: CropCycle, day: number): number {
  const rise = 1 / (1 + Math.exp((crop.green - day) / crop.pace));
  const fall = 1 / (1 + Math.exp((day - crop.dry) / 3.5));
  return crop.leaf * rise * fall;
}

/** Stubble share of a crop on a day, 0-1. Grazing and ploughing remove most stubble in about two months. */
function stubbleOf(crop: CropCycle, day: number): number {
  if (day < crop.dry - 15) return 0;
  const ripe = 1 / (1 + Math.exp((crop.dry - 4 - day) / 3));
  return 0.42 * ripe * Math.exp(-Math.max(0, day - crop.dry) / 40);
}
