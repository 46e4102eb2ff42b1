import type { DomainError, ItemKey } from '@headwater/core';
import { idSlug } from '@headwater/stac';
import type { Ports } from '../deps.ts';
import { absent } from '../wire/absent.ts';
import { computingRoutes } from './computing-routes.ts';
import { namesOnPath } from './first-tehsil.ts';

type Deps = Ports<'canCompute' | 'pipelines' | 'stores'>;

/** Details of an error: the name of a place, and the routes that compute its layers. Empty for an unknown place. */
export async function whyAbsent(deps: Deps, slugs: readonly string[]): Promise<Readonly<Record<string, string>>> {
  const names = await namesOnPath(deps.stores.places, slugs);
  return names.length < slugs.length ? {} : notComputed(deps, names);
}

function notComputed(deps: Deps, names: readonly string[]): Readonly<Record<string, string>> {
  return { place: names.toReversed().join(', '), routes: computingRoutes(deps) };
}

/** Error for an absent Item. If nothing is published for its place, the error has the routes that compute layers. */
export async function absentItem(deps: Deps, { collectionPath, id }: ItemKey): Promise<DomainError> {
  const isPublished = (await deps.stores.catalog.collection(collectionPath)) !== undefined;
  return absent('item', { id, ...(isPublished ? {} : await whyAbsent(deps, collectionPath.split('/'))) });
}

/** Error for an absent Collection of the STAC API, with the routes that compute layers of its place. */
export async function absentCollection(deps: Deps, id: string): Promise<DomainError> {
  const names = await namesOfId(deps, id);
  return absent('collectionId', { id, ...(names === undefined ? {} : notComputed(deps, names)) });
}

/** A slug may contain `_`, so every place whose slug begins the id is tried. */
async function namesOfId({ stores: { places } }: Deps, id: string): Promise<readonly string[] | undefined> {
  const restAfter = (rest: string, { name }: { readonly name: string }): string | undefined => {
    const slug = idSlug(name);
    if (rest === slug) return '';
    return rest.startsWith(`${slug}_`) ? rest.slice(slug.length + 1) : undefined;
  };
  for (const state of await places.states()) {
    const ofState = restAfter(id, state);
    if (ofState === '') return [state.name];
    if (ofState === undefined) continue;
    for (const district of await places.districts(state.id)) {
      const ofDistrict = restAfter(ofState, district);
      if (ofDistrict === '') return [state.name, district.name];
      if (ofDistrict === undefined) continue;
      const tehsil = (await places.tehsilUnits(district.id)).find((each) => restAfter(ofDistrict, each) === '');
      if (tehsil !== undefined) return [state.name, district.name, tehsil.name];
    }
  }
  return undefined;
}
