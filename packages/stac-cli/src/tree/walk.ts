import {
  addressOf,
  foundAt,
  isObject,
  linksOf,
  unresolvedLinksOf,
  type JsonObject,
  type UnresolvedLink,
  type TreeLink,
} from '@headwater/stac';
import { TreeError } from '../errors.ts';

/** A tree of STAC documents on any storage. `lintTree` also accepts such a tree. */
export interface DocumentTree {
  /** Address of the root catalogue. */
  readonly root: string;
  /** The parsed document at an address; undefined if there is none. May reject. */
  readonly read: (href: string) => Promise<unknown>;
  /**
   * Returns the address of a read document after redirects. The links of the document are relative to this address.
   * Default: the requested address.
   */
  readonly foundAt?: (href: string) => string;
}

/** Limits and callbacks of a walk. */
export interface WalkLimits {
  /** Limit of documents; default 100,000. */
  readonly mostDocuments?: number;
  /** Concurrency limit of reads; default 8. */
  readonly atOnce?: number;
  /**
   * Called after each document with the number of documents that are done, and the number of documents that are
   * known.
   */
  readonly progress?: (done: number, known: number) => void;
  readonly signal?: AbortSignal;
}

/** A document that the walk visits. `State` is the value that the visitor returned for a node. */
export interface Visited<State> {
  readonly href: string;
  readonly document: JsonObject;
  /** State of the parent node; undefined for the root. */
  readonly above: State | undefined;
}

/** Callbacks for the documents of a tree. */
export interface Visitor<State> {
  /** Called for a Catalog or Collection before its members; returns its state. */
  enter(visited: Visited<State>): State;
  /** Called for an Item, between `enter` and `leave` of its parent. */
  item(visited: Visited<State> & { readonly above: State }): Promise<void>;
  /** Called for a Catalog or Collection after all of its members. */
  leave(visited: Visited<State>, state: State): Promise<void>;
}

const MOST_DOCUMENTS = 100_000;
const AT_ONCE = 8;
/** Greatest number of nested folders. The number is limited, because longer paths cannot be written on every system. */
const DEEPEST = 32;

/**
 * Reads a tree from its root, along the child and item links. Passes the documents to the visitor one by one, in the
 * order of the links. Documents are not kept in memory. Rejects with `TreeError` at the first document that is missing,
 * has the wrong type, was visited before, or exceeds a limit.
 */
export async function walkTree<State>(
  tree: DocumentTree,
  visitor: Visitor<State>,
  limits: WalkLimits = {},
): Promise<{ readonly documents: number }> {
  const walk = new Walk(tree, visitor, limits);
  const href = addressOf(tree.root) ?? tree.root;
  await walk.node(await walk.root(href), 0);
  return { documents: walk.done };
}

class Walk<State> {
  done = 0;
  #known = 0;
  readonly #tree: DocumentTree;
  readonly #visitor: Visitor<State>;
  readonly #limits: WalkLimits;
  readonly #visited = new Set<string>();

  constructor(tree: DocumentTree, visitor: Visitor<State>, limits: WalkLimits) {
    this.#tree = tree;
    this.#visitor = visitor;
    this.#limits = limits;
  }

  async root(href: string): Promise<Visited<State>> {
    this.#meet(href, 'the root');
    const document = await this.#read(href, { rel: 'root', from: 'the root' });
    return { href: this.#found(href, 'the root'), document, above: undefined };
  }

  async node(visited: Visited<State>, depth: number): Promise<void> {
    if (depth > DEEPEST)
      throw new TreeError(`${visited.href}: nested more than ${String(DEEPEST)} catalogues deep; correct the links`);
    const state = this.#visitor.enter(visited);
    const lost = unresolvedLinksOf(visited).find(leadsDown);
    if (lost !== undefined) throw new TreeError(`${visited.href}#${lost.pointer}: ${reasonOf(lost)}; correct the link`);
    const links = linksOf(visited).filter(leadsDown);
    for (const link of links) this.#meet(link.href, `${visited.href}#${link.pointer}`);
    const read = (link: TreeLink): Promise<JsonObject> =>
      this.#read(link.href, { rel: link.rel, from: `${visited.href}#${link.pointer}` });
    for await (const { input, result } of mapAhead(links, read, this.#limits.atOnce ?? AT_ONCE)) {
      const href = this.#found(input.href, `${visited.href}#${input.pointer}`);
      const below = { href, document: result, above: state };
      if (input.rel === 'child') await this.node(below, depth + 1);
      else {
        await this.#visitor.item(below);
        this.#count();
      }
    }
    await this.#visitor.leave(visited, state);
    this.#count();
  }

  #count(): void {
    this.done += 1;
    this.#limits.progress?.(this.done, this.#known);
  }

  #meet(href: string, from: string): void {
    const most = this.#limits.mostDocuments ?? MOST_DOCUMENTS;
    this.#meetOnce(href, from);
    // The condition is written with `!` so that a limit of NaN allows no document.
    if (!(this.#known < most))
      throw new TreeError(
        `${from}: the tree has more than ${String(most)} documents; allow more with --most-documents, or use a part of the tree`,
      );
    this.#known += 1;
  }

  /** Address of a read document after redirects. Throws if another link has already led to this address. */
  #found(requested: string, from: string): string {
    const href = foundAt(this.#tree, requested);
    if (href !== requested) this.#meetOnce(href, from);
    return href;
  }

  #meetOnce(href: string, from: string): void {
    if (this.#visited.has(href))
      throw new TreeError(
        `${from}: leads to ${href}, which another link already leads to; keep one link to each document`,
      );
    this.#visited.add(href);
  }

  async #read(href: string, { rel, from }: { readonly rel: string; readonly from: string }): Promise<JsonObject> {
    this.#limits.signal?.throwIfAborted();
    const document = await this.#tree.read(href).catch((error: unknown): never => {
      // After an abort, the reason of the abort is thrown, not a fault of the tree.
      this.#limits.signal?.throwIfAborted();
      const why = error instanceof Error ? error.message : String(error);
      throw new TreeError(`${from}: the document at ${href} cannot be read: ${why}`);
    });
    const types = rel === 'item' ? ['Feature'] : ['Catalog', 'Collection'];
    const type = isObject(document) ? document['type'] : undefined;
    if (isObject(document) && types.some((each) => each === type)) return document;
    const found =
      document === undefined
        ? `there is no document at ${href}`
        : `the document at ${href} has type ${JSON.stringify(type)}`;
    throw new TreeError(`${from}: ${found}, but rel ${rel} must lead to a ${types.join(' or ')}`);
  }
}

const leadsDown = ({ rel }: Pick<TreeLink, 'rel'>): boolean => rel === 'child' || rel === 'item';

function reasonOf({ href }: UnresolvedLink): string {
  return href === undefined ? 'it has no href' : `${JSON.stringify(href)} is not a valid address`;
}

/** An input with its result. */
interface Mapped<T, R> {
  readonly input: T;
  readonly result: R;
}

/**
 * Runs work on each element of a list, at most `atOnce` at a time, and yields the results in the order of the list.
 * If the work on an element fails, throws its error.
 */
export async function* mapAhead<T, R>(
  list: readonly T[],
  work: (each: T) => Promise<R>,
  atOnce: number,
): AsyncGenerator<Mapped<T, R>> {
  const open: Promise<Mapped<T, R>>[] = [];
  let next = 0;
  const begin = (): void => {
    const input = list[next];
    if (input === undefined) return;
    next += 1;
    const promise = work(input).then((result) => ({ input, result }));
    // The generator throws a failure only when the failed result is the next result. Until then, this handler is
    // necessary, because an unhandled failure would end the process.
    promise.catch(() => {});
    open.push(promise);
  };
  while (open.length < atOnce && next < list.length) begin();
  for (let first = open.shift(); first !== undefined; first = open.shift()) {
    const mapped = await first;
    begin();
    yield mapped;
  }
}
