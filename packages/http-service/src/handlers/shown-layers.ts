import type { PublishedItem } from '@headwater/core';
import type { ServiceDeps } from '../deps.ts';
import { withBase } from '../wire/addresses.ts';
import type { ShownLayer } from '../pages/first-page.ts';
import { itemAddress } from './public-item.ts';

/** Enough for a look; the catalogue has them all. */
const MOST_COLLECTIONS = 2;

/** The Items with a preview of the first collections, at most `most`. Empty when the catalogue cannot be read. */
export async function shownLayers(deps: ServiceDeps, most: number): Promise<readonly ShownLayer[]> {
  const { catalog } = deps.stores;
  try {
    const paths = await catalog.collections(MOST_COLLECTIONS);
    const items = (await Promise.all(paths.map((path) => catalog.itemsOf(path)))).flat();
    return items.flatMap((item) => shown(item, deps)).slice(0, most);
  } catch (error) {
    // The page must come even when the database is away: it is what tells so.
    deps.logger.error({ error }, 'the first page could not list the published layers');
    return [];
  }
}

function shown(published: PublishedItem, { baseUrl }: ServiceDeps): readonly ShownLayer[] {
  const { item } = published;
  const stored = textAt(item, 'assets', 'thumbnail', 'href');
  if (stored === undefined) return [];
  // Two texts of it are shown: copying the whole Item for its addresses would be most of the page's cost.
  const thumbnail = withBase(stored, baseUrl);
  const href = itemAddress(published, baseUrl);
  return [{ title: textAt(item, 'properties', 'title') ?? published.id, href, thumbnail }];
}

function textAt(value: unknown, ...path: readonly string[]): string | undefined {
  let found: unknown = value;
  for (const name of path) found = typeof found === 'object' && found !== null ? Reflect.get(found, name) : undefined;
  return typeof found === 'string' ? found : undefined;
}
