import { buildCatalog, collectionId, MEDIA } from '@headwater/stac';
import { z } from 'zod';
import { preparedJson } from '../../../caching/prepared.ts';
import type { Ports } from '../../../deps.ts';
import { titlesOnPath } from '../../../items/place-titles.ts';
import { NOT_MODIFIED } from '../../../rows/page-queries.ts';
import { ok, PARAMETER_ERRORS } from '../../../rows/common.ts';
import { EXAMPLE_COLLECTION } from '../../../rows/example-world.ts';
import { operation, type Operation } from '../../../rows/operation.ts';
import { paths } from '../../../wire/paths.ts';
import { OF_PUBLISHED } from '../handlers/collection-members.ts';
import { publishedStates } from '../handlers/collection-tree.ts';
import { childrenOf, collectionDocument, collectionsPage } from '../handlers/collection-pages.ts';
import { QUERYABLES_REL, SCHEMA_TYPE } from '../handlers/collections.ts';
import type { ApiLink } from '../handlers/links.ts';
import { SERVICE_DESC_TYPE, stacApiAddresses } from '../schemas/addresses.ts';
import {
  ChildrenBody,
  CollectionParams,
  CollectionsBody,
  CollectionsQuery,
  ConformanceBody,
} from '../schemas/collection-schemas.ts';
import { CONFORMANCE } from '../schemas/conformance.ts';
import { StacCatalog, StacCollection } from '../schemas/stac.ts';
import { stacApiQueryableOperations } from './queryables.ts';
import { STAC_API_ROW, stacApiItemOperations, stacApiNotFound } from './search-items.ts';

async function landingPage(deps: Ports<'baseUrl' | 'publication' | 'stores'>): Promise<object> {
  const { baseUrl, publication, stores } = deps;
  const addresses = stacApiAddresses(baseUrl);
  const states = await publishedStates(stores.catalog);
  const titleOf = await titlesOnPath(deps, '');
  const built = buildCatalog(
    {
      id: 'headwater',
      title: publication.title,
      description:
        'Layers computed per tehsil, for browsing and searching: states, districts and blocks, with Items below blocks.',
      self: addresses.landing,
      conformsTo: CONFORMANCE,
      children: states.map((path) => ({ href: addresses.collection(collectionId(path)), title: titleOf(path) })),
    },
    OF_PUBLISHED,
  );
  const search = { rel: 'search', href: addresses.search, type: MEDIA.geojson } as const;
  const links: readonly ApiLink[] = [
    ...built.links,
    { rel: 'data', href: addresses.collections, type: MEDIA.json, title: 'Collections' },
    { rel: 'conformance', href: addresses.conformance, type: MEDIA.json, title: 'Conformance classes' },
    { ...search, title: 'Search by query', method: 'GET' },
    { ...search, title: 'Search by body', method: 'POST' },
    { rel: QUERYABLES_REL, href: addresses.queryables, type: SCHEMA_TYPE, title: 'Queryables' },
    { rel: 'children', href: addresses.children, type: MEDIA.json, title: 'States' },
    { rel: 'service-desc', href: addresses.serviceDesc, type: SERVICE_DESC_TYPE, title: 'OpenAPI' },
    { rel: 'service-doc', href: addresses.serviceDoc, type: MEDIA.html, title: 'API reference' },
  ];
  return { ...built, links };
}

const collection = { collection_id: EXAMPLE_COLLECTION };
const unknown = { name: 'unknown', params: { collection_id: 'nowhere' }, status: 404 };

const getLandingPage = operation({
  ...STAC_API_ROW,
  id: 'getStacApi',
  method: 'GET',
  path: paths.stacApi,
  summary: 'Returns the landing page of the STAC API',
  description:
    'Entry point for clients that browse and search: QGIS, STAC Browser, pystac-client. It links to all other addresses of the API.',
  responses: { 200: ok('Landing page', StacCatalog), 304: NOT_MODIFIED },
  errors: PARAMETER_ERRORS,
  examples: [{ name: 'landing page', status: 200 }],
  async handler(_input, deps) {
    return preparedJson(await landingPage(deps));
  },
});

const getConformance = operation({
  ...STAC_API_ROW,
  id: 'getStacConformance',
  method: 'GET',
  path: paths.stacConformance,
  summary: 'Returns the conformance classes of the STAC API',
  responses: { 200: ok('Conformance classes', ConformanceBody), 304: NOT_MODIFIED },
  errors: PARAMETER_ERRORS,
  examples: [{ name: 'classes', status: 200 }],
  handler() {
    return preparedJson({ conformsTo: CONFORMANCE });
  },
});

const getServiceDesc = operation({
  ...STAC_API_ROW,
  id: 'getStacServiceDescription',
  method: 'GET',
  path: paths.stacServiceDesc,
  summary: 'Returns the OpenAPI document of the whole service with the media type that STAC clients expect',
  responses: {
    200: {
      description: 'OpenAPI document',
      schema: z.looseObject({ openapi: z.literal('3.1.0') }),
      media: [SERVICE_DESC_TYPE],
    },
    304: NOT_MODIFIED,
  },
  errors: PARAMETER_ERRORS,
  examples: [{ name: 'document', status: 200 }],
  handler(_input, { documents }) {
    return documents.serviceDesc();
  },
});

const listCollections = operation({
  ...STAC_API_ROW,
  id: 'listStacCollections',
  method: 'GET',
  path: paths.stacCollections,
  summary: 'Lists the Collections of states, districts and blocks, sorted by path; filters by box, time, ids or words',
  query: CollectionsQuery,
  responses: { 200: ok('A page of Collections', CollectionsBody), 304: NOT_MODIFIED },
  errors: PARAMETER_ERRORS,
  examples: [
    { name: 'first page', status: 200 },
    { name: 'in a box', query: { bbox: '84,23,86,25', datetime: '2021-07-01T00:00:00Z/..', limit: '10' }, status: 200 },
    { name: 'bad limit', query: { limit: '0' }, status: 400 },
  ],
  async handler({ query, queryText }, deps) {
    return preparedJson(await collectionsPage(deps, query, queryText));
  },
});

const getCollection = operation({
  ...STAC_API_ROW,
  id: 'getStacCollection',
  method: 'GET',
  path: paths.stacCollection,
  summary: 'Returns a Collection with links to its Items or child Collections',
  params: CollectionParams,
  responses: { 200: ok('Collection', StacCollection), 304: NOT_MODIFIED },
  errors: stacApiNotFound,
  examples: [{ name: 'sample', params: collection, status: 200 }, unknown],
  async handler({ params }, deps) {
    return preparedJson(await collectionDocument(deps, params.collection_id));
  },
});

const getChildren = operation({
  ...STAC_API_ROW,
  id: 'getStacChildren',
  method: 'GET',
  path: paths.stacChildren,
  summary: 'Lists the Collections of all states with Items',
  responses: { 200: ok('Collections', ChildrenBody), 304: NOT_MODIFIED },
  errors: PARAMETER_ERRORS,
  examples: [{ name: 'states', status: 200 }],
  async handler(_input, deps) {
    return preparedJson(await childrenOf(deps, undefined));
  },
});

const getCollectionChildren = operation({
  ...STAC_API_ROW,
  id: 'getStacCollectionChildren',
  method: 'GET',
  path: paths.stacCollectionChildren,
  summary: 'Lists the child Collections of a Collection',
  params: CollectionParams,
  responses: { 200: ok('Collections', ChildrenBody), 304: NOT_MODIFIED },
  errors: stacApiNotFound,
  examples: [{ name: 'sample', params: collection, status: 200 }, unknown],
  async handler({ params }, deps) {
    return preparedJson(await childrenOf(deps, params.collection_id));
  },
});

/** Operations of the STAC API: public, read only. */
export const stacApiOperations = [
  getLandingPage,
  getConformance,
  getServiceDesc,
  listCollections,
  getCollection,
  getChildren,
  getCollectionChildren,
  ...stacApiItemOperations,
  ...stacApiQueryableOperations,
] satisfies readonly Operation[];
