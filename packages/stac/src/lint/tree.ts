import type { Finding } from '../errors.ts';
import { isList, isObject, isText, type JsonObject } from '../json.ts';
import { at } from '../validate/report.ts';

/** A tree of STAC documents on any storage. Addresses are absolute URLs (`https:`, `file:`). */
export interface Tree {
  /** Address of the root. */
  readonly root: string;
  /** Parses the document at an address; undefined if there is none. A rejection counts as a missing document. */
  readonly read: (href: string) => Promise<unknown>;
  /** Address of a document after redirects; links are relative to this address. Default: the requested address. */
  readonly foundAt?: (href: string) => string;
  /** Addresses of all documents, if known. Unlinked documents are reported as orphans. */
  readonly documents?: readonly string[];
  /** Limit of documents; default 100,000. The root is always read. */
  readonly mostDocuments?: number;
}

/** A finding about a tree. */
export interface TreeFinding extends Finding {
  /** Address of the document with the fault. */
  readonly document: string;
}

/** A document at its place in the tree. */
export interface TreeNode {
  readonly href: string;
  readonly document: JsonObject;
  /** Parent; undefined for the root. */
  readonly above: TreeNode | undefined;
  /** Number of ancestors. */
  readonly depth: number;
  /** Address of the root. */
  readonly root: string;
  /** Nearest Collection above. */
  readonly collection: TreeNode | undefined;
}

/** A link with its absolute address. */
export interface TreeLink {
  readonly pointer: string;
  readonly rel: string;
  readonly href: string;
  readonly title: unknown;
}

/** Absolute address without fragment, for comparisons. Undefined if invalid. */
export function addressOf(href: string, base?: string): string | undefined {
  if (!URL.canParse(href, base)) return undefined;
  const url = new URL(href, base);
  url.hash = '';
  return url.href;
}

/** Creates a node. Its Collection comes from its parent, because a recursive search could overflow the stack. */
export function placeNode(href: string, document: JsonObject, above?: TreeNode): TreeNode {
  if (above === undefined) return { href, document, above, depth: 0, root: href, collection: undefined };
  const collection = above.document['type'] === 'Collection' ? above : above.collection;
  return { href, document, above, depth: above.depth + 1, root: above.root, collection };
}

/** Links with a rel and a valid address. `unresolvedLinksOf` returns the links without a valid address. */
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

/** Links with a rel but without a valid address. */
export function unresolvedLinksOf({ href: base, document }: Pick<TreeNode, 'href' | 'document'>): UnresolvedLink[] {
  const links = isList(document['links']) ? document['links'] : [];
  return links.flatMap((link, index) => {
    if (!isObject(link) || !isText(link['rel'])) return [];
    const { rel, href } = link;
    const isAddress = isText(href) && addressOf(href, base) !== undefined;
    return isAddress ? [] : [{ pointer: at('/links', index), rel, href }];
  });
}

/** True if only a link `items` leads to the Items. The linter does not read the pages behind this link. */
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

/** Title of a document; an Item has the title in its properties. */
export function titleOf(document: JsonObject): unknown {
  const { properties, title } = document;
  return document['type'] === 'Feature' && isObject(properties) ? properties['title'] : title;
}

/** Title for a link: the document's title or id. */
export function linkTitleOf(document: JsonObject): string {
  const title = titleOf(document);
  return typeof title === 'string' && title.trim() !== '' ? title : String(document['id']);
}
