import { isObject, type JsonObject, linkTitleOf } from '@headwater/stac';
import type { Stats } from 'node:fs';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { READ_LIMITS } from '../reading/limits.ts';
import { parseJson, textOf } from '../reading/parse-document.ts';
import { ReadError, TreeError } from '../errors.ts';
import { readFileBytes } from '../reading/reader.ts';
import { fileHref } from '../reading/source.ts';
import { documentText } from '../tree/document-text.ts';
import type { Rebasing } from '../tree/rebase.ts';
import { type DocumentTree, type Visited, type Visitor, type WalkLimits, walkTree } from '../tree/walk.ts';
import { atomically, type Replacing } from '../writing/atomic.ts';
import { isLaidOut, itemSpot, LEVEL, levelCatalog, nodeSpot, rootSpot, type Spot } from './layout.ts';
import { type Placed, staticDocument } from './static-document.ts';

/**
 * Reason why a target may not be replaced, such as a file in it that is not part of an export. Undefined for an export
 * or an empty folder.
 */
async function foreignAt(path: string, found: Stats): Promise<string | undefined> {
  if (!found.isDirectory()) return `${path} is not a folder`;
  if ((await readdir(path)).length === 0) return undefined;
  const root = join(path, 'catalog.json');
  if (!(await isCatalogue(root))) return `${path} is not an exported catalogue: there is no Catalog at ${root}`;
  return foreignIn(path, true);
}

async function foreignIn(folder: string, isTop: boolean): Promise<string | undefined> {
  // In the folder of an Item, the document has the name of the folder (`{id}/{id}.json`). The exported folder itself
  // may have any name and contains no such document, so 'catalog' stands for its name.
  const name = isTop ? 'catalog' : basename(folder);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (!entry.isDirectory() && !(entry.isFile() && isLaidOut(name, entry.name)))
      return `${path} is not part of an exported catalogue`;
    const foreign = entry.isDirectory() ? await foreignIn(path, false) : undefined;
    if (foreign !== undefined) return foreign;
  }
  return undefined;
}

async function isCatalogue(path: string): Promise<boolean> {
  try {
    const bytes = await readFileBytes(path, READ_LIMITS);
    const document = bytes === undefined ? undefined : parseJson(textOf(bytes));
    return isObject(document) && (document['type'] === 'Catalog' || document['type'] === 'Collection');
  } catch (error) {
    if (error instanceof ReadError) return false;
    throw error;
  }
}

/** Options of an export as static files. */
export interface StaticOptions extends WalkLimits, Partial<Replacing>, Pick<Rebasing, 'onLocal'> {
  /** False: omits the level `tehsil_wise` below the root. */
  readonly level?: boolean;
}

interface OpenNode extends Placed {
  readonly parent: OpenNode | undefined;
  readonly below: Placed[];
}

/**
 * Writes a tree as a folder of static STAC files, completely or not at all. Returns the number of documents; throws
 * `TreeError`.
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

  enter({ href, document, above }: Visited<OpenNode>): OpenNode {
    const id = idOf(document, href);
    if (above === undefined) return (this.#root = openNode(document, rootSpot(id), undefined));
    const parent = above === this.#root ? this.#below(above, id) : above;
    const node = openNode(document, nodeSpot(parent.spot, { id, type: document['type'] }), parent);
    parent.below.push(node);
    return node;
  }

  async item({ href, document, above }: Visited<OpenNode> & { readonly above: OpenNode }): Promise<void> {
    const item = openNode(document, itemSpot(above.spot, idOf(document, href)), above);
    above.below.push(item);
    await this.#write(document, href, item);
  }

  async leave({ href, document }: Visited<OpenNode>, node: OpenNode): Promise<void> {
    if (node === this.#root && this.#level !== undefined) await this.#write(levelCatalog(), '', this.#level);
    await this.#write(document, href, node);
  }

  /** Parent of the root's children: `tehsil_wise`, or the root. */
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
