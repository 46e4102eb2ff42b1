import { foundAt, hasItemsOnPagesOnly, isObject, linksOf } from '@headwater/stac';
import type { DocumentTree } from './walk.ts';

/** A tree that reports unread Items. */
export interface ObservedTree {
  readonly tree: DocumentTree;
  /** Message about Items that the walk does not reach, because they are only on pages. Empty without such Items. */
  lines(): readonly string[];
}

const MOST_NAMED = 10;

/** Finds Collections whose Items a server lists only on pages (rel `items`), because the walk does not read pages. */
export function observeUnreadItems(tree: DocumentTree): ObservedTree {
  const unread = new Set<string>();
  const read = async (href: string): Promise<unknown> => {
    const document = await tree.read(href);
    if (isObject(document) && hasItemsOnPagesOnly(document, linksOf({ href, document })))
      unread.add(String(document['id']));
    return document;
  };
  return {
    tree: { root: tree.root, read, foundAt: (href) => foundAt(tree, href) },
    lines() {
      if (unread.size === 0) return [];
      const named = [...unread]
        .sort()
        .slice(0, MOST_NAMED)
        .map((id) => JSON.stringify(id));
      const names = unread.size > named.length ? [...named, '..'] : named;
      const count = `${String(unread.size)} Collection${unread.size === 1 ? '' : 's'}`;
      return [
        `the export lacks the Items of ${count}, which have pages of Items (rel items) and no item links: ${names.join(', ')}. Add item links to export these Items too`,
      ];
    },
  };
}
