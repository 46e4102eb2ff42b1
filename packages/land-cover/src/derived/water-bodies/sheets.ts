import type { TableColumn, TableRow, ZonalAreas } from '@headwater/core';
import { hectares, MWS_UID, type Sheet } from '@headwater/layer-kit';
import type { SeasonAreas } from './indicators.ts';
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
/** Classes with water in each season, including classes with water for longer. */
const WITH_WATER = { kharif: WATER, rabi: [3, 4], zaid: [4] } as const;

/** Hectares by class and micro-watershed, for each year. */
type YearlyAreas = ReadonlyMap<number, ZonalAreas>;

const sumOf = (areas: readonly number[] = [], codes: readonly number[]): number =>
  codes.reduce((all, code) => all + (areas[code] ?? 0), 0);

/** Returns the water of a micro-watershed by season and year, oldest first. */
export const seasonAreas = (uid: string, areas: YearlyAreas): readonly SeasonAreas[] =>
  Array.from(areas.values(), (year) => ({
    kharif: sumOf(year[uid], WITH_WATER.kharif),
    rabi: sumOf(year[uid], WITH_WATER.rabi),
    zaid: sumOf(year[uid], WITH_WATER.zaid),
  }));

/**
 * Sheet `surfaceWaterBodies_annual`: hectares of water per micro-watershed, season and year; a season includes water that remains longer.
 */
export function annualSheet(
  uids: readonly string[],
  { areas, everHa }: { readonly areas: YearlyAreas; readonly everHa: ReadonlyMap<string, number> },
): Sheet {
  const seasons = [
    ['total', WATER, 'Water in any season'],
    ['kharif', WITH_WATER.kharif, 'Water in kharif or longer'],
    ['rabi', WITH_WATER.rabi, 'Water until rabi or longer'],
    ['zaid', WITH_WATER.zaid, 'Water until zaid'],
  ] as const;
  const years = [...areas.keys()];
  const columns = years.flatMap((year) =>
    seasons.map(([season, , title]) =>
      hectares(`${season}_area_in_ha_${yearRange(year)}`, `${title}: hectares, hydrological year ${year}`),
    ),
  );
  const ever = hectares('total_swb_area_in_ha', 'Hectares of water bodies: water in any of the years');
  const rows = uids.map((uid): TableRow => {
    const cells = years.flatMap((year) =>
      seasons.map(([season, codes]) => {
        return [`${season}_area_in_ha_${yearRange(year)}`, sumOf(areas.get(year)?.[uid], codes)] as const;
      }),
    );
    return { uid, ...Object.fromEntries(cells), [ever.name]: everHa.get(uid) ?? 0 };
  });
  return { name: 'surfaceWaterBodies_annual', key: MWS_UID.name, columns: [MWS_UID, ...columns, ever], rows };
}

/**
 * Sheet `mws_intersect_swb`: a row per pair of water body and micro-watershed. Its keys begin with the `uid` and a colon;
 * `DataStore.rowsOf` finds the bodies of a micro-watershed by this prefix.
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
      { name: 'waterbodies_name', type: 'text', description: 'Name of the water body; not known to this service' },
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
