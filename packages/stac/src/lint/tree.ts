import type { Finding } from '../errors.ts';
import { isList, isObject, isText, type JsonObject } from '../json.ts';
import { at } from '../validate/report.ts';

/**
 * A tree of STAC documents on any storage, such as files, a server or memory. Addresses are absolute URLs (`https:`,
 * `file:`).
 */
export interface Tree {
  /** Address of the root catalogue. */
  readonly root: string;
  /**
   * The parsed document at an address; undefined if there is no document. If the promise rejects, the document is reported as
   * missing.
   */
  readonly read: (href: string) => Promise<unknown>;
  /**
   * Address of a read document after redirects; the requested address if there was no redirect. Links of the document
   * are resolved against this address, and links of other documents are compared with it.
   */
  readonly foundAt?: (href: string) => string;
  /**
   * Addresses of all documents, for trees that can be listed. Documents to which no link leads are reported as orphans.
   */
  readonly documents?: readonly string[];
  /** Maximum number of documents; the root is always read. Default 100,000. */
  readonly mostDocuments?: number;
}

/** A finding about a tree. `document` is the document that has the fault. */
export interface TreeFinding extends Finding {
  /** Address of the document that contains `pointer`. */
  readonly document: string;
}

/** A document at its place in the tree. */
export interface TreeNode {
  readonly href: string;
  readonly document: JsonObject;
  /** The parent: the node with the `child` or `item` link to this node; undefined for the root. */
  readonly above: TreeNode | undefined;
  /** Number of ancestors. */
  readonly depth: number;
  /** Address of the root. */
  readonly root: string;
  /** The nearest Collection above this node. */
  readonly collection: TreeNode | undefined;
}

/** A link with its absolute address. */
export interface TreeLink {
  readonly pointer: string;
  readonly rel: string;
  readonly href: string;
  readonly title: unknown;
}

/**
 * The absolute address without its fragment, for comparisons. Undefined if the address is invalid, also after it was
 * resolved against `base`.
 */
export function addressOf(href: string, base?: string): string | undefined {
  if (!URL.canParse(href, base)) return undefined;
  const url = new URL(href, base);
  url.hash = '';
  return url.href;
}

/**
 * Creates the node of a document. Depth, root and Collection are derived from the parent only: a recursive search of all ancestors
 * could overflow the call stack.
 */
export function placeNode(href: string, document: JsonObject, above?: TreeNode): TreeNode {
  if (above === undefined) return { href, document, above, depth: 0, root: href, collection: undefined };
  const collection = above.document['type'] === 'Collection' ? above : above.collection;
  return { href, document, above, depth: above.depth + 1, root: above.root, collection };
}

/** The links of a document that have a rel and a valid address. The validator reports the other links. */
export function linksOf({ href: base, document }: Pick<TreeNode, 'href' | 'document'>): TreeLink[] {
  const links = isList(document['links']) ? document['links'] : [];
  return links.flatMap((link, index) => {
    if (!isObject(link) || !isText(link['rel']) || !isText(link['href'])) return [];
    const href = addressOf(link['href'], base);
    return href === undefined ? [] : [{ pointer: at('/links', index), rel: link['rel'], href, title: link['title'] }];
  });
}

/** A link without a valid address. */
export type UnresolvedLink = Pick<TreeLink, 'pointer' | 'rel'> & { readonly href: unknown };

/** The links of a document that have a rel but no valid address. `linksOf` leaves them out. */
export function unresolvedLinksOf({ href: base, document }: Pick<TreeNode, 'href' | 'document'>): UnresolvedLink[] {
  const links = isList(document['links']) ? document['links'] : [];
  return links.flatMap((link, index) => {
    if (!isObject(link) || !isText(link['rel'])) return [];
    const { rel, href } = link;
    const isAddress = isText(href) && addressOf(href, base) !== undefined;
    return isAddress ? [] : [{ pointer: at('/links', index), rel, href }];
  });
}

/**
 * True if the Items of a document are only on the pages of its link `items`. Such a document has no link to a single
 * Item or to a child, so its Items cannot be reached by following links.
 */
export function hasItemsOnPagesOnly({ type }: JsonObject, links: readonly Pick<TreeLink, 'rel'>[]): boolean {
  if (type === 'Feature') return false;
  const rels = new Set(links.map(({ rel }) => rel));
  return rels.has('items') && !rels.has('item') && !rels.has('child');
}

/** Address of a read document, after redirects. */
export function foundAt({ foundAt: found }: Pick<Tree, 'foundAt'>, href: string): string {
  const at = found?.(href) ?? href;
  return addressOf(at) ?? at;
}

/** Title of a document. An Item has its title in its properties. */
export function titleOf(document: JsonObject): unknown {
  const { properties, title } = document;
  return document['type'] === 'Feature' && isObject(properties) ? properties['title'] : title;
}

/** Title for a link to a document: the document's title, or its id if the document has no title. */
export function linkTitleOf(document: JsonObject): string {
  const title = titleOf(document);
  return typeof title === 'string' && title.trim() !== '' ? title : String(document['id']);
}
