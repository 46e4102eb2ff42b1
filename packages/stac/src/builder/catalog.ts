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
} from '../types.ts';
import type { NonEmpty } from '../json.ts';
import type { LinkTarget } from './inputs.ts';
import { filledText, link } from './links.ts';

/** What catalogues and Collections share. Hrefs are absolute http(s) URLs. */
export interface NodeInput {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  /** Address of this document. */
  readonly self: string;
  /** Root catalogue; for the root itself leave it out. */
  readonly root?: LinkTarget;
  /** Node above; the root has none. */
  readonly parent?: LinkTarget;
  readonly children?: readonly LinkTarget[];
  /** Member Items; their links get type `application/geo+json`. */
  readonly items?: readonly LinkTarget[];
  /** Further links, by relation (`license`, `conformance`, `search`). */
  readonly links?: readonly (LinkTarget & { readonly rel: string })[];
}

/** Input of `buildCatalog`. */
export interface CatalogInput extends NodeInput {
  /** Conformance classes, for a catalogue that is the landing page of a STAC API. */
  readonly conformsTo?: readonly string[];
}

/** Input of `buildCollection`. */
export interface CollectionInput extends NodeInput {
  readonly root: LinkTarget;
  readonly parent: LinkTarget;
  readonly keywords: NonEmpty<string>;
  /** SPDX expression or `other`. */
  readonly license: string;
  readonly providers: NonEmpty<Provider>;
  /** From `extentOf(items)` or `joinExtents(children)`. */
  readonly extent: Extent;
  /** Summaries of the members' properties: lists of values, or `{minimum, maximum}`. */
  readonly summaries?: Readonly<Record<string, unknown>>;
  /** Assets of the members, by key; both from `memberFields(membersOf(items))`. */
  readonly item_assets?: Readonly<Record<string, ItemAsset>>;
}

/** A Catalog, e.g. the root of the tree. Throws `StacError` that names the field at fault. */
export function buildCatalog(input: CatalogInput): Catalog {
  return {
    type: 'Catalog',
    stac_version: STAC_VERSION,
    id: nodeId(input.id),
    title: filledText(input.title, 'title'),
    description: filledText(input.description, 'description'),
    ...(input.conformsTo === undefined ? {} : { conformsTo: [...input.conformsTo] }),
    links: nodeLinks(input),
  };
}

/** A Collection of the tree (state, district or block). Throws `StacError` that names the field at fault. */
export function buildCollection(input: CollectionInput): Collection {
  if (!/^[\w.+-]+$/.test(input.license)) {
    throw new StacError(
      `license: ${JSON.stringify(input.license)} is no SPDX identifier; write e.g. CC-BY-4.0 or other`,
    );
  }
  return {
    type: 'Collection',
    stac_version: STAC_VERSION,
    stac_extensions: [],
    id: nodeId(input.id),
    title: filledText(input.title, 'title'),
    description: filledText(input.description, 'description'),
    keywords: [...input.keywords],
    license: input.license,
    providers: structuredClone([...input.providers]),
    extent: structuredClone(input.extent),
    ...(input.summaries === undefined ? {} : { summaries: structuredClone(input.summaries) }),
    ...(input.item_assets === undefined ? {} : { item_assets: structuredClone(input.item_assets) }),
    links: nodeLinks(input),
  };
}

function nodeId(id: string): string {
  if (!/^[A-Za-z0-9.,:;_-]+$/.test(id) || /^\.+$/.test(id)) {
    throw new StacError(`id: ${JSON.stringify(id)} is not safe in a path; make it with idSlug()`);
  }
  return id;
}

function nodeLinks(input: NodeInput): Link[] {
  const self = { href: input.self, title: input.title };
  return [
    link('root', input.root ?? self),
    link('self', self),
    ...(input.parent === undefined ? [] : [link('parent', input.parent)]),
    ...(input.children ?? []).map((target) => link('child', target)),
    ...(input.items ?? []).map((target) => link('item', { ...target, type: target.type ?? MEDIA.geojson })),
    ...(input.links ?? []).map(({ rel, ...target }) => link(rel, target)),
  ];
}
