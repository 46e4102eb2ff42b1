import { isObject, isText, type JsonObject } from '../json.ts';
import { brief } from '../brief.ts';
import type { Report } from '../validate/report.ts';
import { hasItemsOnPagesOnly, unresolvedLinksOf, titleOf, type TreeLink, type TreeNode } from './tree.ts';

const NODES = ['Catalog', 'Collection'];

/** Allowed target types by relation. */
const TARGETS: Readonly<Record<string, readonly string[]>> = {
  root: NODES,
  parent: NODES,
  child: NODES,
  item: ['Feature'],
  collection: ['Collection'],
};

/** True for a relation within the tree, such as `child`. */
export function isTreeLink({ rel }: Pick<TreeLink, 'rel'>): boolean {
  return Object.hasOwn(TARGETS, rel);
}

/** True for a document that can be a root. */
export function isNode(document: JsonObject | string): document is JsonObject {
  return isObject(document) && NODES.some((type) => type === document['type']);
}

/**
 * Returns a target of the right type; otherwise reports a finding. A text as `target` is the reason why there is no
 * document.
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

function checkTitle(report: Report, link: TreeLink, target: JsonObject): void {
  const title = titleOf(target);
  if (!isText(link.title) || !isText(title) || link.title === title) return;
  report.add(`${link.pointer}/title`, {
    rule: 'tree.title',
    // For a self link only `info`, because it needs no title, and OGC API servers write the title "This document".
    severity: link.rel === 'self' ? 'info' : 'warning',
    got: link.title,
    expected: title,
    fix: "write the target's own title",
    source: 'headwater',
  });
}

/** Reports links of the tree without a valid address, because the other checks of the linter skip these links. */
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

/** Checks an Item's member `collection`. */
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

/** Checks that a `collection` link of an Item leads to the nearest Collection above the Item. */
export function checkCollectionLink(report: Report, node: TreeNode, link: TreeLink): void {
  const { collection, document } = node;
  if (document['type'] !== 'Feature' || collection === undefined || link.href === collection.href) return;
  report.add(`${link.pointer}/href`, {
    rule: 'tree.collection',
    got: link.href,
    expected: `${collection.href}, the nearest Collection above this Item`,
    fix: 'link Collection and Item to each other',
    source: 'stac',
  });
}

/** Reports an Item without a link to the Collection above. */
export function checkCollectionMissing(report: Report, node: TreeNode, links: readonly TreeLink[]): void {
  const { collection, document } = node;
  if (document['type'] !== 'Feature' || collection === undefined) return;
  if (links.some(({ rel }) => rel === 'collection')) return;
  report.add('/links', {
    rule: 'tree.collection-missing',
    got: 'no link of rel collection',
    expected: `a link to ${collection.href}, the nearest Collection above this Item`,
    fix: 'link Collection and Item to each other',
    source: 'stac',
  });
}

/** Checks all root, parent and self links, because clients may use any of them. */
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

/** Reports that the Items behind a link `items` were not checked. */
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
 * Returns the links of a relation. If there are none, returns one `undefined`, so that the caller also compares a
 * missing link.
 */
function allOrNone(links: readonly TreeLink[], rel: string): readonly (TreeLink | undefined)[] {
  const found = links.filter((link) => link.rel === rel);
  return found.length === 0 ? [undefined] : found;
}

function placeOf(link: TreeLink | undefined): string {
  return link === undefined ? '/links' : `${link.pointer}/href`;
}
