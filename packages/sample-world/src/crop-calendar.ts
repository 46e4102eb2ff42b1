import { between, chance } from './random.ts';
import { LAND } from './land-classes.ts';
import { firstOfJuly } from './sample-frame.ts';

/** One crop on one parcel: the day numbers at which half of its canopy has grown and has dried, and its highest leaf share. */
export interface CropCycle {
  readonly green: number;
  readonly dry: number;
  readonly leaf: number;
  /** Days in which the canopy grows. */
  readonly pace: number;
}

/** Typical season: days after 1 July at which half of the canopy has grown and has dried, and their spread between parcels. */
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
/** Sugarcane: cut in January, grown again by March, on the field until the next January. */
const CANE: Season = { green: 247, dry: 365 + 188, spread: 5 };
/** Share of cane parcels among the parcels of class 11 (three crops or a perennial one). */
const CANE_SHARE = 0.04;

/** Crops of a parcel of a class in the hydrological year of `year`; empty if the land is not cropped. */
export function cropCycles(landClass: number, year: number, parcel: number): readonly CropCycle[] {
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

/** Leaf share (0-1) of a crop on a day: a logistic rise and a faster fall at harvest. */
export function leafOf(crop: CropCycle, day: number): number {
  const rise = 1 / (1 + Math.exp((crop.green - day) / crop.pace));
  const fall = 1 / (1 + Math.exp((day - crop.dry) / 3.5));
  return crop.leaf * rise * fall;
}

/** Share of ground under stubble and dry leaf after the harvest; grazing and ploughing remove it in about two months. */
export function stubbleOf(crop: CropCycle, day: number): number {
  if (day < crop.dry - 15) return 0;
  const ripe = 1 / (1 + Math.exp((crop.dry - 4 - day) / 3));
  return 0.42 * ripe * Math.exp(-Math.max(0, day - crop.dry) / 40);
}
