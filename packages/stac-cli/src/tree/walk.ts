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

/** A tree of STAC documents on any storage; `lintTree` also accepts it. */
export interface DocumentTree {
  /** Address of the root. */
  readonly root: string;
  /** Parses the document at an address; undefined if there is none. May reject. */
  readonly read: (href: string) => Promise<unknown>;
  /** Address of a document after redirects; links are relative to this address. Default: the requested address. */
  readonly foundAt?: (href: string) => string;
}

/** Limits and callbacks of a walk. */
export interface WalkLimits {
  /** Maximum number of documents; default 100,000. */
  readonly mostDocuments?: number;
  /** Limit of concurrent reads; default 8. */
  readonly atOnce?: number;
  /** Called after each document with the numbers of done and known documents. */
  readonly progress?: (done: number, known: number) => void;
  readonly signal?: AbortSignal;
}

/** A visited document. `State` is the visitor's result for a node. */
export interface Visited<State> {
  readonly href: string;
  readonly document: JsonObject;
  /** State of the parent; undefined for the root. */
  readonly above: State | undefined;
}

/** Callbacks for the documents of a tree. A node is a Catalog or a Collection. */
export interface Visitor<State> {
  /** Called for a node before its members; returns its state. */
  enter(visited: Visited<State>): State;
  /** Called for an Item, between `enter` and `leave` of its parent. */
  item(visited: Visited<State> & { readonly above: State }): Promise<void>;
  /** Called for a node after its members. */
  leave(visited: Visited<State>, state: State): Promise<void>;
}

const MOST_DOCUMENTS = 100_000;
const AT_ONCE = 8;
/** Maximum depth of a tree. Some systems cannot store the longer paths of deeper trees. */
const DEEPEST = 32;

/**
 * Visits all documents in the order of the links. Throws `TreeError` for a missing, wrong or repeated document, or over
 * a limit.
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
    // The negated condition also stops at a limit of NaN.
    if (!(this.#known < most))
      throw new TreeError(
        `${from}: the tree has more than ${String(most)} documents; allow more with --most-documents, or use a part of the tree`,
      );
    this.#known += 1;
  }

  /** Returns the address after redirects. Throws if another link has already led to this address. */
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
      // An abort is not a fault of the tree, so it is not reported as a `TreeError`.
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

interface Mapped<T, R> {
  readonly input: T;
  readonly result: R;
}

/** Maps a list with at most `atOnce` calls at a time; yields results in order. Throws the error of a failed element. */
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
    // The failure is thrown later. Without this handler, the failure would end the process now.
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
