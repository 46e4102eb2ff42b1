import { type PlaceBundle, placeSlug, type PlaceStore, type TehsilNames } from '@headwater/core';

type Directory = Pick<PlaceStore, 'states' | 'districts' | 'tehsilUnits' | 'importedTehsils'>;

/** Tehsils of the directory that are in none of the bundles: their files were removed, or name them otherwise now. Imported tehsils are not listed. */
export async function placesWithoutFiles(
  directory: Directory,
  bundles: readonly PlaceBundle[],
): Promise<readonly TehsilNames[]> {
  const described = new Set(bundles.map(keyOf));
  const imported = new Set(await directory.importedTehsils());
  const found: TehsilNames[] = [];
  for (const state of await directory.states())
    for (const district of await directory.districts(state.id))
      for (const tehsil of await directory.tehsilUnits(district.id)) {
        const names = { state: state.name, district: district.name, tehsil: tehsil.name };
        if (!described.has(keyOf(names)) && !imported.has(tehsil.id)) found.push({ tehsilId: tehsil.id, ...names });
      }
  return found;
}

const keyOf = ({ state, district, tehsil }: Pick<TehsilNames, 'state' | 'district' | 'tehsil'>): string =>
  [state, district, tehsil].map(placeSlug).join('/');
