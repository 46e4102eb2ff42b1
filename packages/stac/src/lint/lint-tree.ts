import { isObject, isText, type JsonObject } from '../json.ts';
import { Report } from '../validate/report.ts';
import { checkEnclosed } from './enclose.ts';
import {
  checkAddresses,
  checkCollectionId,
  checkCollectionLink,
  checkCollectionMissing,
  checkTarget,
  checkWayBack,
  isNode,
  isOfTree,
  tellItemsBeside,
} from './link-checks.ts';
import {
  addressOf,
  foundAt,
  linksOf,
  placeNode,
  type Tree,
  type TreeFinding,
  type TreeLink,
  type TreeNode,
} from './tree.ts';

/** How many documents are read unless the caller says otherwise: all are kept in memory. */
const MOST_DOCUMENTS = 100_000;

/**
 * The faults of a whole tree, from its root down: every root, parent, child, item and collection link leads to a document
 * of the right type, with its title; parents and children lead to each other; there is one root; ids are unique beside
 * each other, those of Collections in the whole tree, those of Items in their Collection; extents enclose what is below; no document is its own ancestor, has two parents, or (where `documents` lists
 * them) is led to by nobody. What is wrong within one document `validate` tells. Reads one document at a time, each once,
 * and keeps all in memory; where there are more than `mostDocuments` it ends, and tells it. Does not reject.
 */
export async function lintTree(tree: Tree): Promise<TreeFinding[]> {
  const walk = new Walk(tree);
  const href = addressOf(tree.root) ?? tree.root;
  const document = await walk.read(href);
  if (isNode(document)) await walk.from(placeNode(walk.at(href), document));
  else walk.tell(href, rootMissing(document));
  if (walk.isCutShort) return walk.findings;
  for (const each of tree.documents ?? []) {
    const known = addressOf(each) ?? each;
    if (!walk.placed.has(known)) walk.tell(known, orphan());
  }
  return walk.findings;
}

class Walk {
  readonly findings: TreeFinding[] = [];
  readonly placed = new Map<string, TreeNode>();
  /** True once there was a document more than may be read. */
  isCutShort = false;
  readonly #tree: Tree;
  readonly #most: number;
  readonly #documents = new Map<string, JsonObject | string>();
  /** Where what has an id of its own in more than its neighbourhood lies, by `scopedId`. */
  readonly #ids = new Map<string, string>();
  /** The node that is looked at, after those above it. */
  readonly #path: TreeNode[] = [];

  constructor(tree: Tree) {
    this.#tree = tree;
    this.#most = tree.mostDocuments ?? MOST_DOCUMENTS;
  }

  /** Where a document lies: once it is read, the address at which it was found. */
  at(href: string): string {
    return foundAt(this.#tree, href);
  }

  /** The document at an address, or why there is none. */
  async read(href: string): Promise<JsonObject | string> {
    const known = this.#documents.get(this.at(href)) ?? (await this.#ask(href));
    this.#documents.set(this.at(href), known);
    return known;
  }

  async #ask(href: string): Promise<JsonObject | string> {
    try {
      const document = await this.#tree.read(href);
      return isObject(document) ? document : `no document at ${href}`;
    } catch (error) {
      return String(error);
    }
  }

  tell(document: string, report: Report): void {
    for (const finding of report.findings) this.findings.push({ ...finding, document });
  }

  /** Looks at all nodes from the root down, each before those below it. */
  async from(root: TreeNode): Promise<void> {
    this.placed.set(root.href, root);
    const own = scopedId(root);
    if (own !== undefined) this.#ids.set(own, root.href);
    const open = [root];
    for (let node = open.pop(); node !== undefined && !this.isCutShort; node = open.pop()) {
      this.#path.length = node.depth;
      this.#path.push(node);
      for (const { child } of (await this.#visit(node)).toReversed()) open.push(child);
    }
  }

  async #visit(node: TreeNode): Promise<Below[]> {
    const report = new Report({});
    const links = linksOf(node).map((link) => this.#placed(link));
    checkAddresses(report, node);
    checkWayBack(report, node, links);
    checkCollectionMissing(report, node, links);
    checkEnclosed(report, node);
    tellItemsBeside(report, node, links);
    const below = await this.#follow(report, node, links.filter(isOfTree));
    checkIds(report, below, this.#ids);
    this.tell(node.href, report);
    return below;
  }

  /** Reads the targets of a node's links; the nodes that it is the first to lead down to. */
  async #follow(report: Report, node: TreeNode, links: readonly TreeLink[]): Promise<Below[]> {
    const below: Below[] = [];
    for (const asked of links) {
      // Asked so that a limit that is no number allows nothing.
      if (!this.#documents.has(this.at(asked.href)) && !(this.#documents.size < this.#most)) {
        this.isCutShort = true;
        tellCutShort(report, asked, this.#most);
        break;
      }
      const document = checkTarget(report, asked, await this.read(asked.href));
      if (document === undefined) continue;
      const link = this.#placed(asked);
      if (link.rel === 'collection') {
        checkCollectionId(report, node, document);
        checkCollectionLink(report, node, link);
      }
      if (link.rel !== 'child' && link.rel !== 'item') continue;
      const known = this.placed.get(link.href);
      if (known === undefined) below.push(this.#place(link, document, node));
      else tellSecond(report, link, this.#path[known.depth] === known);
    }
    return below;
  }

  /** A link to where its target lies. */
  #placed(link: TreeLink): TreeLink {
    return { ...link, href: this.at(link.href) };
  }

  #place(link: TreeLink, document: JsonObject, above: TreeNode): Below {
    const child = placeNode(link.href, document, above);
    this.placed.set(child.href, child);
    return { link, child };
  }
}

interface Below {
  readonly link: TreeLink;
  readonly child: TreeNode;
}

function tellSecond(report: Report, link: TreeLink, isCycle: boolean): void {
  report.add(`${link.pointer}/href`, {
    rule: isCycle ? 'tree.cycle' : 'tree.second-parent',
    got: link.href,
    expected: isCycle ? 'a document that is not above this one' : 'a document that no other link leads down to',
    fix: 'drop the link',
    source: 'stac',
  });
}

function tellCutShort(report: Report, link: TreeLink, most: number): void {
  report.add(`${link.pointer}/href`, {
    rule: 'tree.most-documents',
    got: link.href,
    expected: `a tree of at most ${String(most)} documents; this one and those after it were not looked at`,
    fix: 'give a greater mostDocuments, or lint the tree in parts',
    source: 'headwater',
  });
}

/** An id with what it is unique in: that of a Collection in the whole tree, that of an Item in its Collection. Others: beside each other. */
function scopedId({ document: { id, type }, collection }: TreeNode): string | undefined {
  if (!isText(id)) return undefined;
  if (type === 'Collection') return `Collection ${id}`;
  return type === 'Feature' && collection !== undefined ? `${collection.href} ${id}` : undefined;
}

/** Ids that are no texts are told by the validator. Those with a scope are compared with all that there were before. */
function checkIds(report: Report, below: readonly Below[], ids: Map<string, string>): void {
  const seen = new Set<string>();
  for (const { link, child } of below) {
    const { id, type } = child.document;
    if (!isText(id)) continue;
    const [name, scoped] = [`${String(type === 'Feature')} ${id}`, scopedId(child)];
    const other = scoped === undefined ? undefined : ids.get(scoped);
    if (seen.has(name) || other !== undefined) {
      report.add(link.pointer, {
        rule: 'tree.id-twice',
        got: id,
        expected: other === undefined ? 'an id that no other child or Item here has' : `another id than ${other} has`,
        fix: 'give each its own id',
        source: 'stac',
      });
    }
    seen.add(name);
    if (scoped !== undefined && other === undefined) ids.set(scoped, child.href);
  }
}

function rootMissing(root: JsonObject | string): Report {
  const report = new Report({});
  report.add('', {
    rule: 'tree.root-missing',
    got: isObject(root) ? root['type'] : root,
    expected: 'a Catalog or Collection',
    fix: 'give the address of the root catalogue',
    source: 'stac',
  });
  return report;
}

function orphan(): Report {
  const report = new Report({});
  report.add('', {
    rule: 'tree.orphan',
    got: 'a document that no child or item link leads to',
    expected: 'a place in the tree',
    fix: 'link to it from its parent, or remove it',
    source: 'stac',
  });
  return report;
}
