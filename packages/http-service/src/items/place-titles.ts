import { placeSlug } from '@headwater/core';
import type { Ports, ServiceDeps } from '../deps.ts';
import { pageLinks } from '../pages/layout.ts';
import { createAddresses } from '../wire/addresses.ts';

/** Returns the title of a Collection from its path; for an unknown place, the last slug of the path. */
export type TitleOf = (path: string) => string;

/** Reads the names of the places on a path ('' = the root) and of the last place's direct children. */
export async function titlesOnPath({ stores }: Ports<'stores'>, path: string): Promise<TitleOf> {
  const units = await unitsAlong(stores.places, path === '' ? [] : path.split('/').map(placeSlug));
  const names = new Map(units.flatMap(({ above, found }) => found.map(({ name }) => [keyOf(above, name), name])));
  return (each) => {
    const parts = each.split('/');
    const slug = parts.at(-1) ?? '';
    return names.get(keyOf(parts.slice(0, -1), slug)) ?? slug;
  };
}

interface Units {
  readonly above: readonly string[];
  readonly found: readonly { readonly name: string }[];
}

async function unitsAlong(
  places: ServiceDeps['stores']['places'],
  [stateSlug, districtSlug]: readonly string[],
): Promise<readonly Units[]> {
  if (stateSlug === undefined) return [{ above: [], found: await places.states() }];
  const state = await places.findState(stateSlug);
  if (state === undefined) return [];
  const first = { above: [], found: [state] };
  if (districtSlug === undefined) return [first, { above: [stateSlug], found: await places.districts(state.id) }];
  const district = await places.findDistrict(state.id, districtSlug);
  if (district === undefined) return [first];
  const tehsils = await places.tehsilUnits(district.id);
  return [first, { above: [stateSlug], found: [district] }, { above: [stateSlug, districtSlug], found: tehsils }];
}

/** Key of a place. Slugs in the spelling of earlier versions give the same key. */
function keyOf(above: readonly string[], name: string): string {
  return [...above, name].map(placeSlug).join('/');
}

/** Creates a function that returns the address of a Collection's page, without the origin. */
export function collectionHrefs({ baseUrl }: Ports<'baseUrl'>): (path: string) => string {
  const { here } = pageLinks(baseUrl);
  const addresses = createAddresses(baseUrl);
  return (path) => here(addresses.collection(path)) ?? '';
}
