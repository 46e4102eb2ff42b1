import { foundAt, hasItemsBesideTree, isObject, linksOf } from '@headwater/stac';
import type { DocumentTree } from './walk.ts';

/** A tree, and what is to be told of it once it was read. */
export interface NotedTree {
  readonly tree: DocumentTree;
  /** A line for people where there are Items that no walk of the tree comes to; none otherwise. */
  told(): readonly string[];
}

/** Collections that are named one by one. */
const MOST_NAMED = 10;

/** The same tree, which notes whose Items a server lists by pages alone: they are not read, and nobody must take them for exported. */
export function notingUnread(tree: DocumentTree): NotedTree {
  const unread = new Set<string>();
  const read = async (href: string): Promise<unknown> => {
    const document = await tree.read(href);
    if (isObject(document) && hasItemsBesideTree(document, linksOf({ href, document })))
      unread.add(String(document['id']));
    return document;
  };
  return {
    tree: { root: tree.root, read, foundAt: (href) => foundAt(tree, href) },
    told() {
      if (unread.size === 0) return [];
      const named = [...unread]
        .sort()
        .slice(0, MOST_NAMED)
        .map((id) => JSON.stringify(id));
      const names = unread.size > named.length ? [...named, '..'] : named;
      const count = `${String(unread.size)} Collection${unread.size === 1 ? '' : 's'}`;
      return [
        `without the Items of ${count}, for no item links lead to them, only pages (rel items): ${names.join(', ')}`,
      ];
    },
  };
}
