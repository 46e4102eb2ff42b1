import { placeSlug } from '@headwater/core';
import type { ServiceDeps } from '../deps.ts';

/** Titles of Collections by their path; the last slug of a path where the directory has no such place. */
export type TitleOf = (path: string) => string;

/** Titles of the Collections right below one, '' for the root: the names of the place directory. */
export async function titlesBelow(deps: ServiceDeps, parent: string): Promise<TitleOf> {
  const units = await unitsBelow(deps, parent === '' ? [] : parent.split('/').map(placeSlug));
  const names = new Map(units.map(({ name }) => [placeSlug(name), name]));
  return (path) => {
    const slug = path.slice(path.lastIndexOf('/') + 1);
    return names.get(placeSlug(slug)) ?? slug;
  };
}

async function unitsBelow(
  { stores }: ServiceDeps,
  [stateSlug, districtSlug]: readonly string[],
): Promise<readonly { readonly name: string }[]> {
  const { places } = stores;
  if (stateSlug === undefined) return await places.states();
  const state = await places.findState(stateSlug);
  if (state === undefined) return [];
  if (districtSlug === undefined) return await places.districts(state.id);
  const district = await places.findDistrict(state.id, districtSlug);
  return district === undefined ? [] : await places.tehsilUnits(district.id);
}
