import type {
  ActiveState,
  FoundUnit,
  LonLat,
  NamedUnit,
  OutlineText,
  PlaceLookups,
  TehsilBoundaries,
} from '@headwater/core/ports';
import type { Mws, TehsilNames } from '@headwater/core';
import { isStorable } from '@headwater/core/values';
import type { Sql, Statement } from '../database.ts';
import { isInt4 } from '../guards.ts';
import { listUnits } from './unit-list.ts';
import { toOutlineText } from './geometry.ts';
import { mwsColumns, NAMES, toMws, type VillageRow, type WithText } from './rows.ts';

const POINT = 'ST_SetSRID(ST_MakePoint($1, $2), 4326)';

const NAMED = `headwater.states s
  join headwater.districts d on d.state_id = s.id and d.slug = $2 join headwater.tehsils t on t.district_id = d.id and t.slug = $3`;
const TEHSIL_NAMED: Statement = {
  name: 'headwater_tehsil_named',
  text: `select ${NAMES} from ${NAMED} where s.slug = $1`,
};
/** Finds the tehsil at a point. The subquery is materialized, so that PostgreSQL uses the GiST index first. */
const TEHSIL_AT: Statement = {
  name: 'headwater_tehsil_at',
  text: `with covering as materialized (
    select id, district_id, name, slug from headwater.tehsils where ST_Covers(geometry, ${POINT}))
  select ${NAMES} from covering t
  join headwater.districts d on d.id = t.district_id join headwater.states s on s.id = d.state_id
  order by s.slug, d.slug, t.slug limit 1`,
};
const MWS_AT: Statement = {
  name: 'headwater_mws_at',
  text: `with covering as materialized (
    select tehsil_id, uid from headwater.mws where ST_Covers(geometry, ${POINT}))
  select uid from covering where tehsil_id = $3 order by uid limit 1`,
};
const UIDS: Statement = {
  name: 'headwater_mws_uids',
  text: 'select uid from headwater.mws where tehsil_id = $1 order by uid',
};
/** Time of the last change of the units below the tehsil `t`, as text; '' without such units. */
const versionOf = (table: 'mws' | 'villages'): string =>
  `case when exists (select from headwater.${table} where tehsil_id = t.id)
    then to_char(t.${table}_changed at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') else '' end`;
const versionStatement = (table: 'mws' | 'villages'): Statement => ({
  name: `headwater_${table}_version`,
  text: `select ${versionOf(table)} as version from headwater.tehsils t where t.id = $1`,
});
/** `versionOf` as a subquery for the tehsil $1. */
const versionBelow = (table: 'mws' | 'villages'): string =>
  `(select ${versionOf(table)} from headwater.tehsils t where t.id = $1)`;
const MWS_VERSION = versionStatement('mws');
const VILLAGES_VERSION = versionStatement('villages');
/**
 * Finds a tehsil by slugs, with the published layer of its boundaries or, without such a layer, with their version; see
 * `PlaceLookups.boundariesNamed`. The workspace is tested in `filter`, so that PostgreSQL reads the layers of the
 * tehsil, not all layers of the workspace.
 */
const boundariesNamed = (table: 'mws' | 'villages'): Statement => ({
  name: `headwater_${table}_named`,
  text: `select ${NAMES}, l.layer_name as "layerName",
    case when l.layer_name is null then ${versionOf(table)} end as version
  from ${NAMED} cross join lateral (
    select min(layer_name) filter (where workspace = $4 and dataset_name = $5 and layer_type = 'vector') as layer_name
    from headwater.layers where tehsil_id = t.id and not is_former) l
  where s.slug = $1`,
});
const BOUNDARIES_NAMED = {
  mws: boundariesNamed('mws'),
  villages: boundariesNamed('villages'),
} as const;
const MWS_AFTER: Statement = {
  name: 'headwater_mws_after',
  text: `select uid, ${toOutlineText('geometry')} as geometry, ${versionBelow('mws')} as version
  from headwater.mws where tehsil_id = $1 and uid > $2 order by uid limit $3`,
};
/** Villages after the ordinal $2. The first village has the ordinal 1, and no ordinal is missing. */
const VILLAGES_AFTER: Statement = {
  name: 'headwater_villages_after',
  text: `select village_id::text as id, name, ${toOutlineText('geometry')} as geometry,
    ${versionBelow('villages')} as version
  from headwater.villages where tehsil_id = $1 and ordinal > $2 order by ordinal limit $3`,
};
const VILLAGE_IDS = 'select village_id as id from headwater.villages where tehsil_id = $1 order by village_id';
const AROUND = `select ${mwsColumns('m')} from headwater.mws own join headwater.mws m on m.tehsil_id = own.tehsil_id
  where own.tehsil_id = $1 and own.uid = $2 and m.geometry && own.geometry order by m.uid`;
const BELOW: Statement = {
  name: 'headwater_units_below',
  text: `select exists (select 1 from headwater.mws where tehsil_id = $1) as mws,
  exists (select 1 from headwater.villages where tehsil_id = $1) as villages`,
};
const ACTIVE = `select s.id as "stateId", s.name as state, d.id as "districtId", d.name as district, t.id as "tehsilId", t.name as tehsil
  from headwater.states s left join headwater.districts d on d.state_id = s.id and d.is_active
  left join headwater.tehsils t on t.district_id = d.id and t.is_active
  where s.is_active order by s.slug, d.slug, t.slug`;

/**
 * Selects units by slug. The rank is 0 if the slug is the wanted text, 1 if the slug begins with this text, 2 if it
 * contains this text.
 */
const UNITS_NAMED = `with units (s, d, t, state, district, tehsil, own) as (
    select slug, ''::text collate "C", ''::text collate "C", name, null::text, null::text, slug from headwater.states
    union all
    select s.slug, d.slug, ''::text collate "C", s.name, d.name, null, d.slug
    from headwater.districts d join headwater.states s on s.id = d.state_id
    union all
    select s.slug, d.slug, t.slug, s.name, d.name, t.name, t.slug
    from headwater.tehsils t join headwater.districts d on d.id = t.district_id join headwater.states s on s.id = d.state_id)
  select state, district, tehsil from units where strpos(own, $1) > 0
  order by case when own = $1 then 0 when strpos(own, $1) = 1 then 1 else 2 end, s, d, t limit $2 offset $3`;

type MwsText = OutlineText & Pick<Mws, 'uid'>;
type VillageText = OutlineText & Pick<VillageRow, 'id' | 'name'>;
const withId = (row: VillageText) => ({ ...row, id: Number(row.id) });

interface ActiveRow {
  readonly stateId: number;
  readonly state: string;
  readonly districtId: number | null;
  readonly district: string | null;
  readonly tehsilId: number | null;
  readonly tehsil: string | null;
}

/** Lookups in PostgreSQL + PostGIS. */
export function placeLookups(sql: Sql): PlaceLookups {
  const versionIn = async (statement: Statement, tehsilId: number): Promise<string> =>
    isInt4(tehsilId) ? ((await sql.first<{ version: string }>(statement, [tehsilId]))?.version ?? '') : '';
  return {
    tehsilNamed: async ({ state, district, tehsil }) => {
      const slugs = [state, district, tehsil];
      return slugs.every(isStorable) ? await sql.first<TehsilNames>(TEHSIL_NAMED, slugs) : undefined;
    },
    boundariesNamed: async ({ state, district, tehsil }, { kind, workspace, dataset }) => {
      const values = [state, district, tehsil, workspace, dataset];
      return values.every(isStorable) ? await sql.first<TehsilBoundaries>(BOUNDARIES_NAMED[kind], values) : undefined;
    },
    tehsilAt: async (point) => (isPoint(point) ? await sql.first<TehsilNames>(TEHSIL_AT, lonLat(point)) : undefined),
    mwsAt: async (tehsilId, point) => {
      if (!isInt4(tehsilId) || !isPoint(point)) return undefined;
      return (await sql.first<{ uid: string }>(MWS_AT, [...lonLat(point), tehsilId]))?.uid;
    },
    mwsUids: async (tehsilId) =>
      isInt4(tehsilId) ? (await sql.rows<{ uid: string }>(UIDS, [tehsilId])).map(({ uid }) => uid) : [],
    mwsVersion: async (tehsilId) => await versionIn(MWS_VERSION, tehsilId),
    villagesVersion: async (tehsilId) => await versionIn(VILLAGES_VERSION, tehsilId),
    mwsAfter: async (tehsilId, uid, most) =>
      isInt4(tehsilId) ? await sql.rows<MwsText>(MWS_AFTER, [tehsilId, uid, most]) : [],
    villagesAfter: async (tehsilId, skipped, most) =>
      isInt4(tehsilId) ? (await sql.rows<VillageText>(VILLAGES_AFTER, [tehsilId, skipped, most])).map(withId) : [],
    villageIds: async (tehsilId) =>
      isInt4(tehsilId) ? (await sql.rows<{ id: unknown }>(VILLAGE_IDS, [tehsilId])).map(({ id }) => Number(id)) : [],
    mwsAround: async (tehsilId, uid) =>
      isInt4(tehsilId) && isStorable(uid) ? (await sql.rows<WithText<Mws>>(AROUND, [tehsilId, uid])).map(toMws) : [],
    unitsBelow: async (tehsilId) => {
      const none = { mws: false, villages: false };
      return isInt4(tehsilId) ? ((await sql.first<typeof none>(BELOW, [tehsilId])) ?? none) : none;
    },
    unitsNamed: async (slug, { limit, offset }) =>
      slug !== '' && isStorable(slug) ? await sql.rows<FoundUnit>(UNITS_NAMED, [slug, limit, offset]) : [],
    listUnits: async (query) => await listUnits(sql, query),
    activeLocations: async () => activeStates(await sql.rows<ActiveRow>(ACTIVE)),
  };
}

function lonLat({ longitude, latitude }: LonLat): readonly [number, number] {
  return [longitude, latitude];
}

/** PostGIS throws an error for numbers that are not finite. */
function isPoint(point: LonLat): boolean {
  return lonLat(point).every(Number.isFinite);
}

interface OpenDistrict extends NamedUnit {
  readonly tehsils: NamedUnit[];
}
interface OpenState extends NamedUnit {
  readonly districts: OpenDistrict[];
}

function activeStates(rows: readonly ActiveRow[]): readonly ActiveState[] {
  const states: OpenState[] = [];
  for (const { stateId, state, districtId, district, tehsilId, tehsil } of rows) {
    const inState = unitOf(states, { id: stateId, name: state, districts: [] });
    if (districtId === null || district === null) continue;
    const inDistrict = unitOf(inState.districts, { id: districtId, name: district, tehsils: [] });
    if (tehsilId !== null && tehsil !== null) inDistrict.tehsils.push({ id: tehsilId, name: tehsil });
  }
  return states;
}

function unitOf<T extends NamedUnit>(units: T[], unit: T): T {
  const last = units.at(-1);
  if (last?.id === unit.id) return last;
  units.push(unit);
  return unit;
}
