import { decode } from '../../../reading/query.ts';
import { fill, paths } from '../../../wire/paths.ts';

/** Every address of the STAC API below a base address without a trailing slash. Nothing of a request is in them. */
export interface StacApiAddresses {
  readonly landing: string;
  readonly conformance: string;
  readonly serviceDesc: string;
  readonly serviceDoc: string;
  readonly search: string;
  readonly queryables: string;
  readonly children: string;
  readonly collections: string;
  readonly collection: (id: string) => string;
  readonly collectionQueryables: (id: string) => string;
  readonly collectionChildren: (id: string) => string;
  readonly items: (id: string) => string;
  readonly item: (id: string, item: string) => string;
}

/** The addresses below a base address. */
export function stacApiAddresses(base: string): StacApiAddresses {
  const of = (pattern: string, collection: string, item = ''): string =>
    base + fill(pattern, { collection_id: segment(collection), item_id: segment(item) });
  return {
    landing: base + paths.stacApi,
    conformance: base + paths.stacConformance,
    serviceDesc: base + paths.stacServiceDesc,
    serviceDoc: base + paths.docs,
    search: base + paths.stacSearch,
    queryables: base + paths.stacQueryables,
    children: base + paths.stacChildren,
    collections: base + paths.stacCollections,
    collection: (id) => of(paths.stacCollection, id),
    collectionQueryables: (id) => of(paths.stacCollectionQueryables, id),
    collectionChildren: (id) => of(paths.stacCollectionChildren, id),
    items: (id) => of(paths.stacCollectionItems, id),
    item: (id, item) => of(paths.stacCollectionItem, id, item),
  };
}

// Ids that the builder makes need no encoding, and clients join them to addresses as they are.
function segment(id: string): string {
  return encodeURIComponent(id).replaceAll('%3A', ':').replaceAll('%2C', ',').replaceAll('%3B', ';');
}

const UNSAFE = /[^A-Za-z0-9\-._~!$&'()*+,;=:@/?%]/gu;

/** An address with the query of a request, as it was sent but for characters that no address may have. */
export function withQuery(address: string, query: string): string {
  return query === '' ? address : `${address}?${query.replaceAll(UNSAFE, encodeURIComponent)}`;
}

/** The query of the page that follows: what was sent, with the cursor in place of the one before. */
export function nextQuery(query: string, cursor: string): string {
  // As it is read: a name may be written in many ways.
  const isToken = (pair: string): boolean => decode(pair.split('=', 1).join(), 'query') === 'token';
  const kept = query.split('&').filter((pair) => pair !== '' && !isToken(pair));
  return [...kept, `token=${encodeURIComponent(cursor)}`].join('&');
}

/** Media type of the API's description; the link names it, and the answer has it, to the letter. */
export const SERVICE_DESC_TYPE = 'application/vnd.oai.openapi+json;version=3.1';
