import { REGIONS_STATE } from '@headwater/core/places';
import type { CollectionRequest } from '@headwater/core/ports';
import { collectionId, MEDIA } from '@headwater/stac';
import type { z } from 'zod';
import type { Ports } from '../../../deps.ts';
import { stacApiAddresses } from '../schemas/addresses.ts';
import { type CollectionsQuery, DEFAULT_COLLECTIONS } from '../schemas/collection-schemas.ts';
import { collectionById, collectionDocuments, holdsItems } from './collections.ts';
import { withTokenErrors } from './item-pages.ts';
import { nextLink, type PageRequest, rootLink, selfLink } from './links.ts';

/**
 * Maximum number of children in a response. No place in India has as many direct children.
 */
const MOST_CHILDREN = 1000;

/** A page of Collections of all levels, sorted by path, without links to Items. */
export async function collectionsPage(
  deps: Ports<'baseUrl' | 'pipelines' | 'publication' | 'stores'>,
  { limit = DEFAULT_COLLECTIONS, bbox, datetime, ids, q, token }: z.infer<typeof CollectionsQuery>,
  query: string,
): Promise<object> {
  const words = (q ?? '').split(/[\s,]+/).filter((word) => word !== '');
  const request: CollectionRequest = {
    limit,
    ...(bbox === undefined ? {} : { bbox }),
    ...(datetime === undefined ? {} : { interval: datetime }),
    ...(ids === undefined ? {} : { ids }),
    ...(words.length === 0 ? {} : { words }),
    ...(token === undefined ? {} : { cursor: token }),
  };
  const page = await withTokenErrors(() => deps.stores.search.collections(request));
  const addresses = stacApiAddresses(deps.baseUrl);
  const pageRequest: PageRequest = { method: 'GET', address: addresses.collections, query };
  const documents = collectionDocuments(deps);
  return {
    collections: await Promise.all(page.collections.map((record) => documents.of(record, false))),
    links: [
      selfLink(pageRequest, MEDIA.json),
      rootLink(addresses, deps.publication.title),
      { ...rootLink(addresses, deps.publication.title), rel: 'parent' },
      ...(page.next === undefined ? [] : [nextLink(pageRequest, page.next, MEDIA.json)]),
    ],
    numberMatched: page.matched,
    numberReturned: page.collections.length,
  };
}

/** The Collection with this id, with links to its children or Items. Throws `not_found`. */
export async function collectionDocument(
  deps: Ports<'baseUrl' | 'canCompute' | 'pipelines' | 'publication' | 'stores'>,
  id: string,
): Promise<object> {
  const record = await collectionById(deps, id);
  return await collectionDocuments(deps).of(record, holdsItems(record));
}

/** Documents of the direct children of a Collection or of the landing page. The Collection of regions is left out. */
export async function childrenOf(
  deps: Ports<'baseUrl' | 'canCompute' | 'pipelines' | 'publication' | 'stores'>,
  id: string | undefined,
): Promise<object> {
  const parent = id === undefined ? '' : (await collectionById(deps, id)).path;
  const { collections } = await deps.stores.search.collections({ parent, limit: MOST_CHILDREN });
  const children = collections.filter(({ path }) => path !== REGIONS_STATE);
  const documents = collectionDocuments(deps);
  const addresses = stacApiAddresses(deps.baseUrl);
  const of = id === undefined ? addresses.landing : addresses.collection(collectionId(parent));
  const address = id === undefined ? addresses.children : addresses.collectionChildren(collectionId(parent));
  return {
    children: await Promise.all(children.map((record) => documents.of(record, holdsItems(record)))),
    links: [
      { rel: 'self', href: address, type: MEDIA.json },
      rootLink(addresses, deps.publication.title),
      { rel: 'parent', href: of, type: MEDIA.json },
    ],
  };
}
