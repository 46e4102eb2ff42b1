import {
  addressOf,
  foundAt,
  isObject,
  linksOf,
  lostLinksOf,
  type JsonObject,
  type LostLink,
  type TreeLink,
} from '@headwater/stac';
import { ahead } from './ahead.ts';
import { TreeError } from './tree-error.ts';

/** A tree of STAC documents, wherever it lies; as `lintTree` takes it. */
export interface DocumentTree {
  /** Address of the root catalogue. */
  readonly root: string;
  /** The parsed document at an address; undefined where there is none. May reject. */
  readonly read: (href: string) => Promise<unknown>;
  /** Where a document that was read lies, after redirects: what its links are relative to. The address asked for unless given. */
  readonly foundAt?: (href: string) => string;
}

/** How far a walk goes. */
export interface WalkLimits {
  /** How many documents are read at most; 100,000 unless given. */
  readonly mostDocuments?: number;
  /** How many documents are asked for at once; 8 unless given. */
  readonly atOnce?: number;
  /** Told after each document: how many are done of those that are known of. */
  readonly progress?: (done: number, known: number) => void;
  readonly signal?: AbortSignal;
}

/** A document on the way down. `Place` is what the visitor makes of where it is. */
export interface Met<Place> {
  readonly href: string;
  readonly document: JsonObject;
  /** The place of the node above; the root has none. */
  readonly above: Place | undefined;
}

/** What is done with the documents of a tree. */
export interface Visitor<Place> {
  /** A Catalog or Collection, before what lies below it. */
  enter(met: Met<Place>): Place;
  /** An Item; its node was entered and not left. */
  item(met: Met<Place> & { readonly above: Place }): Promise<void>;
  /** A Catalog or Collection, after all that lies below it. */
  leave(met: Met<Place>, place: Place): Promise<void>;
}

const MOST_DOCUMENTS = 100_000;
const AT_ONCE = 8;
/** Folders in folders: a path that is longer cannot be written everywhere. */
const DEEPEST = 32;

/**
 * Reads a tree from its root down by its child and item links and hands each document to the visitor, one at a time, in the order of
 * the links. Documents are not kept. Rejects with `TreeError` at the first that is not there, is not what the link says, was met
 * before, or is more or deeper than allowed.
 */
export async function walkTree<Place>(
  tree: DocumentTree,
  visitor: Visitor<Place>,
  limits: WalkLimits = {},
): Promise<{ readonly documents: number }> {
  const walk = new Walk(tree, visitor, limits);
  const href = addressOf(tree.root) ?? tree.root;
  await walk.node(await walk.root(href), 0);
  return { documents: walk.done };
}

class Walk<Place> {
  done = 0;
  #known = 0;
  readonly #tree: DocumentTree;
  readonly #visitor: Visitor<Place>;
  readonly #limits: WalkLimits;
  readonly #met = new Set<string>();

  constructor(tree: DocumentTree, visitor: Visitor<Place>, limits: WalkLimits) {
    this.#tree = tree;
    this.#visitor = visitor;
    this.#limits = limits;
  }

  async root(asked: string): Promise<Met<Place>> {
    this.#meet(asked, 'the root');
    const document = await this.#read(asked, { rel: 'root', from: 'the root' });
    return { href: this.#found(asked, 'the root'), document, above: undefined };
  }

  async node(met: Met<Place>, depth: number): Promise<void> {
    if (depth > DEEPEST)
      throw new TreeError(`${met.href}: more than ${String(DEEPEST)} catalogues lie in each other; mend the links`);
    const place = this.#visitor.enter(met);
    const lost = lostLinksOf(met).find(leadsDown);
    if (lost !== undefined) throw new TreeError(`${met.href}#${lost.pointer}: ${whyLost(lost)}; mend the link`);
    const links = linksOf(met).filter(leadsDown);
    for (const link of links) this.#meet(link.href, `${met.href}#${link.pointer}`);
    const read = (link: TreeLink): Promise<JsonObject> =>
      this.#read(link.href, { rel: link.rel, from: `${met.href}#${link.pointer}` });
    for await (const { given, result } of ahead(links, read, this.#limits.atOnce ?? AT_ONCE)) {
      const href = this.#found(given.href, `${met.href}#${given.pointer}`);
      const below = { href, document: result, above: place };
      if (given.rel === 'child') await this.node(below, depth + 1);
      else {
        await this.#visitor.item(below);
        this.#count();
      }
    }
    await this.#visitor.leave(met, place);
    this.#count();
  }

  #count(): void {
    this.done += 1;
    this.#limits.progress?.(this.done, this.#known);
  }

  #meet(href: string, from: string): void {
    const most = this.#limits.mostDocuments ?? MOST_DOCUMENTS;
    this.#meetOnce(href, from);
    // Asked so that a limit that is no number allows nothing.
    if (!(this.#known < most))
      throw new TreeError(`${from}: the tree has more than ${String(most)} documents; allow more, or take it in parts`);
    this.#known += 1;
  }

  /** Where a document that was read lies: one that a redirect leads to is the same as one that a link leads to. */
  #found(asked: string, from: string): string {
    const href = foundAt(this.#tree, asked);
    if (href !== asked) this.#meetOnce(href, from);
    return href;
  }

  #meetOnce(href: string, from: string): void {
    if (this.#met.has(href))
      throw new TreeError(
        `${from}: leads to ${href}, which another link leads down to; a tree leads to each document once`,
      );
    this.#met.add(href);
  }

  async #read(href: string, { rel, from }: { readonly rel: string; readonly from: string }): Promise<JsonObject> {
    this.#limits.signal?.throwIfAborted();
    const document = await this.#tree.read(href).catch((error: unknown): never => {
      // What was stopped says so by itself, and is no fault of the tree.
      this.#limits.signal?.throwIfAborted();
      const why = error instanceof Error ? error.message : String(error);
      throw new TreeError(`${from}: the document at ${href} cannot be read: ${why}`);
    });
    const types = rel === 'item' ? ['Feature'] : ['Catalog', 'Collection'];
    const type = isObject(document) ? document['type'] : undefined;
    if (isObject(document) && types.some((each) => each === type)) return document;
    const found = document === undefined ? 'there is no document' : `the document has type ${JSON.stringify(type)}`;
    throw new TreeError(`${from}: at ${href} ${found}, where rel ${rel} leads to a ${types.join(' or ')}`);
  }
}

const leadsDown = ({ rel }: Pick<TreeLink, 'rel'>): boolean => rel === 'child' || rel === 'item';

function whyLost({ href }: LostLink): string {
  return href === undefined ? 'it has no href' : `${JSON.stringify(href)} is no address there`;
}
