import { decode } from '../../../reading/query.ts';
import { fill, paths } from '../../../wire/paths.ts';

/** Addresses of the STAC API. */
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

/** Creates the addresses of the API. `base`: public address without trailing slash. */
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

// The characters `:`, `,` and `;` stay, because clients that append ids do not encode them.
function segment(id: string): string {
  return encodeURIComponent(id).replaceAll('%3A', ':').replaceAll('%2C', ',').replaceAll('%3B', ';');
}

const UNSAFE = /[^A-Za-z0-9\-._~!$&'()*+,;=:@/?%]/gu;

/** Adds a query to an address. Only characters that an address cannot have are encoded. */
export function withQuery(address: string, query: string): string {
  return query === '' ? address : `${address}?${query.replaceAll(UNSAFE, encodeURIComponent)}`;
}

/** The sent query, with the new cursor in place of the old cursor. */
export function nextQuery(query: string, cursor: string): string {
  // A client may encode the name `token` in several ways.
  const isToken = (pair: string): boolean => decode(pair.split('=', 1).join(), 'query') === 'token';
  const others = query.split('&').filter((pair) => pair !== '' && !isToken(pair));
  return [...others, `token=${encodeURIComponent(cursor)}`].join('&');
}

/** Media type of the API's OpenAPI document. The link and the response must have the same text. */
export const SERVICE_DESC_TYPE = 'application/vnd.oai.openapi+json;version=3.1';
