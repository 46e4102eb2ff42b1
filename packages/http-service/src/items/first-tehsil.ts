import { placeSlug } from '@headwater/core';
import type { ServiceDeps } from '../deps.ts';

/** The store of places. */
export type Places = ServiceDeps['stores']['places'];

/** A tehsil: slugs, names and ids of the state, the district and the tehsil. */
export interface FoundTehsil {
  readonly slugs: readonly string[];
  readonly names: readonly [state: string, district: string, tehsil: string];
  readonly ids: readonly [state: number, district: number, tehsil: number];
}

/** The first tehsil in the store; undefined if there is none. */
export async function firstTehsil(places: Places): Promise<FoundTehsil | undefined> {
  for (const state of await places.states()) {
    for (const district of await places.districts(state.id)) {
      const [tehsil] = await places.tehsilUnits(district.id);
      if (tehsil === undefined) continue;
      const names = [state.name, district.name, tehsil.name] as const;
      return { slugs: names.map(placeSlug), names, ids: [state.id, district.id, tehsil.id] };
    }
  }
  return undefined;
}

/** Names of the state, district and tehsil with these slugs. Ends at the first unknown slug. */
export async function namesOnPath(places: Places, slugs: readonly string[]): Promise<readonly string[]> {
  const [stateSlug, districtSlug, tehsilSlug] = slugs.map(placeSlug);
  const state = stateSlug === undefined ? undefined : await places.findState(stateSlug);
  if (state === undefined) return [];
  const district = districtSlug === undefined ? undefined : await places.findDistrict(state.id, districtSlug);
  if (district === undefined) return [state.name];
  const tehsil = tehsilSlug === undefined ? undefined : await places.findTehsil(district.id, tehsilSlug);
  return [state.name, district.name, ...(tehsil === undefined ? [] : [tehsil.name])];
}

/** The tehsil with these slugs; undefined if one of them is unknown. */
export async function findTehsilByPath(places: Places, slugs: readonly string[]): Promise<FoundTehsil | undefined> {
  const [stateSlug = '', districtSlug = '', tehsilSlug = ''] = slugs;
  const state = await places.findState(stateSlug);
  const district = state === undefined ? undefined : await places.findDistrict(state.id, districtSlug);
  const tehsil = district === undefined ? undefined : await places.findTehsil(district.id, tehsilSlug);
  if (state === undefined || district === undefined || tehsil === undefined) return undefined;
  return { slugs, names: [state.name, district.name, tehsil.name], ids: [state.id, district.id, tehsil.id] };
}
