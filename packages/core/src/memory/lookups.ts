import { placeSlug } from '@headwater/stac';
import { coversPoint } from '../geo/covers-point.ts';
import type { Box } from '../geo/grid.ts';
import { boxOf } from '../geo/outlines.ts';
import type { CatalogStore } from '../ports/catalog.ts';
import type { ActiveState, FoundUnit, LonLat, NamedUnit, PlaceLookups } from '../ports/lookups.ts';
import type { PlaceStore, State, TehsilNames } from '../ports/places.ts';
import { memoryUnits } from './unit-list.ts';
import type { MemoryPlaces } from './places.ts';

type Directory = Omit<PlaceStore, 'saveBundle' | 'saveChanges' | 'removeTehsil' | 'datasets' | 'seedDatasets'>;

/** Builds lookups in a place directory; states, districts and tehsils are in the order of slugs. */
export function memoryLookups({
  store: places,
  named,
  parts,
  layersOf,
}: Pick<MemoryPlaces, 'named' | 'parts'> & { readonly store: Directory } & Pick<
    CatalogStore,
    'layersOf'
  >): PlaceLookups {
  return {
    tehsilNamed: async (slugs) => named(slugs),
    boundariesNamed: async (slugs, { kind, workspace, dataset }) => {
      const names = named(slugs);
      if (names === undefined) return undefined;
      const { tehsilId } = names;
      const layer = (await layersOf(tehsilId, workspace)).find(
        ({ datasetName, layerType }) => datasetName === dataset && layerType === 'vector',
      );
      if (layer !== undefined) return { ...names, layerName: layer.layerName, version: null };
      return { ...names, layerName: null, version: await parts[`${kind}Version`](tehsilId) };
    },
    tehsilAt: async (point) => await tehsilAt(places, point),
    mwsAt: async (tehsilId, point) =>
      (await places.mwsOf(tehsilId)).find(({ geometry }) => coversPoint(geometry, point))?.uid,
    mwsUids: async (tehsilId) => (await places.mwsOf(tehsilId)).map(({ uid }) => uid),
    ...parts,
    villageIds: async (tehsilId) => (await places.villagesOf(tehsilId)).map(({ id }) => id).toSorted((a, b) => a - b),
    mwsAround: async (tehsilId, uid) => {
      const all = await places.mwsOf(tehsilId);
      const own = all.find((mws) => mws.uid === uid);
      if (own === undefined) return [];
      const box = boxOf([own.geometry]);
      return all.filter(({ geometry }) => boxesMeet(boxOf([geometry]), box));
    },
    unitsBelow: async (tehsilId) => ({
      mws: (await places.mwsOf(tehsilId)).length > 0,
      villages: (await places.villagesOf(tehsilId)).length > 0,
    }),
    unitsNamed: async (slug, page) => (slug === '' ? [] : await unitsNamed(places, slug, page)),
    listUnits: async (query) => await memoryUnits({ places, layersOf }, query),
    activeLocations: async () => await activeStates(places),
  };
}

type UnitPage = Parameters<PlaceLookups['unitsNamed']>[1];

async function unitsNamed(places: Directory, slug: string, { limit, offset }: UnitPage): Promise<readonly FoundUnit[]> {
  const found: FoundUnit[] = [];
  for (const { id, name: state } of await places.states()) {
    found.push({ state, district: null, tehsil: null });
    for (const { id: districtId, name: district } of await places.districts(id)) {
      found.push({ state, district, tehsil: null });
      for (const { name: tehsil } of await places.tehsilUnits(districtId)) found.push({ state, district, tehsil });
    }
  }
  const rankOf = (unit: FoundUnit): number => {
    const at = placeSlug(unit.tehsil ?? unit.district ?? unit.state).indexOf(slug);
    if (at > 0) return 2;
    return at < 0 ? -1 : Number(placeSlug(unit.tehsil ?? unit.district ?? unit.state) !== slug);
  };
  const ranked = found.map((unit) => ({ unit, rank: rankOf(unit) })).filter(({ rank }) => rank >= 0);
  return ranked
    .sort((a, b) => a.rank - b.rank)
    .slice(offset, offset + limit)
    .map(({ unit }) => unit);
}

async function tehsilAt(places: Directory, point: LonLat): Promise<TehsilNames | undefined> {
  for (const state of await places.states()) {
    for (const district of await places.districts(state.id)) {
      const found = (await places.tehsils(district.id)).find(
        ({ geometry }) => geometry !== null && coversPoint(geometry, point),
      );
      if (found !== undefined)
        return { tehsilId: found.id, state: state.name, district: district.name, tehsil: found.name };
    }
  }
  return undefined;
}

/** True if the boxes touch or overlap, like `&&` of PostGIS. */
function boxesMeet([west, south, east, north]: Box, other: Box): boolean {
  return west <= other[2] && other[0] <= east && south <= other[3] && other[1] <= north;
}

async function activeStates(places: Directory): Promise<readonly ActiveState[]> {
  return await Promise.all(
    active(await places.states()).map(async (state) => {
      const districts = active(await places.districts(state.id)).map(async (district) => ({
        ...unitOf(district),
        tehsils: active(await places.tehsilUnits(district.id)).map(unitOf),
      }));
      return { ...unitOf(state), districts: await Promise.all(districts) };
    }),
  );
}

function active<T extends State>(units: readonly T[]): readonly T[] {
  return units.filter(({ isActive }) => isActive);
}

function unitOf({ id, name }: NamedUnit): NamedUnit {
  return { id, name };
}
