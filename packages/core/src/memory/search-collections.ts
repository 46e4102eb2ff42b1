import type { CollectionPage, CollectionRequest } from '../ports/item-search.ts';
import { isListed, pageOfCollections, type CollectionFacts } from '../search/collection-list.ts';
import { idOfPath } from '../runs/name-conflicts.ts';
import { collectionRecord } from './catalog-collections.ts';
import type { CatalogTables } from './catalog-tables.ts';

/** A page of Collections. */
export function listCollections({ items }: CatalogTables, request: CollectionRequest): CollectionPage {
  const rows = [...items.values()];
  const counts = new Map<string, number>();
  for (const { item } of rows) {
    const parts = item.collectionPath.split('/');
    for (let level = 1; level <= parts.length; level++) {
      const path = parts.slice(0, level).join('/');
      counts.set(path, (counts.get(path) ?? 0) + (level === parts.length ? 1 : 0));
    }
  }
  const facts = [...counts].map(([path, itemCount]): CollectionFacts => ({
    path,
    itemCount,
    extent: collectionRecord(rows, path)?.extent ?? null,
  }));
  const { page, ...rest } = pageOfCollections(facts.filter(isListed(request)), request);
  const collections = page.map(({ path, itemCount }) => {
    const record = collectionRecord(rows, path);
    if (record === undefined) throw new Error(`Collection ${path} vanished while it was listed`);
    return { ...record, id: idOfPath(path), itemCount };
  });
  return { collections, ...rest };
}

/** Path of the Collection of this id. */
export function pathOfCollection({ items }: CatalogTables, id: string): string | undefined {
  for (const { item } of items.values()) {
    const parts = item.collectionPath.split('/');
    const paths = parts.map((_, level) => parts.slice(0, level + 1).join('/'));
    const found = paths.find((path) => idOfPath(path) === id);
    if (found !== undefined) return found;
  }
  return undefined;
}
