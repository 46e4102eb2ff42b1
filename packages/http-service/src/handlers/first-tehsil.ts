import { placeSlug } from '@headwater/core';
import type { ServiceDeps } from '../deps.ts';

/** The directory of places. */
export type Places = ServiceDeps['stores']['places'];

/** A tehsil with the names and ids on the way to it. */
export interface FoundTehsil {
  readonly slugs: readonly string[];
  readonly names: readonly [state: string, district: string, tehsil: string];
  readonly ids: readonly [state: number, district: number, tehsil: number];
}

/** The first tehsil of the directory; undefined where it has none. */
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
