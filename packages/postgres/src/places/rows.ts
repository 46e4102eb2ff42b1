import type { District, PlacedTehsil, State, Tehsil } from '@headwater/core/ports';
import type { Mws, Place, TehsilNames, Village } from '@headwater/core';
import { parseGeometry, toGeoJson } from './geometry.ts';

/** Columns of a state with a table alias. */
export const stateColumns = (t: string): string => `${t}.id, ${t}.name, ${t}.is_active as "isActive"`;

/** Columns of a district with a table alias. */
export const districtColumns = (t: string): string => `${stateColumns(t)}, ${t}.state_id as "stateId"`;

/** Columns of a tehsil without its boundary, with a table alias. */
export const tehsilUnitColumns = (t: string): string => `${stateColumns(t)}, ${t}.district_id as "districtId"`;

/** Columns of a tehsil with its boundary as GeoJSON text, with a table alias. */
export const tehsilColumns = (t: string): string =>
  `${tehsilUnitColumns(t)}, ${toGeoJson(`${t}.geometry`)} as geometry`;

/** A selected row of a tehsil. */
export type TehsilRow = Omit<Tehsil, 'geometry'> & { readonly geometry: string | null };

/** Converts a row to a tehsil. */
export function toTehsil({ geometry, ...rest }: TehsilRow): Tehsil {
  return { ...rest, geometry: geometry === null ? null : parseGeometry(geometry) };
}

/** A selected row of `PLACE`. */
export interface PlaceRow extends TehsilRow {
  readonly districtName: string;
  readonly districtActive: boolean;
  readonly stateId: number;
  readonly stateName: string;
  readonly stateActive: boolean;
}

/** Selects a tehsil by id, with its district and its state. */
export const PLACE = `select ${tehsilColumns('t')}, d.name as "districtName", d.is_active as "districtActive",
    s.id as "stateId", s.name as "stateName", s.is_active as "stateActive"
  from headwater.tehsils t join headwater.districts d on d.id = t.district_id join headwater.states s on s.id = d.state_id
  where t.id = $1`;

/** Converts a row of `PLACE`. */
export function toPlace(row: PlaceRow): Place {
  const { id, name, isActive, districtId, geometry } = row;
  const state: State = { id: row.stateId, name: row.stateName, isActive: row.stateActive };
  const district: District = {
    id: districtId,
    name: row.districtName,
    isActive: row.districtActive,
    stateId: row.stateId,
  };
  return { state, district, tehsil: toTehsil({ id, name, isActive, districtId, geometry }) };
}

/** Columns of `TehsilNames`, with the aliases of `FROM_TEHSILS`. */
export const NAMES = 't.id as "tehsilId", s.name as state, d.name as district, t.name as tehsil';

/** Tehsils with their districts and states. */
export const FROM_TEHSILS = `headwater.tehsils t
  join headwater.districts d on d.id = t.district_id join headwater.states s on s.id = d.state_id`;

/** Length of a degree on the sphere that has the same surface area as the ellipsoid. */
const KM_PER_DEGREE = 111.195;

/** Box and area (km2) of a boundary; null without a boundary. The area's error is at most 0.6 % up to latitude 60. */
const EXTENT = `case when t.geometry is not null and not ST_IsEmpty(t.geometry) then json_build_array(
    ST_XMin(t.geometry), ST_YMin(t.geometry), ST_XMax(t.geometry), ST_YMax(t.geometry),
    ST_Area(t.geometry) * cos(radians(ST_Y(ST_Centroid(t.geometry)))) * ${KM_PER_DEGREE ** 2})::text end`;

/** Selects the tehsils of a state or a district with their extents. */
export const placedIn = (level: 'state' | 'district'): string =>
  `select ${NAMES}, ${EXTENT} as extent from ${FROM_TEHSILS}
  where ${level === 'state' ? 's' : 'd'}.id = $1 order by d.slug, t.slug`;

/** A selected row of `placedIn`. */
export interface PlacedRow extends TehsilNames {
  readonly extent: string | null;
}

/** Converts a row of `placedIn`. */
export function toPlaced({ extent, ...names }: PlacedRow): PlacedTehsil {
  if (extent === null) return names;
  const [west, south, east, north, km2]: readonly [number, number, number, number, number] = JSON.parse(extent);
  return { ...names, extent: { box: [west, south, east, north], km2 } };
}

/** A row with its boundary as GeoJSON text. */
export type WithText<T> = Omit<T, 'geometry'> & { readonly geometry: string };

/** Columns of a micro-watershed with a table alias. */
export const mwsColumns = (m: string): string =>
  `${m}.uid, ${m}.tehsil_id as "tehsilId", ${toGeoJson(`${m}.geometry`)} as geometry`;

/** Converts a row with `mwsColumns`. */
export const toMws = (row: WithText<Mws>): Mws => ({ ...row, geometry: parseGeometry(row.geometry) });

/** Selects the villages of a tehsil in order. */
export const VILLAGES_OF = `select village_id::text as id, name, tehsil_id as "tehsilId", ${toGeoJson('geometry')} as geometry
  from headwater.villages where tehsil_id = $1 order by ordinal`;

/** A selected row of a village. */
export type VillageRow = Omit<WithText<Village>, 'id'> & { readonly id: string };

/** Converts a row of a village. */
export const toVillage = (row: VillageRow): Village => ({
  ...row,
  id: Number(row.id),
  geometry: parseGeometry(row.geometry),
});
