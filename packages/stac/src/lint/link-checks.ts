import { isObject, isText, type JsonObject } from '../json.ts';
import { brief } from '../brief.ts';
import type { Report } from '../validate/report.ts';
import { hasItemsOnPagesOnly, unresolvedLinksOf, titleOf, type TreeLink, type TreeNode } from './tree.ts';

const NODES = ['Catalog', 'Collection'];

/** Allowed types of the target of each relation in the tree. */
const TARGETS: Readonly<Record<string, readonly string[]>> = {
  root: NODES,
  parent: NODES,
  child: NODES,
  item: ['Feature'],
  collection: ['Collection'],
};

/** True for a link within the tree. Links with other relations (licence, sources) lead out of the tree. */
export function isTreeLink({ rel }: Pick<TreeLink, 'rel'>): boolean {
  return Object.hasOwn(TARGETS, rel);
}

/** True for a document that can be the root of a tree. */
export function isNode(document: JsonObject | string): document is JsonObject {
  return isObject(document) && NODES.some((type) => type === document['type']);
}

/**
 * Returns the target of a link if it is a document of the right type; otherwise reports a finding and returns
 * undefined. A `target` that is a text is the reason why the document is missing.
 */
export function checkTarget(report: Report, link: TreeLink, target: JsonObject | string): JsonObject | undefined {
  const types = TARGETS[link.rel] ?? [];
  const type = isObject(target) ? target['type'] : undefined;
  if (!isObject(target) || typeof type !== 'string' || !types.includes(type)) {
    report.add(`${link.pointer}/href`, {
      rule: isObject(target) ? 'tree.target-type' : 'tree.target-missing',
      got: isObject(target) ? type : target,
      expected: `a ${types.join(' or ')} at the target of rel ${link.rel}`,
      fix: 'correct the link, or publish its target',
      source: 'stac',
    });
    return undefined;
  }
  checkTitle(report, link, target);
  return target;
}

/** Checks that a link's title equals the title of its target. */
function checkTitle(report: Report, link: TreeLink, target: JsonObject): void {
  const title = titleOf(target);
  if (!isText(link.title) || !isText(title) || link.title === title) return;
  report.add(`${link.pointer}/title`, {
    rule: 'tree.title',
    // For a self link the severity is only `info`: a client that follows a self link already has the title, and OGC API
    // servers write "This document" as the title.
    severity: link.rel === 'self' ? 'info' : 'warning',
    got: link.title,
    expected: title,
    fix: "write the target's own title",
    source: 'headwater',
  });
}

/**
 * Reports links of the tree without a valid address. Without this report, their targets would remain unread without a
 * finding.
 */
export function checkAddresses(report: Report, node: TreeNode): void {
  for (const { pointer, rel, href } of unresolvedLinksOf(node).filter(isTreeLink)) {
    report.add(pointer, {
      rule: 'tree.target-missing',
      got: href,
      expected: `the address of a ${(TARGETS[rel] ?? []).join(' or ')}`,
      fix: URL.canParse(node.href) ? 'correct the link' : 'pass an absolute address of the root, and correct the link',
      source: 'stac',
    });
  }
}

/** Checks that the member `collection` of an Item is the id of the linked Collection. */
export function checkCollectionId(report: Report, node: TreeNode, collection: JsonObject): void {
  if (node.document['collection'] === collection['id']) return;
  report.add('/collection', {
    rule: 'tree.collection-id',
    got: node.document['collection'],
    expected: brief(collection['id']),
    fix: 'write the id of the linked Collection',
    source: 'stac',
  });
}

/** Checks that an Item links to the Collection that has it as a member. */
export function checkCollectionLink(report: Report, node: TreeNode, link: TreeLink): void {
  const { collection, document } = node;
  if (document['type'] !== 'Feature' || collection === undefined || link.href === collection.href) return;
  report.add(`${link.pointer}/href`, {
    rule: 'tree.collection',
    got: link.href,
    expected: `${collection.href}, the Collection that links to this Item`,
    fix: 'link Collection and Item to each other',
    source: 'stac',
  });
}

/** Checks that an Item below a Collection has a link to this Collection. */
export function checkCollectionMissing(report: Report, node: TreeNode, links: readonly TreeLink[]): void {
  const { collection, document } = node;
  if (document['type'] !== 'Feature' || collection === undefined) return;
  if (links.some(({ rel }) => rel === 'collection')) return;
  report.add('/links', {
    rule: 'tree.collection-missing',
    got: 'no link of rel collection',
    expected: `a link to ${collection.href}, the Collection that links to this Item`,
    fix: 'link Collection and Item to each other',
    source: 'stac',
  });
}

/**
 * Checks that all root, parent and self links of a node agree with the node's place in the tree. If there are several
 * links of a relation, each link is checked, because clients may use any of them.
 */
export function checkUpwardLinks(report: Report, node: TreeNode, links: readonly TreeLink[]): void {
  const source = 'stac';
  for (const root of allOrNone(links, 'root')) {
    if (root?.href === node.root) continue;
    const fix = 'link every document to the same root';
    report.add(placeOf(root), { rule: 'tree.root', got: root?.href, expected: node.root, fix, source });
  }
  for (const parent of allOrNone(links, 'parent')) {
    if (parent?.href === node.above?.href) continue;
    const expected = node.above?.href ?? 'no parent: this is the root';
    const fix = 'link parent and child to each other';
    report.add(placeOf(parent), { rule: 'tree.parent', got: parent?.href, expected, fix, source });
  }
  for (const self of links.filter(({ rel }) => rel === 'self')) {
    checkTitle(report, self, node.document);
    if (self.href === node.href) continue;
    const fix = 'write the address that the document is read from';
    const [got, expected, severity] = [self.href, node.href, 'warning'] as const;
    report.add(placeOf(self), { rule: 'tree.self', severity, got, expected, fix, source });
  }
}

/**
 * Reports a node whose Items are only on pages. The report shows that these Items were not checked, because the pages
 * were not read.
 */
export function reportUnreadItems(report: Report, { document }: TreeNode, links: readonly TreeLink[]): void {
  if (!hasItemsOnPagesOnly(document, links)) return;
  report.add('/links', {
    rule: 'tree.items-unread',
    severity: 'info',
    got: 'Items only on pages (rel items)',
    expected: 'a link of rel item to each Item; Items on the pages of rel items were not checked',
    fix: 'validate the pages, or lint a tree that links to its Items',
    source: 'headwater',
  });
}

/**
 * The links of a relation; a list with one `undefined` if there is no such link, so that the missing link is reported.
 */
function allOrNone(links: readonly TreeLink[], rel: string): readonly (TreeLink | undefined)[] {
  const found = links.filter((link) => link.rel === rel);
  return found.length === 0 ? [undefined] : found;
}

function placeOf(link: TreeLink | undefined): string {
  return link === undefined ? '/links' : `${link.pointer}/href`;
}
