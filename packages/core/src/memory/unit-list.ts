import { placeSlug } from '@headwater/stac';
import type { CatalogStore } from '../ports/catalog.ts';
import type { ListedUnit, NamedUnit, UnitList, UnitQuery } from '../ports/lookups.ts';
import type { PlaceStore, State, UnitId } from '../ports/places.ts';
import { byText } from './copy.ts';

/** Stores that the list of units reads. */
export interface UnitSources extends Pick<CatalogStore, 'layersOf'> {
  readonly places: Pick<
    PlaceStore,
    'states' | 'districts' | 'tehsilUnits' | 'mwsOf' | 'villagesOf' | 'importedTehsils'
  >;
}

interface Unit extends Omit<ListedUnit, 'mws' | 'villages' | 'layers' | 'isImported'> {
  /** Slugs of state, district and tehsil; '' below the unit's own level. */
  readonly slugs: readonly [string, string, string];
}

/** Returns a page of the selected units, see `PlaceLookups.listUnits`. */
export async function memoryUnits({ places, layersOf }: UnitSources, query: UnitQuery): Promise<UnitList> {
  const { slug = '', level, isActive, unit: own, below: top, order = 'tree', isDescending = false } = query;
  const { limit, offset } = query;
  const found = (await allUnits(places)).filter(
    (unit) =>
      unit.slugs
        .filter((each) => each !== '')
        .join('_')
        .includes(slug) &&
      (level === undefined || unit.level === level) &&
      (isActive === undefined || unit.isActive === isActive) &&
      (own === undefined || (unit.level === own.level && unit.id === own.id)) &&
      (top === undefined || isBelow(unit, top)),
  );
  const turned = isDescending ? -1 : 1;
  const ownSlug = ({ slugs }: Unit): string => slugs.findLast((each) => each !== '') ?? '';
  const byTree = (a: Unit, b: Unit): number =>
    byText(a.slugs[0], b.slugs[0]) || byText(a.slugs[1], b.slugs[1]) || byText(a.slugs[2], b.slugs[2]);
  found.sort((a, b) => turned * ((order === 'name' ? byText(ownSlug(a), ownSlug(b)) : 0) || byTree(a, b)));
  const imported = new Set(await places.importedTehsils());
  const units = found.slice(offset, offset + limit).map(async ({ slugs: _left, ...unit }): Promise<ListedUnit> => {
    if (unit.level !== 'tehsil') return { ...unit, mws: null, villages: null, layers: null, isImported: false };
    const below = await Promise.all([places.mwsOf(unit.id), places.villagesOf(unit.id), layersOf(unit.id)]);
    const [mws, villages, layers] = below.map(({ length }) => length);
    return { ...unit, mws: mws ?? 0, villages: villages ?? 0, layers: layers ?? 0, isImported: imported.has(unit.id) };
  });
  return { units: await Promise.all(units), total: found.length };
}

function isBelow({ level, state, district }: Unit, top: UnitId): boolean {
  if (top.level === 'state') return level !== 'state' && state.id === top.id;
  return top.level === 'district' && level === 'tehsil' && district?.id === top.id;
}

async function allUnits(places: UnitSources['places']): Promise<Unit[]> {
  const all: Unit[] = [];
  for (const state of await places.states()) {
    const inState: Unit[] = [];
    let count = 0;
    for (const district of await places.districts(state.id)) {
      const tehsils = await places.tehsilUnits(district.id);
      count += tehsils.length;
      inState.push({
        ...unitOf('district', district),
        state: named(state),
        district: named(district),
        tehsils: tehsils.length,
        slugs: [placeSlug(state.name), placeSlug(district.name), ''],
      });
      for (const tehsil of tehsils)
        inState.push({
          ...unitOf('tehsil', tehsil),
          state: named(state),
          district: named(district),
          tehsils: null,
          slugs: [placeSlug(state.name), placeSlug(district.name), placeSlug(tehsil.name)],
        });
    }
    all.push({
      ...unitOf('state', state),
      state: named(state),
      district: null,
      tehsils: count,
      slugs: [placeSlug(state.name), '', ''],
    });
    all.push(...inState);
  }
  return all;
}

function unitOf(level: Unit['level'], { id, name, isActive }: State): Pick<Unit, 'level' | 'id' | 'name' | 'isActive'> {
  return { level, id, name, isActive };
}

function named({ id, name }: NamedUnit): NamedUnit {
  return { id, name };
}
