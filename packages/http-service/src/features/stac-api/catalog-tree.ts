import type { Ports } from '../../deps.ts';
import { collectionOf, itemTextOf, rootCatalog, type CatalogDeps } from './handlers/stac-documents.ts';
import { itemForm, type ItemFormOptions } from '../../items/item-form.ts';
import { createPublication, type PublicationOptions } from '../../layers/publication.ts';
import { createAddresses } from '../../wire/addresses.ts';

/** Sources of the published catalogue. */
export interface CatalogTreeOptions extends Ports<'stores' | 'pipelines'> {
  /** Absolute public address of the service, without trailing slash. */
  readonly baseUrl: string;
  readonly publication?: PublicationOptions;
  /** Map server to which Items link. Default: none. */
  readonly mapServer?: ItemFormOptions['mapServer'];
}

/** The published catalogue as a tree of documents. */
export interface CatalogTree {
  readonly root: string;
  /** Returns the document at an address; undefined outside of the catalogue. Throws `not_found`. */
  readonly read: (href: string) => Promise<unknown>;
}

/** Builds the catalogue from the stores, without HTTP. */
export function catalogTree({
  stores,
  pipelines,
  baseUrl,
  publication = {},
  mapServer,
}: CatalogTreeOptions): CatalogTree {
  const deps: CatalogDeps = {
    stores,
    pipelines,
    baseUrl,
    publication: createPublication(publication, baseUrl),
    itemForm: itemForm({ publication, baseUrl, mapServer }),
    canCompute: false,
  };
  const root = createAddresses(baseUrl).catalog();
  return {
    root,
    read: (href) => (href.startsWith(root) ? at(deps, href.slice(root.length)) : Promise.resolve(undefined)),
  };
}

/**
 * Reads the document at a path such as `state/district/block/items/id/`. Shorter paths name a block, a district, a
 * state or the root.
 */
async function at(deps: CatalogDeps, below: string): Promise<unknown> {
  const [state, district, block, ...item] = below
    .split('/')
    .filter((part) => part !== '')
    .map(decodeURIComponent);
  if (state === undefined) return rootCatalog(deps);
  const slugs = [state, district, block].filter((slug) => slug !== undefined);
  const id = item.at(-1);
  if (id === undefined) return await collectionOf(deps, slugs);
  return JSON.parse(await itemTextOf(deps, { collectionPath: slugs.join('/'), id }));
}
