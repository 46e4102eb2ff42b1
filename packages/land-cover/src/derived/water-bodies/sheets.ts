import type { TableColumn, TableRow, ZonalAreas } from '@headwater/core';
import { isMostlySeen } from '@headwater/core/values';
import { hectares, MWS_UID, type Sheet } from '@headwater/layer-kit';
import type { SeasonAreas } from './indicators.ts';
import { isSeen, unseenOf } from '../../items/mws-layer.ts';
import { yearRange } from '../years/yearly-areas.ts';

/** The part of a water body in a micro-watershed. */
export interface BodyInMws {
  readonly uid: string;
  readonly bodyUid: string;
  readonly latitude: number;
  readonly longitude: number;
  /** Area of the body within the micro-watershed, hectares on the ellipsoid. */
  readonly areaHa: number;
}

const WATER = [2, 3, 4];
/** Classes with water in each season, including water that remains longer. */
const WITH_WATER = { kharif: WATER, rabi: [3, 4], zaid: [4] } as const;

const NULL =
  'null if less than half of the micro-watershed was seen in this year, or less than half of its land that ever had water';

type YearlyAreas = ReadonlyMap<number, ZonalAreas>;

const sumOf = (areas: readonly number[] = [], codes: readonly number[]): number =>
  codes.reduce((all, code) => all + (areas[code] ?? 0), 0);

/** Areas by class in each year, and areas of land that has water in any year. */
export interface WaterAreas {
  readonly areas: YearlyAreas;
  /** Hectares with water in any year, by uid. */
  readonly everHa: ReadonlyMap<string, number>;
  /** Hectares without a class on land with water in any year, by year and uid. */
  readonly unseen: ReadonlyMap<number, ReadonlyMap<string, number>>;
}

/** Returns the water of a micro-watershed by season and year, oldest first. */
export const seasonAreas = (
  uid: string,
  { areas, unseen }: Pick<WaterAreas, 'areas' | 'unseen'>,
): readonly SeasonAreas[] =>
  Array.from(areas, ([year, zones]) => ({
    kharif: sumOf(zones[uid], WITH_WATER.kharif),
    rabi: sumOf(zones[uid], WITH_WATER.rabi),
    zaid: sumOf(zones[uid], WITH_WATER.zaid),
    unseen: unseen.get(year)?.get(uid) ?? 0,
  }));

/** True if at least half of the micro-watershed was seen, and at least half of its land with water in any year. */
function holds(uid: string, year: number, { areas, everHa, unseen }: WaterAreas): boolean {
  const hectaresOf = areas.get(year)?.[uid];
  return isSeen(hectaresOf) && isMostlySeen(unseen.get(year)?.get(uid) ?? 0, everHa.get(uid) ?? 0);
}

/**
 * Sheet `surfaceWaterBodies_annual`: hectares of water per micro-watershed, season and year. An area is null for a
 * year in which too little was seen (`holds`).
 */
export function annualSheet(uids: readonly string[], water: WaterAreas): Sheet {
  const { areas, everHa, unseen } = water;
  const seasons = [
    ['total', WATER, 'Water in any season'],
    ['kharif', WITH_WATER.kharif, 'Water in kharif or longer'],
    ['rabi', WITH_WATER.rabi, 'Water until rabi or longer'],
    ['zaid', WITH_WATER.zaid, 'Water until zaid'],
  ] as const;
  const years = [...areas.keys()];
  const columns = years.flatMap((year) => [
    ...seasons.map(([season, , title]) =>
      hectares(`${season}_area_in_ha_${yearRange(year)}`, `${title}: hectares, hydrological year ${year}; ${NULL}`),
    ),
    hectares(
      `unseen_area_in_ha_${yearRange(year)}`,
      `Hectares of the micro-watershed without a class, because too few images show them; hydrological year ${year}`,
    ),
    hectares(
      `unseen_water_area_in_ha_${yearRange(year)}`,
      `Hectares without a class in hydrological year ${year}, within the land that has water in any of the years`,
    ),
  ]);
  const ever = hectares('total_swb_area_in_ha', 'Hectares of water bodies: water in any of the years');
  const rows = uids.map((uid): TableRow => {
    const cells = years.flatMap((year): readonly (readonly [string, number | null])[] => {
      const hectaresOf = areas.get(year)?.[uid];
      const known = holds(uid, year, water);
      return [
        ...seasons.map(
          ([season, codes]) =>
            [`${season}_area_in_ha_${yearRange(year)}`, known ? sumOf(hectaresOf, codes) : null] as const,
        ),
        [`unseen_area_in_ha_${yearRange(year)}`, unseenOf(hectaresOf)],
        [`unseen_water_area_in_ha_${yearRange(year)}`, unseen.get(year)?.get(uid) ?? 0],
      ];
    });
    return { uid, ...Object.fromEntries(cells), [ever.name]: everHa.get(uid) ?? 0 };
  });
  return { name: 'surfaceWaterBodies_annual', key: MWS_UID.name, columns: [MWS_UID, ...columns, ever], rows };
}

/**
 * Sheet `mws_intersect_swb`: a row per pair of water body and micro-watershed. `DataStore.rowsOf` finds rows by their
 * prefix `uid:`.
 */
export function intersectSheet(pairs: readonly BodyInMws[]): Sheet {
  const degrees = (name: string): TableColumn => ({
    name,
    type: 'number',
    unit: 'deg',
    description: `${name} of the body's centre of area, degrees`,
  });
  return {
    name: 'mws_intersect_swb',
    key: 'id',
    columns: [
      { name: 'id', type: 'text', description: 'Identifier of the row: micro-watershed and water body' },
      MWS_UID,
      { name: 'swb_uid', type: 'text', description: 'Identifier of the water body' },
      {
        name: 'waterbodies_name',
        type: 'text',
        description: 'Name of the water body; always null, because this service has no names of water bodies',
      },
      degrees('latitude'),
      degrees('longitude'),
      hectares('area_in_ha', 'Hectares of the body within the micro-watershed, on the ellipsoid'),
    ],
    rows: pairs.map(({ uid, bodyUid, latitude, longitude, areaHa }) => ({
      id: `${uid}:${bodyUid}`,
      uid,
      swb_uid: bodyUid,
      waterbodies_name: null,
      latitude,
      longitude,
      area_in_ha: areaHa,
    })),
  };
}
