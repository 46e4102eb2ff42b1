import { placeSlug } from '@headwater/core';
import { collectionPath } from '@headwater/stac';
import type { Ports } from '../../../deps.ts';
import { titlesOnPath } from '../../../items/place-titles.ts';
import { pageLinks } from '../../../pages/layout.ts';
import { slugText } from '../../../pages/words.ts';
import { createAddresses } from '../../../wire/addresses.ts';
import type { PublishedCounts, PublishedPlaces } from '../page/place-parts.ts';
import type { FoundUnit, PublishedTehsil } from '@headwater/core/ports';

type Deps = Ports<'baseUrl' | 'stores'>;

/** Reads what is published with one query, and the names of the states with another. */
export async function publishedPlaces(deps: Deps): Promise<PublishedPlaces> {
  const [tehsils, titleOf] = await Promise.all([deps.stores.catalog.publishedTehsils(), titlesOnPath(deps, '')]);
  const hrefOf = hrefs(deps);
  const counts = countsOf(tehsils);
  const states = [...counts].flatMap(([key, each]) => (key.includes('/') ? [] : [each]));
  return {
    onMap: tehsils.flatMap(({ path, items, box }) =>
      box === null ? [] : [{ name: nameOn(path), href: hrefOf(path), layers: items, box }],
    ),
    total: { tehsils: tehsils.length, layers: tehsils.reduce((sum, { items }) => sum + items, 0) },
    states: states.map((each) => ({ ...each, name: titleOf(each.path), href: hrefOf(each.path) })),
    of: ({ state, district, tehsil }) =>
      counts.get([state, district, tehsil].flatMap((name) => (name === null ? [] : [placeSlug(name)])).join('/')),
  };
}

/** Name of a tehsil from its path, for maps: names from the directory would take a query for each district. */
function nameOn(path: string): string {
  return slugText(path.split('/').at(-1) ?? '');
}

function countsOf(tehsils: readonly PublishedTehsil[]): ReadonlyMap<string, PublishedCounts> {
  const counts = new Map<string, PublishedCounts>();
  for (const { path, items } of tehsils) {
    const slugs = path.split('/');
    for (let level = 1; level <= slugs.length; level++) {
      const at = slugs.slice(0, level);
      // Spellings of earlier versions have the same key.
      const key = at.map(placeSlug).join('/');
      const { tehsils: others = 0, layers = 0, path: first = at.join('/') } = counts.get(key) ?? {};
      counts.set(key, { path: first, tehsils: others + 1, layers: layers + items });
    }
  }
  return counts;
}

function hrefs({ baseUrl }: Ports<'baseUrl'>): (path: string) => string {
  const { here } = pageLinks(baseUrl);
  const addresses = createAddresses(baseUrl);
  return (path) => here(addresses.collection(path)) ?? '';
}

/** Address of the page of a place of the directory, also if nothing of it is published. */
export function unitHref(deps: Ports<'baseUrl'>, { state, district, tehsil }: FoundUnit): string {
  const below = [district, tehsil].filter((name) => name !== null);
  return hrefs(deps)(collectionPath(state, ...below));
}
