import { StacError } from '../errors.ts';
import { MEDIA } from '../media-types.ts';
import {
  STAC_VERSION,
  type Catalog,
  type Collection,
  type Extent,
  type ItemAsset,
  type Link,
  type Provider,
  type Summary,
} from '../types.ts';
import type { NonEmpty } from '../json.ts';
import type { LinkTarget } from './inputs.ts';
import { filledText, link } from './links.ts';
import { type BuildOptions, finishDocument, ownCopy } from './finish-document.ts';
import { checkInput, INPUT_MEMBERS } from './check-input.ts';

/** Input of catalogues and Collections. Hrefs are absolute http(s) URLs. */
export interface NodeInput {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  /** Address of this document. */
  readonly self: string;
  readonly children?: readonly LinkTarget[];
  /** Member Items. */
  readonly items?: readonly LinkTarget[];
  /** Links outside the tree, such as `license` or `search`. Each link names its relation. */
  readonly links?: readonly (LinkTarget & { readonly rel: string })[];
}

/** Links of a node below the root. */
export interface Place {
  /** Root catalogue. */
  readonly root: LinkTarget;
  /** Catalogue or Collection directly above. */
  readonly parent: LinkTarget;
}

/** The root has no parent; its link `root` leads to itself. */
interface NoPlace {
  readonly root?: never;
  readonly parent?: never;
}

/** Input of `buildCatalog`: the root, or a node with `root` and `parent`. */
export type CatalogInput = NodeInput &
  (Place | NoPlace) & {
    /** Conformance classes of the landing page of a STAC API. */
    readonly conformsTo?: readonly string[];
  };

/** Input of `buildCollection`. The bbox comes from the extent. */
export interface CollectionInput extends NodeInput, Place {
  readonly bbox?: never;
  readonly keywords: NonEmpty<string>;
  /** SPDX identifier, or `other` (also for several licences, with links to them). */
  readonly license: string;
  /** Organisations that produced, license or host the members. Omit `providers` if they are unknown. */
  readonly providers?: NonEmpty<Provider>;
  /** Result of `extentOf(items)` or `joinExtents(children)`. */
  readonly extent: Extent;
  /** Values of the members' properties: lists, or `{minimum, maximum}`. */
  readonly summaries?: Readonly<Record<string, Summary>>;
  /** Assets of the members, by key, from `memberFields(membersOf(items))`. */
  readonly item_assets?: Readonly<Record<string, ItemAsset>>;
}

/** Builds a Catalog. Throws `StacError` with the invalid field. */
export function buildCatalog(input: CatalogInput, options: BuildOptions = {}): Catalog {
  checkInput(input, INPUT_MEMBERS.catalog);
  const { root, parent } = input;
  if ((root === undefined) !== (parent === undefined))
    throw new StacError(
      'root: give both root and parent for a document below the root document, and none of them for the root document',
    );
  return finishDocument(
    {
      type: 'Catalog',
      stac_version: STAC_VERSION,
      id: nodeId(input.id),
      title: filledText(input.title, 'title'),
      description: filledText(input.description, 'description'),
      ...(input.conformsTo === undefined ? {} : { conformsTo: [...input.conformsTo] }),
      links: [
        ...ownLinks(input, root),
        ...(parent === undefined ? [] : [link('parent', parent)]),
        ...furtherLinks(input),
      ],
    },
    options,
  );
}

/** Builds a Collection. Throws `StacError` with the invalid field. */
export function buildCollection(input: CollectionInput, options: BuildOptions = {}): Collection {
  checkInput(input, INPUT_MEMBERS.collection);
  if (!/^[\w.+-]+$/.test(input.license)) {
    throw new StacError(
      `license: ${JSON.stringify(input.license)} is not an SPDX identifier; write an identifier such as "CC-BY-4.0", or the word "other"`,
    );
  }
  return finishDocument(
    {
      type: 'Collection',
      stac_version: STAC_VERSION,
      stac_extensions: [],
      id: nodeId(input.id),
      title: filledText(input.title, 'title'),
      description: filledText(input.description, 'description'),
      keywords: filledList(input.keywords, 'keywords', (keyword) => filledText(keyword, 'keywords')),
      license: input.license,
      ...(input.providers === undefined ? {} : { providers: filledList(input.providers, 'providers', provider) }),
      extent: ownCopy(input.extent, '/extent'),
      ...(input.summaries === undefined ? {} : { summaries: ownCopy(input.summaries, '/summaries') }),
      ...(input.item_assets === undefined ? {} : { item_assets: ownCopy(input.item_assets, '/item_assets') }),
      links: [...ownLinks(input, input.root), link('parent', input.parent), ...furtherLinks(input)],
    },
    options,
  );
}

function nodeId(id: string): string {
  if (!/^[A-Za-z0-9.,:;_-]+$/.test(id) || /^\.+$/.test(id)) {
    throw new StacError(`id: ${JSON.stringify(id)} is not safe in a path; make it with idSlug()`);
  }
  return id;
}

function provider(input: Provider): Provider {
  filledText(input.name, 'providers.name');
  return ownCopy(input, '/providers');
}

function filledList<T>([first, ...rest]: NonEmpty<T>, where: string, make: (value: T) => T): [T, ...T[]] {
  // Callers in JavaScript may pass an empty list.
  if (first === undefined) throw new StacError(`${where}: the list is empty; give at least one element`);
  return [make(first), ...rest.map(make)];
}

function ownLinks(
  { self: href, title }: NodeInput,
  root: LinkTarget | undefined,
): [root: Link<'root'>, self: Link<'self'>] {
  const self = { href, title };
  return [link('root', root ?? self), link('self', self)];
}

const OF_TREE = new Set(['root', 'self', 'parent', 'child', 'item', 'collection']);

function furtherLinks(input: NodeInput): Link[] {
  return [
    ...(input.children ?? []).map((target) => link('child', target)),
    ...(input.items ?? []).map((target) => link('item', { ...target, type: target.type ?? MEDIA.geojson })),
    ...(input.links ?? []).map(({ rel, ...target }) => {
      if (OF_TREE.has(rel)) throw new StacError(`links.${rel}: this relation belongs to the tree; use its own field`);
      return link(rel, target);
    }),
  ];
}
