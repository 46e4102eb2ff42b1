import type { Finding } from '../errors.ts';
import { isList, isObject, isText, type JsonObject } from '../json.ts';
import { at } from '../validate/report.ts';

/** A tree of STAC documents, wherever it lies: files, a server, memory. Addresses are absolute URLs (`https:`, `file:`). */
export interface Tree {
  /** Address of the root catalogue. */
  readonly root: string;
  /** The parsed document at an address; undefined where there is none. May reject: that is told as a target that is not there. */
  readonly read: (href: string) => Promise<unknown>;
  /**
   * The address at which a document that was read lies, where that is another than the one asked for (a redirect): what its links
   * lead to, and what others call it, goes by that one.
   */
  readonly foundAt?: (href: string) => string;
  /** Addresses of all documents that there are, for trees that can be listed: those that no link leads to are orphans. */
  readonly documents?: readonly string[];
  /** How many documents are read at most, the root always; 100,000 unless given. */
  readonly mostDocuments?: number;
}

/** A fault of a tree, in the document at `document`. */
export interface TreeFinding extends Finding {
  /** Address of the document that `pointer` leads into. */
  readonly document: string;
}

/** A document at its place in the tree. */
export interface TreeNode {
  readonly href: string;
  readonly document: JsonObject;
  /** The node whose `child` or `item` link led here; the root has none. */
  readonly above: TreeNode | undefined;
  /** How many nodes are above. */
  readonly depth: number;
  /** Address of the root. */
  readonly root: string;
  /** The nearest Collection above. */
  readonly collection: TreeNode | undefined;
}

/** A link with its address made absolute. */
export interface TreeLink {
  readonly pointer: string;
  readonly rel: string;
  readonly href: string;
  readonly title: unknown;
}

/** The address without its fragment, as it is compared; undefined when it is none, even beside `base`. */
export function addressOf(href: string, base?: string): string | undefined {
  if (!URL.canParse(href, base)) return undefined;
  const url = new URL(href, base);
  url.hash = '';
  return url.href;
}

/** The node of a document. What it needs of the nodes above it is taken from the nearest: a tree may be deeper than calls may. */
export function placeNode(href: string, document: JsonObject, above?: TreeNode): TreeNode {
  if (above === undefined) return { href, document, above, depth: 0, root: href, collection: undefined };
  const collection = above.document['type'] === 'Collection' ? above : above.collection;
  return { href, document, above, depth: above.depth + 1, root: above.root, collection };
}

/** The links of a document that hold a rel and an address; the others are told by the validator. */
export function linksOf({ href: base, document }: Pick<TreeNode, 'href' | 'document'>): TreeLink[] {
  const links = isList(document['links']) ? document['links'] : [];
  return links.flatMap((link, index) => {
    if (!isObject(link) || !isText(link['rel']) || !isText(link['href'])) return [];
    const href = addressOf(link['href'], base);
    return href === undefined ? [] : [{ pointer: at('/links', index), rel: link['rel'], href, title: link['title'] }];
  });
}

/** A link that says what it leads to, and no address of it. */
export type LostLink = Pick<TreeLink, 'pointer' | 'rel'> & { readonly href: unknown };

/** The links of a document that hold a rel, but nothing that is an address there: whoever walks a tree by `linksOf` does not see them. */
export function lostLinksOf({ href: base, document }: Pick<TreeNode, 'href' | 'document'>): LostLink[] {
  const links = isList(document['links']) ? document['links'] : [];
  return links.flatMap((link, index) => {
    if (!isObject(link) || !isText(link['rel'])) return [];
    const { rel, href } = link;
    const isAddress = isText(href) && addressOf(href, base) !== undefined;
    return isAddress ? [] : [{ pointer: at('/links', index), rel, href }];
  });
}

/** True where a server lists the Items of a node by pages (`items`) and no link leads down from it: walks of a tree do not come to them. */
export function hasItemsBesideTree({ type }: JsonObject, links: readonly Pick<TreeLink, 'rel'>[]): boolean {
  if (type === 'Feature') return false;
  const rels = new Set(links.map(({ rel }) => rel));
  return rels.has('items') && !rels.has('item') && !rels.has('child');
}

/** Where a document that was read lies. */
export function foundAt({ foundAt: found }: Pick<Tree, 'foundAt'>, href: string): string {
  const at = found?.(href) ?? href;
  return addressOf(at) ?? at;
}

/** The title that a document shows: an Item's stands in its properties. */
export function titleOf(document: JsonObject): unknown {
  const { properties, title } = document;
  return document['type'] === 'Feature' && isObject(properties) ? properties['title'] : title;
}

/** What links call a document: its title, or where it has none its id. */
export function linkTitleOf(document: JsonObject): string {
  const title = titleOf(document);
  return typeof title === 'string' && title.trim() !== '' ? title : String(document['id']);
}
