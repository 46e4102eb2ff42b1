import { isObject, isText, type JsonObject } from '../json.ts';
import { Report } from '../validate/report.ts';
import { checkEnclosed } from './enclose.ts';
import {
  checkAddresses,
  checkCollectionId,
  checkCollectionLink,
  checkCollectionMissing,
  checkTarget,
  checkUpwardLinks,
  isNode,
  isTreeLink,
  reportUnreadItems,
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

/** Default maximum number of documents. There is a limit, because all documents of a tree are kept in memory. */
const MOST_DOCUMENTS = 100_000;

/**
 * Reports faults of a whole tree: links, titles, ids, extents, cycles, orphans. Keeps all documents in memory; never
 * rejects.
 */
export async function lintTree(tree: Tree): Promise<TreeFinding[]> {
  const walk = new Walk(tree);
  const href = addressOf(tree.root) ?? tree.root;
  const document = await walk.read(href);
  if (isNode(document)) await walk.from(placeNode(walk.at(href), document));
  else walk.report(href, rootMissing(document));
  if (walk.isCutShort) return walk.findings;
  for (const each of tree.documents ?? []) {
    const known = addressOf(each) ?? each;
    if (!walk.placed.has(known)) walk.report(known, orphan());
  }
  return walk.findings;
}

class Walk {
  readonly findings: TreeFinding[] = [];
  readonly placed = new Map<string, TreeNode>();
  isCutShort = false;
  readonly #tree: Tree;
  readonly #most: number;
  readonly #documents = new Map<string, JsonObject | string>();
  readonly #ids = new Map<string, string>();
  readonly #path: TreeNode[] = [];

  constructor(tree: Tree) {
    this.#tree = tree;
    this.#most = tree.mostDocuments ?? MOST_DOCUMENTS;
  }

  /** Address of a document, after redirects if the document was read. */
  at(href: string): string {
    return foundAt(this.#tree, href);
  }

  async read(href: string): Promise<JsonObject | string> {
    const known = this.#documents.get(this.at(href)) ?? (await this.#fetch(href));
    this.#documents.set(this.at(href), known);
    return known;
  }

  async #fetch(href: string): Promise<JsonObject | string> {
    try {
      const document = await this.#tree.read(href);
      return isObject(document) ? document : `no document at ${href}`;
    } catch (error) {
      return String(error);
    }
  }

  report(document: string, report: Report): void {
    for (const finding of report.findings) this.findings.push({ ...finding, document });
  }

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
    checkUpwardLinks(report, node, links);
    checkCollectionMissing(report, node, links);
    checkEnclosed(report, node);
    reportUnreadItems(report, node, links);
    const below = await this.#follow(report, node, links.filter(isTreeLink));
    checkIds(report, below, this.#ids);
    this.report(node.href, report);
    return below;
  }

  async #follow(report: Report, node: TreeNode, links: readonly TreeLink[]): Promise<Below[]> {
    const below: Below[] = [];
    for (const requested of links) {
      // The negated condition also stops at a limit of NaN.
      if (!this.#documents.has(this.at(requested.href)) && !(this.#documents.size < this.#most)) {
        this.isCutShort = true;
        reportCutShort(report, requested, this.#most);
        break;
      }
      const document = checkTarget(report, requested, await this.read(requested.href));
      if (document === undefined) continue;
      const link = this.#placed(requested);
      if (link.rel === 'collection') {
        checkCollectionId(report, node, document);
        checkCollectionLink(report, node, link);
      }
      if (link.rel !== 'child' && link.rel !== 'item') continue;
      const known = this.placed.get(link.href);
      if (known === undefined) below.push(this.#place(link, document, node));
      else reportSecondParent(report, link, this.#path[known.depth] === known);
    }
    return below;
  }

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

function reportSecondParent(report: Report, link: TreeLink, isCycle: boolean): void {
  report.add(`${link.pointer}/href`, {
    rule: isCycle ? 'tree.cycle' : 'tree.second-parent',
    got: link.href,
    expected: isCycle ? 'a document that is not an ancestor of this one' : 'a document without another parent',
    fix: 'remove the link',
    source: 'stac',
  });
}

function reportCutShort(report: Report, link: TreeLink, most: number): void {
  report.add(`${link.pointer}/href`, {
    rule: 'tree.most-documents',
    got: link.href,
    expected: `a tree of at most ${String(most)} documents; this one and those after it were not checked`,
    fix: 'set a greater limit (mostDocuments, or --most-documents N of the command), or lint the tree in parts',
    source: 'headwater',
  });
}

/** Id with the scope in which it must be unique: the tree for a Collection, the Collection for an Item. */
function scopedId({ document: { id, type }, collection }: TreeNode): string | undefined {
  if (!isText(id)) return undefined;
  if (type === 'Collection') return `Collection ${id}`;
  return type === 'Feature' && collection !== undefined ? `${collection.href} ${id}` : undefined;
}

/** Reports ids that are not unique among siblings or in their scope. */
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
        expected: other === undefined ? 'an id that no sibling has' : `an id other than the id of ${other}`,
        fix: 'give each document its own id',
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
    fix: 'pass the address of the root catalogue',
    source: 'stac',
  });
  return report;
}

function orphan(): Report {
  const report = new Report({});
  report.add('', {
    rule: 'tree.orphan',
    got: 'a document that no child or item link leads to',
    expected: 'a child or item link to it',
    fix: 'link to it from its parent, or remove it',
    source: 'stac',
  });
  return report;
}
