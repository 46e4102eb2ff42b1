import { basename } from 'node:path';
import { findPlace } from '@headwater/core/places';
import { invalidField, type Place, placeSlug } from '@headwater/core';
import type { ImportRequest } from './importer.ts';
import type { ImportDeps } from './import-deps.ts';

type Directory = ImportDeps['stores']['places'];

/**
 * The tehsil that a file is of: the one that was named, or else the one whose `{district}_{tehsil}` is what the file is called;
 * of several such, those whose state and district the folders are called. Throws `not_found` for names that are not known, and
 * `validation` where the file's name tells no tehsil, or more than one.
 */
export async function importPlace(
  places: Directory,
  request: ImportRequest,
  nameOf: (stem: string) => string,
): Promise<Place> {
  if (request.place !== undefined) return await findPlace(places, request.place);
  const { stem, folders } = partsOf(request);
  const slug = placeSlug(nameOf(stem));
  const found = await placesCalled(places, slug);
  const told = ({ state, district }: Place): number =>
    [state.name, district.name].filter((name) => folders.includes(placeSlug(name))).length;
  const most = Math.max(...found.map(told));
  const meant = found.filter((place) => told(place) === most);
  const [only, ...others] = meant;
  if (only !== undefined && others.length === 0) return only;
  const names = meant.map(({ state, district, tehsil }) => `${tehsil.name} in ${district.name}, ${state.name}`);
  const why = names.length === 0 ? 'names no tehsil that is known' : `could be ${names.slice(0, 5).join(' or ')}`;
  const remedy = 'name its state, district and tehsil, or call it {district}_{tehsil}.';
  throw invalidField('file', `${JSON.stringify(stem.slice(0, 200))} ${why}; ${remedy}`);
}

/** The file's name without folders and ending, and the folders that it was in as who sent it tells. */
function partsOf({ fileName, path }: ImportRequest): { readonly stem: string; readonly folders: readonly string[] } {
  const sent = fileName.split(/[\\/]/);
  const name = sent.at(-1) ?? '';
  // A file that was uploaded lies elsewhere under another name: then its folders tell nothing.
  const all = sent.length === 1 && basename(path) === name ? path.split(/[\\/]/) : sent;
  return { stem: name.replace(/\.[A-Za-z]+$/, ''), folders: all.slice(0, -1).map(placeSlug) };
}

async function placesCalled(places: Directory, slug: string): Promise<readonly Place[]> {
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
