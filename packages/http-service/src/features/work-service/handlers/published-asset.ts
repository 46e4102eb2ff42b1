import type { Ports } from '../../../deps.ts';
import { publicItem } from '../../../items/public-item.ts';

/** An asset as it is served. */
export interface PublishedAsset {
  readonly item: Readonly<Record<string, unknown>>;
  readonly version: number;
}

/** The Item of this id, whatever Collection it is in; undefined where none is published. */
export async function publishedAsset(
  id: string,
  deps: Ports<'baseUrl' | 'itemForm' | 'publication' | 'stores'>,
): Promise<PublishedAsset | undefined> {
  const { search, catalog } = deps.stores;
  const { items } = await search.search({ ids: [id], limit: 1 }, deps.itemForm);
  const [found] = items;
  const published = found === undefined ? undefined : await catalog.item(found.collectionPath, found.id);
  return published === undefined ? undefined : { item: publicItem(published, deps), version: published.version };
}
