import { isObject, isText, type JsonObject } from '../json.ts';
import { brief } from '../brief.ts';
import type { Report } from '../validate/report.ts';
import { hasItemsBesideTree, lostLinksOf, titleOf, type TreeLink, type TreeNode } from './tree.ts';

const NODES = ['Catalog', 'Collection'];

/** What the target of each relation of the tree must be. */
const TARGETS: Readonly<Record<string, readonly string[]>> = {
  root: NODES,
  parent: NODES,
  child: NODES,
  item: ['Feature'],
  collection: ['Collection'],
};

/** True for a link that belongs to the tree; others (licence, sources) lead out of it. */
export function isOfTree({ rel }: Pick<TreeLink, 'rel'>): boolean {
  return Object.hasOwn(TARGETS, rel);
}

/** True for a document that can be the root of a tree. */
export function isNode(document: JsonObject | string): document is JsonObject {
  return isObject(document) && NODES.some((type) => type === document['type']);
}

/** The document that a link leads to, if it is one of the right type; else (a text says why there is none) the fault is told. */
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

/** A link calls its target what that calls itself. */
function checkTitle(report: Report, link: TreeLink, target: JsonObject): void {
  const title = titleOf(target);
  if (!isText(link.title) || !isText(title) || link.title === title) return;
  report.add(`${link.pointer}/title`, {
    rule: 'tree.title',
    // Who reads a self link has the title already, and servers of OGC APIs write "This document" there.
    severity: link.rel === 'self' ? 'info' : 'warning',
    got: link.title,
    expected: title,
    fix: "write the target's own title",
    source: 'headwater',
  });
}

/** A link of the tree without an address leads to nothing: what should lie there would be missed without a word. */
export function checkAddresses(report: Report, node: TreeNode): void {
  for (const { pointer, rel, href } of lostLinksOf(node).filter(isOfTree)) {
    report.add(pointer, {
      rule: 'tree.target-missing',
      got: href,
      expected: `an address, at which a ${(TARGETS[rel] ?? []).join(' or ')} lies`,
      fix: URL.canParse(node.href) ? 'correct the link' : 'give the root by an absolute address, and correct the link',
      source: 'stac',
    });
  }
}

/** An Item names the id of the Collection that its link leads to. */
export function checkCollectionId(report: Report, node: TreeNode, collection: JsonObject): void {
  if (node.document['collection'] === collection['id']) return;
  report.add('/collection', {
    rule: 'tree.collection-id',
    got: node.document['collection'],
    expected: brief(collection['id']),
    fix: 'write the id of the Collection that the link leads to',
    source: 'stac',
  });
}

/** The Collection that an Item leads to is the one that leads down to it. */
export function checkCollectionLink(report: Report, node: TreeNode, link: TreeLink): void {
  const { collection, document } = node;
  if (document['type'] !== 'Feature' || collection === undefined || link.href === collection.href) return;
  report.add(`${link.pointer}/href`, {
    rule: 'tree.collection',
    got: link.href,
    expected: `${collection.href}, the Collection that leads down to this Item`,
    fix: 'let Collection and Item lead to each other',
    source: 'stac',
  });
}

/** An Item below a Collection leads to it. */
export function checkCollectionMissing(report: Report, node: TreeNode, links: readonly TreeLink[]): void {
  const { collection, document } = node;
  if (document['type'] !== 'Feature' || collection === undefined) return;
  if (links.some(({ rel }) => rel === 'collection')) return;
  report.add('/links', {
    rule: 'tree.collection-missing',
    got: 'no link of rel collection',
    expected: `one to ${collection.href}, the Collection that leads down to this Item`,
    fix: 'let Collection and Item lead to each other',
    source: 'stac',
  });
}

/** Root, parent and self of a node lead to where the walk came from: all that there are, for clients take any. */
export function checkWayBack(report: Report, node: TreeNode, links: readonly TreeLink[]): void {
  const source = 'stac';
  for (const root of allOrNone(links, 'root')) {
    if (root?.href === node.root) continue;
    const fix = 'let every document lead to the one root';
    report.add(placeOf(root), { rule: 'tree.root', got: root?.href, expected: node.root, fix, source });
  }
  for (const parent of allOrNone(links, 'parent')) {
    if (parent?.href === node.above?.href) continue;
    const expected = node.above?.href ?? 'no parent: this is the root';
    const fix = 'let parent and child lead to each other';
    report.add(placeOf(parent), { rule: 'tree.parent', got: parent?.href, expected, fix, source });
  }
  for (const self of links.filter(({ rel }) => rel === 'self')) {
    checkTitle(report, self, node.document);
    if (self.href === node.href) continue;
    const fix = 'write the address at which it is read';
    const [got, expected, severity] = [self.href, node.href, 'warning'] as const;
    report.add(placeOf(self), { rule: 'tree.self', severity, got, expected, fix, source });
  }
}

/** What lies beside the tree is not looked at, which is told: nobody must take it for sound. */
export function tellItemsBeside(report: Report, { document }: TreeNode, links: readonly TreeLink[]): void {
  if (!hasItemsBesideTree(document, links)) return;
  report.add('/links', {
    rule: 'tree.items-unread',
    severity: 'info',
    got: 'Items behind a link of rel items only',
    expected: 'a link of rel item to each; those on the pages of items were not looked at',
    fix: 'validate the pages, or lint a tree that leads down to its Items',
    source: 'headwater',
  });
}

/** The links of a relation; where there are none, one that is missing. */
function allOrNone(links: readonly TreeLink[], rel: string): readonly (TreeLink | undefined)[] {
  const found = links.filter((link) => link.rel === rel);
  return found.length === 0 ? [undefined] : found;
}

function placeOf(link: TreeLink | undefined): string {
  return link === undefined ? '/links' : `${link.pointer}/href`;
}
