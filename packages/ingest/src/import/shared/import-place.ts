import { basename } from 'node:path';
import { findPlace } from '@headwater/core/places';
import { invalidField, type Place, placeSlug } from '@headwater/core';
import type { ImportRequest, ImportDeps } from './import-deps.ts';

type Directory = ImportDeps['stores']['places'];

/**
 * Finds the tehsil of a file by the request, or by the file name `{district}_{tehsil}` and its folders. Throws
 * `not_found` for unknown names, `validation` if no or several tehsils fit.
 */
export async function importPlace(
  places: Directory,
  request: ImportRequest,
  nameOf: (stem: string) => string,
): Promise<Place> {
  if (request.place !== undefined) return await findPlace(places, request.place);
  const { stem, folders } = partsOf(request);
  const slug = placeSlug(nameOf(stem));
  const found = await placesNamed(places, slug);
  const matchingFolders = ({ state, district }: Place): number =>
    [state.name, district.name].filter((name) => folders.includes(placeSlug(name))).length;
  const most = Math.max(...found.map(matchingFolders));
  const matching = found.filter((place) => matchingFolders(place) === most);
  const [only, ...others] = matching;
  if (only !== undefined && others.length === 0) return only;
  const names = matching.map(({ state, district, tehsil }) => `${tehsil.name} in ${district.name}, ${state.name}`);
  const why = names.length === 0 ? 'names no known tehsil' : `could be ${names.slice(0, 5).join(' or ')}`;
  const remedy = 'name its state, district and tehsil, or rename the file to {district}_{tehsil}.';
  throw invalidField('file', `${JSON.stringify(stem.slice(0, 200))} ${why}; ${remedy}`);
}

function partsOf({ fileName, path }: ImportRequest): { readonly stem: string; readonly folders: readonly string[] } {
  const sent = fileName.split(/[\\/]/);
  const name = sent.at(-1) ?? '';
  // The folders of `path` are used only if the file has its original name on this disk. An upload has another name.
  const all = sent.length === 1 && basename(path) === name ? path.split(/[\\/]/) : sent;
  return { stem: name.replace(/\.[A-Za-z]+$/, ''), folders: all.slice(0, -1).map(placeSlug) };
}

async function placesNamed(places: Directory, slug: string): Promise<readonly Place[]> {
  const found: Place[] = [];
  for (const state of await places.states()) {
    for (const district of await places.districts(state.id)) {
      const before = `${placeSlug(district.name)}_`;
      if (!slug.startsWith(before)) continue;
      const tehsil = await places.findTehsil(district.id, slug.slice(before.length));
      if (tehsil !== undefined) found.push({ state, district, tehsil });
    }
  }
  return found;
}
