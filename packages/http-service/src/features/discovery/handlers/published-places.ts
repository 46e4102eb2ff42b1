import { placeSlug } from '@headwater/core';
import { collectionPath } from '@headwater/stac';
import type { Ports } from '../../../deps.ts';
import { collectionHrefs, titlesOnPath } from '../../../items/place-titles.ts';
import type { NamedPlace } from '../../../pages/places-map.ts';
import { slugText } from '../../../pages/words.ts';
import type { PublishedCounts, PublishedPlaces } from '../page/place-parts.ts';
import type { FoundUnit, PublishedTehsil } from '@headwater/core/ports';

type Deps = Ports<'baseUrl' | 'stores'>;

/** Reads the published places and the names of the states. */
export async function publishedPlaces(deps: Deps): Promise<PublishedPlaces> {
  const [tehsils, titleOf] = await Promise.all([deps.stores.catalog.publishedTehsils(), titlesOnPath(deps, '')]);
  const hrefOf = collectionHrefs(deps);
  let counts: ReadonlyMap<string, PublishedCounts> | undefined;
  return {
    onMap: tehsils.flatMap(({ path, items, box }) => (box === null ? [] : [{ path, layers: items, box }])),
    placeOf: ({ path }) => ({ ...namesOn(path), href: hrefOf(path) }),
    total: { tehsils: tehsils.length, layers: tehsils.reduce((sum, { items }) => sum + items, 0) },
    states: Array.from(
      Map.groupBy(tehsils, ({ path }) => path.slice(0, path.indexOf('/'))),
      ([path, own]) => ({ name: titleOf(path), href: hrefOf(path), tehsils: own.length }),
    ),
    of: ({ state, district, tehsil }) => {
      counts ??= countsOf(tehsils);
      return counts.get(
        [state, district, tehsil].flatMap((name) => (name === null ? [] : [placeSlug(name)])).join('/'),
      );
    },
  };
}

/** Names of a place. They are read from the path, because the directory would need a query for each district. */
function namesOn(path: string): Pick<NamedPlace, 'name' | 'above'> {
  const [name = '', ...above] = path.split('/').map(slugText).toReversed();
  return { name, above: above.join(', ') };
}

// Counts by path of slugs. Slugs are cached, because the same states and districts occur some hundred times.
function countsOf(tehsils: readonly PublishedTehsil[]): ReadonlyMap<string, PublishedCounts> {
  const counts = new Map<string, { path: string; tehsils: number; layers: number }>();
  const slugs = new Map<string, string>();
  const slugOf = (part: string): string => {
    const known = slugs.get(part) ?? placeSlug(part);
    slugs.set(part, known);
    return known;
  };
  for (const { path, items } of tehsils) {
    let [key, above] = ['', ''];
    for (const part of path.split('/')) {
      // The slug is computed again, because paths of earlier versions have slugs in another spelling.
      key = key === '' ? slugOf(part) : `${key}/${slugOf(part)}`;
      above = above === '' ? part : `${above}/${part}`;
      const found = counts.get(key) ?? { path: above, tehsils: 0, layers: 0 };
      found.tehsils += 1;
      found.layers += items;
      counts.set(key, found);
    }
  }
  return counts;
}

/** Address of the page about a place, also if nothing is published for it. */
export function unitHref(deps: Ports<'baseUrl'>, { state, district, tehsil }: FoundUnit): string {
  const below = [district, tehsil].filter((name) => name !== null);
  return collectionHrefs(deps)(collectionPath(state, ...below));
}
