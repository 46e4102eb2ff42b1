import { invalidField } from '../errors.ts';
import type { Box } from '../geo/grid.ts';
import { boxPolygon } from '../geo/outlines.ts';
import { sha256 } from '../sha256.ts';
import type { Place } from '../ports/places.ts';
import type { ComputedPlace } from './computed-place.ts';
import { slugsOf } from './place-slugs.ts';

/** A lon/lat box of `checkedRegion`: rounded, within the limits, not empty. */
export type Region = Box;

/** Maximum area of a region, km2. */
export interface RegionLimits {
  readonly maxKm2: number;
}

/** Default limit, km2: a square of 200 km. */
export const REGION_LIMITS: RegionLimits = { maxKm2: 40_000 };

/** Corners are rounded to this number of decimals, about 0.1 m. Regions with equal rounded corners are equal. */
const DIGITS = 6;
/** Minimum area of a region: a hundred pixels of 10 m. */
const MIN_KM2 = 0.01;
/**
 * Maximum width and height of a region. A raster has at most 60,000 pixels a side, and a region is computed in one UTM
 * zone.
 */
const MAX_DEGREES = 5;
/** Latitudes that UTM zones cover, degrees. */
const [SOUTHERNMOST, NORTHERNMOST] = [-80, 84];
const MAP: Box = [-180, -90, 180, 90];
/** Box of India in whole degrees, to detect exchanged latitude and longitude: they would put India into the Arctic. */
const INDIA: Box = [68, 6, 98, 38];
/** Authalic radius, km. */
const RADIUS_KM = 6371.007181;
/** Hex digits in the name of a region's place. */
const NAME_DIGITS = 16;

/**
 * Parses west, south, east, north (degrees), rounded to six decimals. Throws `validation` for `region` if the box is
 * invalid, too small or too large.
 */
export function checkedRegion(corners: readonly number[], { maxKm2 }: RegionLimits = REGION_LIMITS): Region {
  const [west = NaN, south = NaN, east = NaN, north = NaN, ...more] = corners;
  if (more.length > 0 || ![west, south, east, north].every(Number.isFinite)) {
    throw refused('must be four numbers, [west, south, east, north] in degrees');
  }
  refuseExchanged([west, south, east, north]);
  refuseOffTheMap([west, south, east, north]);
  const region = [rounded(west), rounded(south), rounded(east), rounded(north)] as const;
  refuseNoBox(region);
  refuseSize(region, maxKm2);
  return region;
}

const REGIONS_PATH = 'regions/custom';
/** Slug of the state above all regions, which is not in the place directory. */
export const REGIONS_STATE = 'regions';

/** Returns the path of a region's Collection by its name; undefined for any other text. */
export function regionPath(name: string): string | undefined {
  return /^region_[0-9a-f]{16}$/.test(name) ? `${REGIONS_PATH}/${name}` : undefined;
}

/** Returns true for the path of the Collection of a region. */
export function isRegionPath(path: string): boolean {
  return path.startsWith(`${REGIONS_PATH}/`);
}

/** Returns the area of a region on the authalic sphere, km2. */
export function regionKm2([west, south, east, north]: Region): number {
  const height = Math.sin(radians(north)) - Math.sin(radians(south));
  return RADIUS_KM ** 2 * height * radians(east - west);
}

/**
 * Returns the place of a region: `regions`, `custom`, and `region_` with 16 hex digits. Equal regions have equal
 * places.
 */
export async function regionPlace(region: Region): Promise<ComputedPlace & { readonly region: Region }> {
  const digest = await sha256(region.map((corner) => corner.toFixed(DIGITS)).join(','));
  const geometry = boxPolygon(region);
  const place: Place = {
    state: { ...NOWHERE, name: 'regions' },
    district: { ...NOWHERE, name: 'custom', stateId: 0 },
    tehsil: { ...NOWHERE, name: `region_${digest.slice(0, NAME_DIGITS)}`, districtId: 0, geometry },
  };
  return { place, slugs: slugsOf(place, 'alone'), mws: [], clip: [geometry], box: region, mwsBox: region, region };
}

/** Returns the name of a tehsil, or the name of a region with its corners, for titles. */
export function placeText({ place, region }: Pick<ComputedPlace, 'place' | 'region'>): string {
  const { name } = place.tehsil;
  if (region === undefined) return name;
  const [west, south, east, north] = region;
  return `${name} (west ${west}, south ${south}, east ${east}, north ${north})`;
}

/** A region has id 0, because ids in the place directory begin with 1. */
const NOWHERE = { id: 0, isActive: false } as const;

/** Refuses corners that are valid, or are in India, only after latitude and longitude are exchanged. */
function refuseExchanged(box: Box): void {
  const [west, south, east, north] = box;
  const exchanged: Box = [south, west, north, east];
  const isOffTheMap = Math.min(Math.abs(south), Math.abs(north)) > 90 && isWithin(exchanged, MAP);
  if (!isOffTheMap && (isWithin(box, INDIA) || !isWithin(exchanged, INDIA))) return;
  throw refused(
    `has latitude and longitude exchanged: the order is west, south, east, north; send [${exchanged.join(', ')}]`,
  );
}

function isWithin([west, south, east, north]: Box, [left, bottom, right, top]: Box): boolean {
  return (
    Math.min(west, east) >= left &&
    Math.max(west, east) <= right &&
    Math.min(south, north) >= bottom &&
    Math.max(south, north) <= top
  );
}

function refuseOffTheMap([west, south, east, north]: Box): void {
  for (const [name, longitude] of [
    ['west', west],
    ['east', east],
  ] as const)
    if (Math.abs(longitude) > 180) throw refused(`${name} is ${longitude}; a longitude is from -180 to 180`);
  for (const [name, latitude] of [
    ['south', south],
    ['north', north],
  ] as const) {
    if (Math.abs(latitude) > 90) throw refused(`${name} is ${latitude}; a latitude is from -90 to 90`);
    if (latitude < SOUTHERNMOST || latitude > NORTHERNMOST)
      throw refused(
        `${name} is ${latitude}; only latitudes from ${SOUTHERNMOST} to ${NORTHERNMOST} have a UTM zone to compute in`,
      );
  }
}

function refuseNoBox([west, south, east, north]: Region): void {
  if (west > east) {
    throw refused(
      `west (${west}) is east of east (${east}); exchange them, or send a region that crosses the antimeridian as two, one on each side of it`,
    );
  }
  if (south > north) throw refused(`south (${south}) is north of north (${north}); exchange them`);
  if (west === east || south === north)
    throw refused('has no area; its west and east, and its south and north, must differ');
}

function refuseSize(region: Region, maxKm2: number): void {
  const [west, south, east, north] = region;
  const km2 = regionKm2(region);
  if (km2 < MIN_KM2)
    throw refused(`has ${Math.round(km2 * 1e6)} m2; the minimum is ${MIN_KM2 * 1e6} m2, a hundred pixels`);
  const longest = Math.max(east - west, north - south);
  if (longest > MAX_DEGREES)
    throw refused(
      `has a side of ${Number(longest.toFixed(DIGITS))} degrees; the maximum is ${MAX_DEGREES}; compute the region in parts`,
    );
  if (km2 > maxKm2) throw refused(`has ${Math.round(km2)} km2; the maximum is ${maxKm2} km2; compute it in parts`);
}

const refused = (problem: string) => invalidField('region', problem);

const radians = (degrees: number): number => (degrees * Math.PI) / 180;

/** Adding 0 changes -0 to 0, so that equal regions have equal texts. */
const rounded = (degrees: number): number => Number(degrees.toFixed(DIGITS)) + 0;
