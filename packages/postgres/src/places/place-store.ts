import type { Dataset, District, State, Tehsil, TehsilUnit } from '@headwater/core/ports';
import type { Mws, PlaceStore, TehsilNames } from '@headwater/core';
import { isStorable } from '@headwater/core/values';
import type { Database } from '../database.ts';
import { isInt4, storable } from '../guards.ts';
import { setActive } from './activate.ts';
import { removeTehsil, saveBundle } from './bundle.ts';
import { saveChanges } from './changes.ts';
import type { PlacedRow, PlaceRow, TehsilRow, VillageRow, WithText } from './rows.ts';
import {
  districtColumns,
  FROM_TEHSILS,
  mwsColumns,
  NAMES,
  PLACE,
  placedIn,
  stateColumns,
  tehsilColumns,
  tehsilUnitColumns,
  toMws,
  toPlace,
  toPlaced,
  toTehsil,
  toVillage,
  VILLAGES_OF,
} from './rows.ts';

const STATES = `select ${stateColumns('s')} from headwater.states s`;
const DISTRICTS = `select ${districtColumns('d')} from headwater.districts d where d.state_id = $1`;
const TEHSILS = `select ${tehsilColumns('t')} from headwater.tehsils t where t.district_id = $1`;
const TEHSIL_UNITS = `select ${tehsilUnitColumns('t')} from headwater.tehsils t where t.district_id = $1 order by t.slug`;
const MWS = `select ${mwsColumns('m')} from headwater.mws m where m.tehsil_id = $1 order by m.uid`;
const NAMED = `select t.id, s.name as state, d.name as district, t.name as tehsil,
    d.slug || '_' || t.slug as short, s.slug || '_' || d.slug || '_' || t.slug as long
  from headwater.tehsils t join headwater.districts d on d.id = t.district_id join headwater.states s on s.id = d.state_id`;
const NAMESAKES = `with named as (${NAMED})
  select other.id as "tehsilId", other.state, other.district, other.tehsil from named own
  join named other on other.id <> own.id and (other.short = own.short or other.long = own.long)
  where own.id = $1 order by other.id`;
const NAMES_OF = `select ${NAMES} from ${FROM_TEHSILS} where t.id = any($1::int[])`;
const IMPORTED = 'select id from headwater.tehsils where is_imported order by id';
const DATASETS = `select id, name, layer_type as "layerType", workspace, style_name as "styleName"
  from headwater.datasets order by id`;
const SEED = `insert into headwater.datasets (name, layer_type, workspace, style_name) values ($1, $2, $3, $4)
  on conflict (name) do nothing`;

export function placeStore(database: Database): PlaceStore {
  return {
    ...units(database),
    ...below(database),
    ...datasets(database),
    setActive: async (unit, isActive) => await setActive(database, unit, isActive),
    saveBundle: async (bundle) => await saveBundle(database, bundle),
    saveChanges: async (changes, options) => await saveChanges(database, changes, options?.isTrial ?? false),
    importedTehsils: async () => (await database.rows<{ id: number }>(IMPORTED)).map(({ id }) => id),
    removeTehsil: async (id, options) => {
      if (isInt4(id)) await removeTehsil(database, id, options?.unlessUsed ?? false);
    },
  };
}

type Units = Pick<
  PlaceStore,
  'states' | 'districts' | 'tehsils' | 'tehsilUnits' | 'findState' | 'findDistrict' | 'findTehsil' | 'placeOfTehsil'
>;

function units(sql: Database): Units {
  const tehsils = async (rows: Promise<readonly TehsilRow[]>): Promise<readonly Tehsil[]> => (await rows).map(toTehsil);
  const findable = (id: number, slug: string): boolean => isInt4(id) && isStorable(slug);
  return {
    states: async () => await sql.rows<State>(`${STATES} order by s.slug`),
    districts: async (id) => (isInt4(id) ? await sql.rows<District>(`${DISTRICTS} order by d.slug`, [id]) : []),
    tehsils: async (id) => (isInt4(id) ? await tehsils(sql.rows<TehsilRow>(`${TEHSILS} order by t.slug`, [id])) : []),
    tehsilUnits: async (id) => (isInt4(id) ? await sql.rows<TehsilUnit>(TEHSIL_UNITS, [id]) : []),
    findState: async (slug) =>
      isStorable(slug) ? await sql.first<State>(`${STATES} where s.slug = $1`, [slug]) : undefined,
    findDistrict: async (id, slug) =>
      findable(id, slug) ? await sql.first<District>(`${DISTRICTS} and d.slug = $2`, [id, slug]) : undefined,
    findTehsil: async (id, slug) =>
      findable(id, slug)
        ? (await tehsils(sql.rows<TehsilRow>(`${TEHSILS} and t.slug = $2`, [id, slug])))[0]
        : undefined,
    placeOfTehsil: async (id) => {
      const row = isInt4(id) ? await sql.first<PlaceRow>(PLACE, [id]) : undefined;
      return row === undefined ? undefined : toPlace(row);
    },
  };
}

function below(sql: Database): Pick<PlaceStore, 'namesOf' | 'tehsilsWithin' | 'namesakesOf' | 'mwsOf' | 'villagesOf'> {
  return {
    namesOf: async (ids) => {
      const known = ids.filter(isInt4).map(String);
      return known.length === 0 ? [] : await sql.rows<TehsilNames>(NAMES_OF, [known]);
    },
    tehsilsWithin: async ({ level, id }) =>
      isInt4(id) ? (await sql.rows<PlacedRow>(placedIn(level), [id])).map(toPlaced) : [],
    namesakesOf: async (id) => (isInt4(id) ? await sql.rows<TehsilNames>(NAMESAKES, [id]) : []),
    mwsOf: async (id) => {
      return isInt4(id) ? (await sql.rows<WithText<Mws>>(MWS, [id])).map(toMws) : [];
    },
    villagesOf: async (tehsilId) => {
      if (!isInt4(tehsilId)) return [];
      return (await sql.rows<VillageRow>(VILLAGES_OF, [tehsilId])).map(toVillage);
    },
  };
}

function datasets(database: Database): Pick<PlaceStore, 'datasets' | 'seedDatasets'> {
  return {
    datasets: async () => await database.rows<Dataset>(DATASETS),
    seedDatasets: async (rows) => {
      const values = rows.map(({ name, layerType, workspace, styleName }) => [
        storable('name', name),
        layerType,
        storable('workspace', workspace),
        storable('styleName', styleName),
      ]);
      await database.tx(async (sql) => {
        for (const row of values) await sql.run(SEED, row);
      });
    },
  };
}
