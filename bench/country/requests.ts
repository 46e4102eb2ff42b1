import { GRID } from '../lookups/grid.ts';

/** One public GET, and the SQL statement that selects the same rows. */
export interface CountryRequest {
  readonly path: string;
  readonly sql: string;
  readonly values: readonly (string | number)[];
}

const API = '/api/v1';
const NAMED = `from headwater.states s join headwater.districts d on d.state_id = s.id and d.slug = $2
  join headwater.tehsils t on t.district_id = d.id and t.slug = $3 `;
const STATE = 'where s.slug = $1';
const POINT = 'ST_SetSRID(ST_MakePoint($1, $2), 4326)';
const KYL_SHEETS = [
  'croppingIntensity_annual',
  'surfaceWaterBodies_annual',
  'change_detection_degradation',
  'change_detection_cropintensity',
  'terrain',
  'nrega_annual',
];

const SQL = {
  admin: `select s.name as state, d.name as district, t.name as tehsil from headwater.tehsils t
    join headwater.districts d on d.id = t.district_id join headwater.states s on s.id = d.state_id
    where ST_Covers(t.geometry, ${POINT}) order by s.slug, d.slug, t.slug limit 1`,
  mws: `select s.name as state, d.name as district, t.name as tehsil, m.uid from headwater.mws m join headwater.tehsils t on t.id = m.tehsil_id
    join headwater.districts d on d.id = t.district_id join headwater.states s on s.id = d.state_id
    where ST_Covers(m.geometry, ${POINT}) order by m.uid limit 1`,
  sheets: `select h.name, h.columns, r.cells ${NAMED} join headwater.data_tables h on h.tehsil_id = t.id
    join headwater.data_rows r on r.table_id = h.id ${STATE} order by h.name, r.position`,
  series: `select h.name, h.dates, v.numbers ${NAMED} join headwater.data_series h on h.tehsil_id = t.id
    join headwater.series_values v on v.series_id = h.id and v.uid = $4 ${STATE} order by h.name`,
  kyl: `select h.name, h.columns, r.cells ${NAMED} join headwater.data_tables h on h.tehsil_id = t.id
      and h.name in (${KYL_SHEETS.map((name) => `'${name}'`).join(', ')})
    join headwater.data_rows r on r.table_id = h.id and r.key = $4 ${STATE} order by h.name`,
  // The join with Items is needed because the response states each layer's period and shape, which its Item stores.
  layers: `select l.*, i.start_datetime, i.end_datetime, i.properties ->> 'headwater:feature_shape' as shape ${NAMED}
    join headwater.layers l on l.tehsil_id = t.id left join headwater.items i on i.id = l.item_id ${STATE}
    order by l.workspace, l.layer_name`,
  report: `select m.uid ${NAMED} join headwater.mws m on m.tehsil_id = t.id and m.uid = $4 ${STATE}`,
  active: `select s.id, s.name as state, d.id, d.name as district, t.id, t.name as tehsil from headwater.states s
    join headwater.districts d on d.state_id = s.id join headwater.tehsils t on t.district_id = d.id order by s.slug, d.slug, t.slug`,
  mwsShapes: `select m.uid, ST_AsGeoJSON(m.geometry) as shape ${NAMED} join headwater.mws m on m.tehsil_id = t.id ${STATE} order by m.uid`,
  villages: `select v.village_id, v.name, ST_AsGeoJSON(v.geometry) as shape ${NAMED} join headwater.villages v on v.tehsil_id = t.id ${STATE} order by v.ordinal`,
} as const;

/** Names of the measured public GETs. */
export const COUNTRY_GETS = [
  'get_admin_details_by_latlon',
  'get_mwsid_by_latlon',
  'get_tehsil_data',
  'get_mws_data',
  'get_mws_kyl_indicators',
  'get_generated_layer_urls',
  'get_mws_report',
  'get_active_locations',
  'get_mws_geometries',
  'get_village_geometries',
] as const;

/** A tehsil of the grid. */
export interface CountryTehsil {
  readonly id: number;
  readonly row: number;
  readonly column: number;
}

/** Returns request number `index` of a public GET, for a tehsil or a place in the tehsil. */
export function requestAt(
  name: (typeof COUNTRY_GETS)[number],
  index: number,
  { id, row, column }: CountryTehsil,
): CountryRequest {
  const [longitude, latitude] = [
    inSide(GRID.west, column, index * Math.SQRT2),
    inSide(GRID.south, row, index * Math.E),
  ];
  const names = { state: 'Nadi Pradesh', district: `District ${row}`, tehsil: `Tehsil ${column}` };
  const place = ['nadi_pradesh', `district_${row}`, `tehsil_${column}`] as const;
  const uid = `${id}_${index % (GRID.mws * GRID.mws)}`;
  const path = (query: Readonly<Record<string, string>>): string =>
    `${API}/${name}/?${new URLSearchParams(query).toString()}`;
  const at = path({ latitude: latitude.toFixed(6), longitude: longitude.toFixed(6) });
  const lonLat = [Number(longitude.toFixed(6)), Number(latitude.toFixed(6))];
  const ofMws = path({ ...names, mws_id: uid });
  const requests: Readonly<Record<typeof name, CountryRequest>> = {
    get_admin_details_by_latlon: { path: at, sql: SQL.admin, values: lonLat },
    get_mwsid_by_latlon: { path: at, sql: SQL.mws, values: lonLat },
    get_tehsil_data: { path: path(names), sql: SQL.sheets, values: place },
    get_mws_data: { path: ofMws, sql: SQL.series, values: [...place, uid] },
    get_mws_kyl_indicators: { path: ofMws, sql: SQL.kyl, values: [...place, uid] },
    get_generated_layer_urls: { path: path(names), sql: SQL.layers, values: place },
    get_mws_report: { path: ofMws, sql: SQL.report, values: [...place, uid] },
    get_active_locations: { path: `${API}/${name}/`, sql: SQL.active, values: [] },
    get_mws_geometries: { path: path(names), sql: SQL.mwsShapes, values: place },
    get_village_geometries: { path: path(names), sql: SQL.villages, values: place },
  };
  return requests[name];
}

const inSide = (first: number, number: number, share: number): number => first + (number + (share % 1)) * GRID.side;
