import { placeSlug } from '@headwater/stac';
import { invalidField } from '../errors.ts';
import { featureGeometry, type Outline } from '../geo/outlines.ts';
import type { PlainSlugs } from '../places/find-tehsil.ts';
import type { Clock } from '../ports/host.ts';
import type { PlaceLookups } from '../ports/lookups.ts';
import type { Place, PlaceBundle, PlaceStore, State, TehsilNames, Activation, UnitId } from '../ports/places.ts';
import { byText, copy } from './copy.ts';
import { saveChanges, tehsilOf } from './place-changes.ts';
import { namesOf, tehsilsWithin } from './place-names.ts';
import type { PlaceTables } from './place-changes.ts';

type Level = UnitId['level'];

function setActive(tables: PlaceTables, { level, id }: UnitId, isActive: boolean): Activation {
  const units = unitsUpTo(tables, { level, id });
  const [unit, ...above] = units.toReversed();
  if (unit?.level !== level) return 'unknown';
  if (isActive && !unit.isActive && above.some((each) => !each.isActive)) return 'inactive_above';
  if (isActive) tables.staysInactive.delete(keyOf(unit));
  else tables.staysInactive.add(keyOf(unit));
  put(tables, unit, isActive);
  return unit.isActive === isActive ? 'unchanged' : 'changed';
}

/** Activates tehsils and the units above them, except units that an operator made inactive. Ignores unknown ids. */
function activate(tables: PlaceTables, tehsilIds: readonly number[]): void {
  for (const id of tehsilIds) {
    for (const unit of unitsUpTo(tables, { level: 'tehsil', id }))
      if (!unit.isActive && !tables.staysInactive.has(keyOf(unit))) put(tables, unit, true);
  }
}

type LevelledUnit = UnitId & Pick<State, 'isActive'>;

const keyOf = ({ level, id }: UnitId): string => `${level}/${id}`;

/** The unit and the units above it, the state first. */
function unitsUpTo({ states, districts, tehsils }: PlaceTables, { level, id }: UnitId): readonly LevelledUnit[] {
  const found = <T extends State>(at: Level, units: readonly T[], wanted: number | undefined) => {
    const unit = units.find((each) => each.id === wanted);
    return { unit, levelled: unit === undefined ? [] : [{ level: at, id: unit.id, isActive: unit.isActive }] };
  };
  const tehsil = found('tehsil', tehsils, level === 'tehsil' ? id : undefined);
  const district = found('district', districts, level === 'district' ? id : tehsil.unit?.districtId);
  const state = found('state', states, level === 'state' ? id : district.unit?.stateId);
  return [...state.levelled, ...district.levelled, ...tehsil.levelled];
}

function put({ states, districts, tehsils }: PlaceTables, { level, id }: UnitId, isActive: boolean): void {
  const set = <T extends State>(table: T[]): void => {
    const at = table.findIndex((unit) => unit.id === id);
    const unit = table[at];
    if (unit !== undefined && unit.isActive !== isActive) table[at] = { ...unit, isActive };
  };
  if (level === 'state') set(states);
  else if (level === 'district') set(districts);
  else set(tehsils);
}

/** Lookups of a part of a tehsil's data, so that only this part is copied. */
type PlaceParts = Pick<PlaceLookups, 'mwsVersion' | 'villagesVersion' | 'mwsAfter' | 'villagesAfter'>;

function placeParts({ mws, villages }: Pick<PlaceTables, 'mws' | 'villages'>, clock: Clock): PlaceParts {
  const mwsVersions = createListVersions(mws, clock);
  const villageVersions = createListVersions(villages, clock);
  return {
    mwsVersion: async (tehsilId) => mwsVersions(tehsilId),
    villagesVersion: async (tehsilId) => villageVersions(tehsilId),
    mwsAfter: async (tehsilId, after, most) => {
      const list = mws.get(tehsilId) ?? [];
      const part = list.filter(({ uid }) => uid > after).slice(0, most);
      return part.map(({ uid, geometry }) => ({ uid, geometry: textOf(geometry), version: mwsVersions(tehsilId) }));
    },
    villagesAfter: async (tehsilId, skipped, most) => {
      const list = villages.get(tehsilId) ?? [];
      const part = list.slice(skipped, skipped + most);
      const version = villageVersions(tehsilId);
      return part.map(({ id, name, geometry }) => ({ id, name, geometry: textOf(geometry), version }));
    },
  };
}

/**
 * Returns a function that returns the version of the list at a key: the time (ISO 8601 UTC) of the first read after its
 * last change, or '' for an empty list.
 */
function createListVersions(lists: ReadonlyMap<number, readonly unknown[]>, clock: Clock): (key: number) => string {
  const last = new Map<
    number,
    { readonly list: readonly unknown[]; readonly content: string; readonly time: number }
  >();
  return (key) => {
    const list = lists.get(key);
    const known = last.get(key);
    if (list === undefined) {
      last.delete(key);
      return '';
    }
    // A changed list is a new array.
    if (known?.list !== list) {
      const content = JSON.stringify(list);
      const time = Math.max(clock.now().getTime(), (known?.time ?? -Infinity) + 1);
      last.set(key, known?.content === content ? { ...known, list } : { list, content, time });
    }
    return list.length === 0 ? '' : new Date(last.get(key)?.time ?? 0).toISOString();
  };
}

const textOf = (outline: Outline): string => JSON.stringify(featureGeometry(outline));

/** Places in memory, with lookups and the function that activates tehsils. */
export interface MemoryPlaces {
  readonly store: PlaceStore;
  readonly parts: PlaceParts;
  /** Activates tehsils after a publication. */
  readonly activate: (tehsilIds: readonly number[]) => void;
  readonly named: (slugs: PlainSlugs) => TehsilNames | undefined;
}

/** Builds an empty place store in memory. */
export function memoryPlaces(clock: Clock = { now: () => new Date() }): MemoryPlaces {
  const tables: PlaceTables = {
    lastIds: new Map(),
    states: [],
    districts: [],
    tehsils: [],
    mws: new Map(),
    villages: new Map(),
    datasets: [],
    imported: new Set(),
    staysInactive: new Set(),
  };
  return {
    store: storeOf(tables),
    parts: placeParts(tables, clock),
    activate: (tehsilIds) => activate(tables, tehsilIds),
    named: (slugs) => named(tables, slugs),
  };
}

function storeOf(tables: PlaceTables): PlaceStore {
  const { states, districts, tehsils, mws, villages, datasets } = tables;
  return {
    states: async () => listed(states),
    districts: async (stateId) => listed(districts.filter((district) => district.stateId === stateId)),
    tehsils: async (districtId) => listed(tehsils.filter((tehsil) => tehsil.districtId === districtId)),
    tehsilUnits: async (districtId) =>
      listed(tehsils.filter((tehsil) => tehsil.districtId === districtId)).map(({ geometry: _left, ...unit }) => unit),
    findState: async (slug) => copy(bySlug(states, slug)),
    findDistrict: async (stateId, slug) => copy(bySlug(childrenOf(districts, 'stateId', stateId), slug)),
    findTehsil: async (districtId, slug) => copy(bySlug(childrenOf(tehsils, 'districtId', districtId), slug)),
    placeOfTehsil: async (tehsilId) => copy(placeOf(tables, tehsilId)),
    namesOf: async (ids) => namesOfAll(tables, ids),
    tehsilsWithin: async (unit) => tehsilsWithin(tables, unit),
    namesakesOf: async (tehsilId) => namesakesOf(tables, tehsilId),
    mwsOf: async (tehsilId) => copy(mws.get(tehsilId) ?? []),
    villagesOf: async (tehsilId) => copy(villages.get(tehsilId) ?? []),
    saveBundle: async (bundle) => copy(saveActive(tables, copy(bundle))),
    saveChanges: async (changes, options) =>
      await saveChanges(tables, changes, {
        check: checkBundle,
        save: saveInactive,
        isTrial: options?.isTrial ?? false,
      }),
    importedTehsils: async () => [...tables.imported].sort((a, b) => a - b),
    removeTehsil: async (tehsilId) => removeTehsil(tables, tehsilId),
    setActive: async (unit, isActive) => setActive(tables, unit, isActive),
    datasets: async () => copy(datasets),
    seedDatasets: async (seeds) => {
      for (const dataset of copy(seeds)) {
        const isThere = datasets.some(({ name }) => name === dataset.name);
        if (!isThere) datasets.push({ ...dataset, id: datasets.length + 1 });
      }
    },
  };
}

function saveActive(tables: PlaceTables, bundle: PlaceBundle): Place {
  const saved = saveInactive(tables, { ...bundle, ...keptParts(tables, bundle) });
  activate(tables, [saved.tehsil.id]);
  return placeOf(tables, saved.tehsil.id) ?? saved;
}

/** Returns the stored lists that replace empty lists of the bundle; none if the tehsil was not imported. */
function keptParts(tables: PlaceTables, bundle: PlaceBundle): Partial<Pick<PlaceBundle, 'mws' | 'villages'>> {
  const id = tehsilOf(tables, bundle)?.id ?? 0;
  if (!tables.imported.has(id)) return {};
  return {
    ...(bundle.mws.length === 0 && { mws: tables.mws.get(id) ?? [] }),
    ...(bundle.villages.length === 0 && { villages: tables.villages.get(id) ?? [] }),
  };
}

/** Saves a place. New units are inactive; stored units stay active or inactive. */
function saveInactive(tables: PlaceTables, bundle: PlaceBundle): Place {
  checkBundle(bundle);
  const { state: stateName, district: districtName, tehsil: tehsilName, geometry } = bundle;
  const found = finder(tables.lastIds);
  const state = found(tables.states, tables.states, (id) => ({ id, name: stateName, isActive: false }));
  const siblings = childrenOf(tables.districts, 'stateId', state.id);
  const district = found(tables.districts, siblings, (id) => ({
    id,
    name: districtName,
    isActive: false,
    stateId: state.id,
  }));
  const blocks = childrenOf(tables.tehsils, 'districtId', district.id);
  const existing = found(tables.tehsils, blocks, (id) => ({
    id,
    name: tehsilName,
    isActive: false,
    districtId: district.id,
    geometry,
  }));
  const tehsil = { ...existing, geometry };
  tables.tehsils[tables.tehsils.indexOf(existing)] = tehsil;
  const own = { tehsilId: tehsil.id };
  tables.mws.set(
    tehsil.id,
    bundle.mws.map((mws) => ({ ...mws, ...own })).sort((a, b) => byText(a.uid, b.uid)),
  );
  tables.villages.set(
    tehsil.id,
    bundle.villages.map((village) => ({ ...village, ...own })),
  );
  return { state, district, tehsil };
}

/** Returns a function that finds a unit below its parent unit, or adds it. Ids begin with 1. */
function finder(lastIds: PlaceTables['lastIds']) {
  return <T extends State>(table: T[], siblings: readonly T[], make: (id: number) => T): T => {
    const id = (lastIds.get(table) ?? 0) + 1;
    const created = make(id);
    const match = bySlug(siblings, placeSlug(created.name));
    if (match !== undefined) return match;
    lastIds.set(table, id);
    table.push(created);
    return created;
  };
}

function removeTehsil(tables: PlaceTables, tehsilId: number): void {
  const place = placeOf(tables, tehsilId);
  if (place === undefined) return;
  const { states, districts, tehsils, mws, villages, imported } = tables;
  const drop = <T extends State>(table: T[], { id }: State): void =>
    void table.splice(
      table.findIndex((unit) => unit.id === id),
      1,
    );
  drop(tehsils, place.tehsil);
  mws.delete(tehsilId);
  villages.delete(tehsilId);
  imported.delete(tehsilId);
  if (childrenOf(tehsils, 'districtId', place.district.id).length > 0) return;
  drop(districts, place.district);
  if (childrenOf(districts, 'stateId', place.state.id).length === 0) drop(states, place.state);
}

function checkBundle(bundle: PlaceBundle): void {
  for (const field of ['state', 'district', 'tehsil'] as const) {
    if (placeSlug(bundle[field]) === '')
      throw invalidField(field, 'has no Latin letter or digit; write the name in Latin letters');
  }
  const uids = bundle.mws.map(({ uid }) => uid);
  const twice = uids.find((uid, index) => uids.indexOf(uid) !== index);
  if (twice !== undefined) throw invalidField('uid', `"${twice}" occurs twice: each MWS of a tehsil needs its own uid`);
}

function placeOf({ states, districts, tehsils }: PlaceTables, tehsilId: number): Place | undefined {
  const tehsil = tehsils.find(({ id }) => id === tehsilId);
  const district = districts.find(({ id }) => id === tehsil?.districtId);
  const state = states.find(({ id }) => id === district?.stateId);
  return tehsil === undefined || district === undefined || state === undefined
    ? undefined
    : { state, district, tehsil };
}

function namesakesOf(tables: PlaceTables, tehsilId: number): TehsilNames[] {
  const own = placeOf(tables, tehsilId);
  if (own === undefined) return [];
  const [short, long] = joinedSlugs(own);
  const others = tables.tehsils.filter(({ id }) => id !== tehsilId).map(({ id }) => placeOf(tables, id));
  return others.flatMap((place) => {
    if (place === undefined || !joinedSlugs(place).some((text, index) => text === [short, long][index])) return [];
    return [namesOf(place)];
  });
}

function namesOfAll(tables: PlaceTables, ids: readonly number[]): readonly TehsilNames[] {
  return [...new Set(ids)].flatMap((id) => {
    const place = placeOf(tables, id);
    return place === undefined ? [] : [namesOf(place)];
  });
}

function joinedSlugs({ state, district, tehsil }: Place): readonly [string, string] {
  const short = `${placeSlug(district.name)}_${placeSlug(tehsil.name)}`;
  return [short, `${placeSlug(state.name)}_${short}`];
}

function named({ states, districts, tehsils }: PlaceTables, slugs: PlainSlugs): TehsilNames | undefined {
  const state = bySlug(states, slugs.state);
  const district = districts.find((each) => each.stateId === state?.id && slugOf(each) === slugs.district);
  const tehsil = tehsils.find((each) => each.districtId === district?.id && slugOf(each) === slugs.tehsil);
  if (state === undefined || district === undefined || tehsil === undefined) return undefined;
  return namesOf({ state, district, tehsil });
}

function childrenOf<K extends string, T extends Readonly<Record<K, number>>>(
  table: readonly T[],
  key: K,
  id: number,
): T[] {
  return table.filter((row) => row[key] === id);
}

function bySlug<T extends State>(units: readonly T[], slug: string): T | undefined {
  return units.find((unit) => slugOf(unit) === slug);
}

/** A changed row is a new object, so the cached slug is never outdated. */
const SLUGS = new WeakMap<State, string>();

function slugOf(unit: State): string {
  const known = SLUGS.get(unit);
  if (known !== undefined) return known;
  const slug = placeSlug(unit.name);
  SLUGS.set(unit, slug);
  return slug;
}

function listed<T extends State>(units: readonly T[]): T[] {
  return copy([...units].sort((a, b) => byText(placeSlug(a.name), placeSlug(b.name))));
}
