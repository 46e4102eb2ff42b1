import { invalidField, type Place, type PlaceBundle, placeSlug } from '@headwater/core';
import { tehsilUsed } from '@headwater/core/places';
import type { Database, Sql } from '../database.ts';
import { storable } from '../guards.ts';
import { fromHex, geometryHex } from './geometry.ts';
import { lockUnits } from './lock-units.ts';
import type { PlaceRow } from './rows.ts';
import { PLACE, toPlace } from './rows.ts';

/**
 * New value of `is_active`. An active unit stays active. An inactive unit gets the inserted value, unless an operator
 * deactivated it.
 */
const ACTIVE = 'is_active = u.is_active or (excluded.is_active and not u.stays_inactive)';
/** Inserts a state, or returns and locks the existing row. */
export const STATE = `insert into headwater.states as u (name, slug, is_active) values ($1, $2, $3)
  on conflict (slug) do update set ${ACTIVE} returning id`;
/** Inserts a district below its state, or returns and locks the existing row. */
export const DISTRICT = `insert into headwater.districts as u (state_id, name, slug, is_active) values ($1, $2, $3, $4)
  on conflict (state_id, slug) do update set ${ACTIVE} returning id`;
const TEHSIL = `insert into headwater.tehsils as u (district_id, name, slug, geometry, is_active)
  values ($1, $2, $3, ${fromHex('$4::text')}, true)
  on conflict (district_id, slug) do update set geometry = excluded.geometry, ${ACTIVE}
  returning id, is_imported as "isImported"`;
const MWS = `insert into headwater.mws (tehsil_id, uid, geometry)
  select $1, u.uid, ${fromHex('u.geometry')} from unnest($2::text[], $3::text[]) as u (uid, geometry)`;
/** Inserts villages in order, from `villageValues`. */
export const VILLAGES = `insert into headwater.villages (tehsil_id, ordinal, village_id, name, geometry)
  select $1, u.ordinal, u.id, u.name, ${fromHex('u.geometry')}
  from unnest($2::bigint[], $3::text[], $4::text[]) with ordinality as u (id, name, geometry, ordinal)`;

/** Deletes a tehsil, and then the units above it that are empty. */
const REMOVE_TEHSIL = 'delete from headwater.tehsils where id = $1 returning district_id as id';
const REMOVE_DISTRICT = `delete from headwater.districts d where d.id = $1
  and not exists (select 1 from headwater.tehsils t where t.district_id = d.id) returning d.state_id as id`;
const REMOVE_STATE = `delete from headwater.states s where s.id = $1
  and not exists (select 1 from headwater.districts d where d.state_id = s.id) returning s.id`;

/** One statement tests runs and results, because otherwise a publication between two statements would be missed. */
const USED = `select exists (select from headwater.runs
    where headwater.run_tehsil(params) = $1 and state in ('queued', 'running'))
  or exists (select from headwater.layers where tehsil_id = $1)
  or exists (select from headwater.data_tables where tehsil_id = $1)
  or exists (select from headwater.data_series where tehsil_id = $1) as "isUsed"`;

/**
 * Removes a tehsil, and its district and state if they become empty, in one transaction; see `PlaceStore.removeTehsil`.
 */
export async function removeTehsil(database: Database, tehsilId: number, unlessUsed = false): Promise<void> {
  await database.tx(async (sql) => {
    // Units are locked from the state down, to avoid deadlocks.
    let below: { id: number } | undefined = (await lockUnits(sql, { level: 'tehsil', id: tehsilId }, 'no key update'))
      ?.unit;
    if (below === undefined) return;
    if (unlessUsed && (await sql.first<{ isUsed: boolean }>(USED, [tehsilId]))?.isUsed === true) throw tehsilUsed();
    for (const removal of [REMOVE_TEHSIL, REMOVE_DISTRICT, REMOVE_STATE]) {
      below = await sql.first<{ id: number }>(removal, [below.id]);
      if (below === undefined) return;
    }
  });
}

/** Validated values of the statements. */
interface Prepared {
  readonly names: Readonly<Record<'state' | 'district' | 'tehsil', NameAndSlug>>;
  readonly geometry: string | null;
  readonly uids: readonly string[];
  readonly mws: readonly string[];
  readonly villages: VillageValues;
}

/**
 * Inserts or replaces a tehsil with its micro-watersheds and villages, in one transaction. An empty part of the bundle
 * does not replace the stored part of an imported tehsil.
 */
export async function saveBundle(database: Database, bundle: PlaceBundle): Promise<Place> {
  const prepared = prepare(bundle);
  return await database.tx(async (sql) => {
    const { id, isImported } = await saveUnits(sql, prepared);
    const replaces = (part: readonly unknown[]): boolean => !isImported || part.length > 0;
    if (replaces(bundle.mws)) await sql.run('delete from headwater.mws where tehsil_id = $1', [id]);
    if (replaces(bundle.villages)) await sql.run('delete from headwater.villages where tehsil_id = $1', [id]);
    await sql.run(MWS, [id, prepared.uids, prepared.mws]);
    await sql.run(VILLAGES, [id, ...prepared.villages]);
    const row = await sql.first<PlaceRow>(PLACE, [id]);
    if (row === undefined) throw new Error(`tehsil ${id} was not found in the transaction that stored it`);
    return toPlace(row);
  });
}

interface SavedTehsil {
  readonly id: number;
  readonly isImported: boolean;
}

async function saveUnits(sql: Sql, { names, geometry }: Prepared): Promise<SavedTehsil> {
  const state = await sql.first<{ id: number }>(STATE, [...names.state, true]);
  const district = await sql.first<{ id: number }>(DISTRICT, [state?.id ?? 0, ...names.district, true]);
  const tehsil = await sql.first<SavedTehsil>(TEHSIL, [district?.id ?? 0, ...names.tehsil, geometry]);
  return tehsil ?? { id: 0, isImported: false };
}

function prepare(bundle: PlaceBundle): Prepared {
  const name = (field: 'state' | 'district' | 'tehsil'): NameAndSlug => nameAndSlug(field, bundle[field]);
  return {
    names: { state: name('state'), district: name('district'), tehsil: name('tehsil') },
    geometry: bundle.geometry === null ? null : geometryHex('geometry', bundle.geometry),
    uids: distinctUids(bundle.mws.map(({ uid }) => storable('uid', uid))),
    mws: bundle.mws.map(({ uid, geometry }) => geometryHex(`mws ${uid}`, geometry)),
    villages: villageValues(bundle.villages),
  };
}

type NameAndSlug = readonly [name: string, slug: string];

/** Returns a unit's name and slug as storable texts. Throws `validation` for a name without a Latin letter or digit. */
export function nameAndSlug(field: string, name: string): NameAndSlug {
  const slug = placeSlug(name);
  if (slug === '') throw invalidField(field, 'has no Latin letter or digit; write the name in Latin letters');
  return [storable(field, name), storable(field, slug)];
}

type VillageValues = readonly [ids: readonly string[], names: readonly string[], geometries: readonly string[]];

/** Converts villages to columns of storable values. */
export function villageValues(villages: PlaceBundle['villages']): VillageValues {
  return [
    villages.map(({ id }) => villageId(id)),
    villages.map((village) => storable('village name', village.name)),
    villages.map(({ id, geometry }) => geometryHex(`village ${id}`, geometry)),
  ];
}

/** Returns the uids; throws `validation` for a repeated uid. */
export function distinctUids(uids: readonly string[]): readonly string[] {
  const seen = new Set<string>();
  for (const uid of uids) {
    if (seen.has(uid)) throw invalidField('uid', `"${uid}" occurs twice: each MWS of a tehsil needs its own uid`);
    seen.add(uid);
  }
  return uids;
}

function villageId(id: number): string {
  if (!Number.isSafeInteger(id)) throw invalidField('village id', `${id} is not a whole number`);
  return String(id);
}
