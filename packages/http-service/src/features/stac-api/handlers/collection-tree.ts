import { placeSlug } from '@headwater/core';
import { REGIONS_STATE } from '@headwater/core/places';
import type { CatalogStore } from '@headwater/core/ports';

/** Paths of the states with Items, without `REGIONS_STATE`, which may contain very many regions. */
export async function publishedStates(catalog: Pick<CatalogStore, 'collection'>): Promise<readonly string[]> {
  const root = await catalog.collection('');
  return root?.children.filter((path) => path !== REGIONS_STATE) ?? [];
}

function tehsilsAt(paths: readonly string[], path: string): readonly string[] {
  return paths.filter((each) => each === path || each.startsWith(`${path}/`));
}

/**
 * The path of a Collection with Items; undefined if there is none. Also accepts the spelling of version 0.1, which has
 * no dots and no repeated underscores. `paths`: paths of the tehsils with Items.
 */
export function publishedPath(paths: readonly string[], path: string): string | undefined {
  if (tehsilsAt(paths, path).length > 0) return path;
  const wanted = spelling(path);
  const depth = path.split('/').length;
  const found = paths.map((each) => each.split('/').slice(0, depth).join('/'));
  return found.find((each) => spelling(each) === wanted);
}

function spelling(path: string): string {
  return path.split('/').map(placeSlug).join('/');
}
