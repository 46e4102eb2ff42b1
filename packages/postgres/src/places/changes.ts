import type { ChangeCounts, PlaceChange } from '@headwater/core/ports';
import { invalidField, placeSlug } from '@headwater/core';
import { mergeVillages } from '@headwater/core/places';
import type { Database, Sql } from '../database.ts';
import { storable } from '../guards.ts';
import { DISTRICT, distinctUids, nameAndSlug, STATE, villageValues, VILLAGES } from './bundle.ts';
import { fromHex, geometryHex } from './geometry.ts';
import { toVillage, VILLAGES_OF, type VillageRow } from './rows.ts';

const TEHSIL = `insert into headwater.tehsils as t (district_id, name, slug, geometry, is_imported, is_active)
  values ($1, $2, $3, ${fromHex('$4::text')}, true, false)
  on conflict (district_id, slug) do update set geometry = excluded.geometry, is_imported = true
  where t.geometry is distinct from excluded.geometry returning id`;
/** Units are locked from the state down, to avoid deadlocks. */
const FIND_STATE = 'select id from headwater.states where slug = $1 for no key update';
const FIND_DISTRICT = 'select id from headwater.districts where state_id = $1 and slug = $2 for no key update';
const FIND_TEHSIL = 'select id from headwater.tehsils where district_id = $1 and slug = $2 for no key update';
const MARK = 'update headwater.tehsils set is_imported = true where id = $1 and not is_imported';
const MWS = `insert into headwater.mws as m (tehsil_id, uid, geometry)
  select $1, u.uid, ${fromHex('u.geometry')} from unnest($2::text[], $3::text[]) as u (uid, geometry)
  on conflict (tehsil_id, uid) do update set geometry = excluded.geometry where m.geometry is distinct from excluded.geometry`;
const OTHER_MWS = 'delete from headwater.mws where tehsil_id = $1 and uid <> all ($2::text[])';

const BATCH = 1000;

type Units = Map<string, number>;

/** Implements `PlaceStore.saveChanges` in one transaction; a trial is rolled back. */
export async function saveChanges(
  database: Database,
  changes: () => AsyncIterable<PlaceChange>,
  isTrial: boolean,
): Promise<ChangeCounts> {
  return await database.tx(async (sql) => {
    const total = { stored: 0, unchanged: 0, removed: 0 };
    const units: Units = new Map();
    await sql.run('savepoint headwater_trial');
    for await (const change of changes()) {
      for (const { stored, unchanged, removed } of await saveChange(sql, change, units)) {
        total.stored += stored;
        total.unchanged += unchanged;
        total.removed += removed;
      }
    }
    if (isTrial) await sql.run('rollback to savepoint headwater_trial');
    return total;
  });
}

async function saveChange(sql: Sql, change: PlaceChange, units: Units): Promise<readonly ChangeCounts[]> {
  const { geometry, mws, villages, keepsOthers = false } = change;
  const done: ChangeCounts[] = [];
  if (geometry !== undefined) done.push(await saveBoundary(sql, { ...change, geometry }, units));
  if (mws === undefined && villages === undefined && done.some(({ stored }) => stored > 0)) return done;
  const found = await findTehsil(sql, change, units);
  if (found === undefined)
    throw invalidField(
      'tehsil',
      `"${change.tehsil}" is not a known tehsil; import its boundary first, or correct the name`,
    );
  await sql.run(MARK, [found.id]);
  if (mws !== undefined) done.push(await saveMws(sql, found.id, { mws, keepsOthers }));
  if (villages !== undefined) done.push(await saveVillages(sql, found.id, { villages, keepsOthers }));
  return done;
}

async function findTehsil(sql: Sql, change: PlaceChange, units: Units): Promise<{ id: number } | undefined> {
  const [state, district] = [placeSlug(change.state), placeSlug(change.district)];
  const stateId = await unitOf(sql, units, { key: state, statement: FIND_STATE, values: [state] });
  const key = `${state}/${district}`;
  const districtId = await unitOf(sql, units, { key, statement: FIND_DISTRICT, values: [stateId, district] });
  return await sql.first<{ id: number }>(FIND_TEHSIL, [districtId, placeSlug(change.tehsil)]);
}

type Part<K extends keyof PlaceChange> = Required<Pick<PlaceChange, K>>;

async function saveBoundary(sql: Sql, change: PlaceChange & Part<'geometry'>, units: Units): Promise<ChangeCounts> {
  const [state, district, tehsil] = [
    nameAndSlug('state', change.state),
    nameAndSlug('district', change.district),
    nameAndSlug('tehsil', change.tehsil),
  ];
  // A new unit is inactive until its data are published.
  const stateId = await unitOf(sql, units, { key: state[1], statement: STATE, values: [...state, false] });
  const districtId = await unitOf(sql, units, {
    key: `${state[1]}/${district[1]}`,
    statement: DISTRICT,
    values: [stateId, ...district, false],
  });
  const written = await sql.first(TEHSIL, [districtId, ...tehsil, geometryHex('geometry', change.geometry)]);
  return { stored: written === undefined ? 0 : 1, unchanged: written === undefined ? 1 : 0, removed: 0 };
}

interface Unit {
  readonly key: string;
  readonly statement: string;
  readonly values: readonly (string | number | boolean)[];
}

async function unitOf(sql: Sql, units: Units, { key, statement, values }: Unit): Promise<number> {
  const known = units.get(key);
  if (known !== undefined) return known;
  const found = await sql.first<{ id: number }>(statement, values);
  if (found === undefined) return 0;
  units.set(key, found.id);
  return found.id;
}

async function saveMws(
  sql: Sql,
  tehsilId: number,
  { mws, keepsOthers }: Part<'mws' | 'keepsOthers'>,
): Promise<ChangeCounts> {
  const uids = distinctUids(mws.map(({ uid }) => storable('uid', uid)));
  let stored = 0;
  for (let from = 0; from < mws.length; from += BATCH) {
    const part = mws.slice(from, from + BATCH);
    const geometries = part.map(({ uid, geometry }) => geometryHex(`mws ${uid}`, geometry));
    stored += await sql.run(MWS, [tehsilId, uids.slice(from, from + BATCH), geometries]);
  }
  const removed = keepsOthers ? 0 : await sql.run(OTHER_MWS, [tehsilId, uids]);
  return { stored, unchanged: mws.length - stored, removed };
}

async function saveVillages(
  sql: Sql,
  tehsilId: number,
  { villages: changed, keepsOthers }: Part<'villages' | 'keepsOthers'>,
): Promise<ChangeCounts> {
  const own = (await sql.rows<VillageRow>(VILLAGES_OF, [tehsilId])).map(toVillage);
  const { villages, counts } = mergeVillages(own, changed, keepsOthers);
  if (counts.stored === 0 && counts.removed === 0) return counts;
  await sql.run('delete from headwater.villages where tehsil_id = $1', [tehsilId]);
  await sql.run(VILLAGES, [tehsilId, ...villageValues(villages)]);
  return counts;
}
