import type { CollectionRequest } from '@headwater/core/ports';
import { collectionId, MEDIA } from '@headwater/stac';
import type { z } from 'zod';
import type { Ports } from '../../../deps.ts';
import { stacApiAddresses } from '../schemas/addresses.ts';
import { type CollectionsQuery, DEFAULT_COLLECTIONS } from '../schemas/collection-schemas.ts';
import { collectionById, collectionDocuments, holdsItems } from './collections.ts';
import { ofToken } from './item-pages.ts';
import { nextLink, type PageRequest, rootLink, selfLink } from './links.ts';

/** Children of one place: states of India, districts of a state, tehsils of a district. */
const MOST_CHILDREN = 1000;

/** A page of Collections of all levels, by path. Their links to Items stand in each one's own document. */
export async function collectionsPage(
  deps: Ports<'baseUrl' | 'pipelines' | 'publication' | 'stores'>,
  { limit = DEFAULT_COLLECTIONS, bbox, datetime, ids, q, token }: z.infer<typeof CollectionsQuery>,
  query: string,
): Promise<object> {
  const words = (q ?? '').split(/[\s,]+/).filter((word) => word !== '');
  const asked: CollectionRequest = {
    limit,
    ...(bbox === undefined ? {} : { bbox }),
    ...(datetime === undefined ? {} : { interval: datetime }),
    ...(ids === undefined ? {} : { ids }),
    ...(words.length === 0 ? {} : { words }),
    ...(token === undefined ? {} : { cursor: token }),
  };
  const page = await ofToken(() => deps.stores.search.collections(asked));
  const addresses = stacApiAddresses(deps.baseUrl);
  const request: PageRequest = { method: 'GET', address: addresses.collections, query };
  const documents = collectionDocuments(deps);
  return {
    collections: await Promise.all(page.collections.map((record) => documents.of(record, false))),
    links: [
      selfLink(request, MEDIA.json),
      rootLink(addresses, deps.publication.title),
      { ...rootLink(addresses, deps.publication.title), rel: 'parent' },
      ...(page.next === undefined ? [] : [nextLink(request, page.next, MEDIA.json)]),
    ],
    numberMatched: page.matched,
    numberReturned: page.collections.length,
  };
}

/** The Collection of this id with links to what is right below it. Throws `not_found`. */
export async function collectionDocument(
  deps: Ports<'baseUrl' | 'pipelines' | 'publication' | 'stores'>,
  id: string,
): Promise<object> {
  const record = await collectionById(deps, id);
  return await collectionDocuments(deps).of(record, holdsItems(record));
}

/** Whole documents of the Collections right below one, or below the landing page: each as its own address answers it. */
export async function childrenOf(
  deps: Ports<'baseUrl' | 'pipelines' | 'publication' | 'stores'>,
  id: string | undefined,
): Promise<object> {
  const parent = id === undefined ? '' : (await collectionById(deps, id)).path;
  const { collections } = await deps.stores.search.collections({ parent, limit: MOST_CHILDREN });
  const documents = collectionDocuments(deps);
  const addresses = stacApiAddresses(deps.baseUrl);
  const of = id === undefined ? addresses.landing : addresses.collection(collectionId(parent));
  const address = id === undefined ? addresses.children : addresses.collectionChildren(collectionId(parent));
  return {
    children: await Promise.all(collections.map((record) => documents.of(record, holdsItems(record)))),
    links: [
      { rel: 'self', href: address, type: MEDIA.json },
      rootLink(addresses, deps.publication.title),
      { rel: 'parent', href: of, type: MEDIA.json },
    ],
  };
}
