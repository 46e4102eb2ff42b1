import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { linkTitleOf, type JsonObject } from '@headwater/stac';
import { fileHref } from '../reading/source.ts';
import { documentText } from '../tree/document-text.ts';
import type { Rebasing } from '../tree/rebase.ts';
import { walkTree, type DocumentTree, type Met, type Visitor, type WalkLimits } from '../tree/walk.ts';
import { TreeError } from '../tree/tree-error.ts';
import { atomically, type Replacing } from '../writing/atomic.ts';
import { foreignAt } from './foreign.ts';
import { itemSpot, LEVEL, levelCatalog, nodeSpot, rootSpot, type Spot } from './layout.ts';
import { staticDocument, type Placed } from './static-document.ts';

/** How a tree is exported as files. */
export interface StaticOptions extends WalkLimits, Partial<Replacing>, Pick<Rebasing, 'onLocal'> {
  /** False where the children of the root lie right below it, without the level `tehsil_wise`. */
  readonly level?: boolean;
}

/** A node that is being written: its place, and what lies below it as far as it is met. */
interface OpenNode extends Placed {
  readonly parent: OpenNode | undefined;
  readonly below: Placed[];
}

/**
 * Writes a tree as a folder of static STAC files, whose links are relative: `catalog.json`, `tehsil_wise/catalog.json`, then a folder
 * with `collection.json` for each state, district and block, and `{id}/{id}.json` for each Item. The folder appears whole or not at
 * all. Rejects with `TreeError` where the tree is broken; returns how many documents were written.
 */
export async function exportStatic(
  tree: DocumentTree,
  folder: string,
  options: StaticOptions = {},
): Promise<{ readonly documents: number }> {
  const { level = true, replace = false, onLocal, ...limits } = options;
  return atomically(folder, { replace, foreignAt }, async (partial) => {
    const place = { partial, final: fileHref(resolve(folder)), onLocal };
    const writer = new StaticWriter(place, level);
    await walkTree(tree, writer, limits);
    return { documents: writer.written };
  });
}

/** Where the folder is written, the address that it then has, and who is told of files that stay outside of it. */
interface Place extends Pick<Rebasing, 'onLocal'> {
  readonly partial: string;
  readonly final: string;
}

class StaticWriter implements Visitor<OpenNode> {
  written = 0;
  readonly #place: Place;
  readonly #hasLevel: boolean;
  #root: OpenNode | undefined;
  #level: OpenNode | undefined;

  constructor(place: Place, hasLevel: boolean) {
    this.#place = place;
    this.#hasLevel = hasLevel;
  }

  enter({ href, document, above }: Met<OpenNode>): OpenNode {
    const id = idOf(document, href);
    if (above === undefined) return (this.#root = openNode(document, rootSpot(id), undefined));
    const parent = above === this.#root ? this.#below(above, id) : above;
    const node = openNode(document, nodeSpot(parent.spot, { id, type: document['type'] }), parent);
    parent.below.push(node);
    return node;
  }

  async item({ href, document, above }: Met<OpenNode> & { readonly above: OpenNode }): Promise<void> {
    const item = openNode(document, itemSpot(above.spot, idOf(document, href)), above);
    above.below.push(item);
    await this.#write(document, href, item);
  }

  async leave({ href, document }: Met<OpenNode>, node: OpenNode): Promise<void> {
    if (node === this.#root && this.#level !== undefined) await this.#write(levelCatalog(), '', this.#level);
    await this.#write(document, href, node);
  }

  /** The node that a child of the root lies in: the level, unless the tree has it itself. */
  #below(root: OpenNode, id: string): OpenNode {
    if (!this.#hasLevel || id === LEVEL.id) return root;
    if (this.#level !== undefined) return this.#level;
    const document = levelCatalog();
    this.#level = openNode(document, nodeSpot(root.spot, { id: LEVEL.id, type: 'Catalog' }), root);
    root.below.push(this.#level);
    return this.#level;
  }

  async #write(document: JsonObject, href: string, { spot, parent, below }: OpenNode): Promise<void> {
    if (this.#root === undefined) return;
    const neighbours = { own: spot, root: this.#root, above: parent, collection: collectionAbove(parent), below };
    const { partial, final, onLocal } = this.#place;
    const path = join(partial, ...spot.file.split('/'));
    const written = staticDocument(document, neighbours, { base: href, to: `${final}/${spot.file}`, onLocal });
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, `${documentText(written, href)}\n`);
    this.written += 1;
  }
}

function openNode(document: JsonObject, spot: Spot, parent: OpenNode | undefined): OpenNode {
  return { spot, title: linkTitleOf(document), type: document['type'], parent, below: [] };
}

function collectionAbove(node: OpenNode | undefined): OpenNode | undefined {
  return node === undefined || node.type === 'Collection' ? node : collectionAbove(node.parent);
}

function idOf(document: JsonObject, href: string): string {
  const { id } = document;
  if (typeof id === 'string' && id.trim() !== '') return id;
  throw new TreeError(`${href}: the document has no id; give it one`);
}
