import type { z } from 'zod';
import type { Ports } from '../../../deps.ts';
import { catalogFacts, collectionFacts } from '../handlers/collection-facts.ts';
import { pageOrDocument } from '../../../answering/page-or-document.ts';
import { notComputedFacts } from '../handlers/not-computed.ts';
import { itemFacts } from '../handlers/item-facts.ts';
import { collectionPage } from '../page/collection-page.ts';
import { notComputedPage } from '../page/not-computed-page.ts';
import { itemPage } from '../page/item-page.ts';
import { collectionOf, itemTextOf, rootCatalog } from '../handlers/stac-documents.ts';
import { operation, type Operation } from '../../../rows/operation.ts';
import type { Reply } from '../../../seam/reply.ts';
import { LayerQuery, ListQuery, NOT_MODIFIED } from '../../../rows/page-queries.ts';
import {
  BlockParams,
  DistrictParams,
  ItemParams,
  StacCatalog,
  StacCollection,
  StacItem,
  StateParams,
} from '../schemas/stac.ts';
import { ok, PARAMETER_ERRORS } from '../../../rows/common.ts';
import { type PublicRequest, shellFor } from '../../../screens/replies.ts';
import { paths } from '../../../wire/paths.ts';
import { EXAMPLE_ITEM, EXAMPLE_PLACE } from '../../../rows/example-world.ts';

const state = { state: EXAMPLE_PLACE.state };
const district = { ...state, district: EXAMPLE_PLACE.district };
const block = EXAMPLE_PLACE;
const NOT_FOUND = [...PARAMETER_ERRORS, 'not_found'] as const;
const GEOJSON = 'application/geo+json; charset=utf-8';
/** Browsers get a page, and programs get the document. */
const PAGE = { media: ['text/html'] };

const COLLECTION = { 200: { ...ok('Collection', StacCollection), ...PAGE }, 304: NOT_MODIFIED };

function collectionForm(
  deps: Ports<
    | 'accounts'
    | 'baseUrl'
    | 'canCompute'
    | 'documents'
    | 'featured'
    | 'itemForm'
    | 'mapServer'
    | 'pipelines'
    | 'publication'
    | 'screens'
    | 'stores'
    | 'summaries'
    | 'version'
    | 'workService'
  >,
  slugs: readonly string[],
  { query: { format, page = 1 }, ...request }: PublicRequest & { readonly query: z.infer<typeof ListQuery> },
): Promise<Reply> {
  return pageOrDocument(
    { headers: request.headers, format },
    {
      document: () => collectionOf(deps, slugs),
      shell: () => shellFor(request, deps),
      page: async (shell) => {
        try {
          return collectionPage({ ...(await collectionFacts(deps, slugs, { page, ...shell })), shell });
        } catch (error) {
          return notComputedPage({ ...(await notComputedFacts(deps, { slugs, ...shell }, error)), shell });
        }
      },
    },
  );
}

const getCatalog = operation({
  id: 'getCatalog',
  method: 'GET',
  path: paths.catalog,
  auth: 'public',
  errorFormat: 'withError',
  tag: 'stac',
  summary: 'Returns the root of the STAC catalogue',
  query: ListQuery,
  responses: { 200: { ...ok('Catalog', StacCatalog), ...PAGE }, 304: NOT_MODIFIED },
  errors: PARAMETER_ERRORS,
  examples: [
    { name: 'root', status: 200 },
    { name: 'page', query: { format: 'html' }, status: 200 },
  ],
  handler({ headers, queryText, remoteAddress, query: { format, page = 1 } }, deps) {
    return pageOrDocument(
      { headers, format },
      {
        document: () => rootCatalog(deps),
        shell: () => shellFor({ headers, queryText, remoteAddress }, deps),
        page: async (shell) =>
          collectionPage({ ...catalogFacts(await rootCatalog(deps), deps, { page, ...shell }), shell }),
      },
    );
  },
});

const getState = operation({
  id: 'getStateCollection',
  method: 'GET',
  path: paths.stateCollection,
  auth: 'public',
  errorFormat: 'withError',
  tag: 'stac',
  summary: 'Returns the Collection of a state',
  params: StateParams,
  query: ListQuery,
  responses: COLLECTION,
  errors: NOT_FOUND,
  examples: [
    { name: 'sample', params: state, status: 200 },
    { name: 'unknown', params: { state: 'nowhere' }, status: 404 },
  ],
  handler({ params, query, headers, queryText, remoteAddress }, deps) {
    const form = { query, headers, queryText, remoteAddress };
    return collectionForm(deps, [params.state], form);
  },
});

const getDistrict = operation({
  id: 'getDistrictCollection',
  method: 'GET',
  path: paths.districtCollection,
  auth: 'public',
  errorFormat: 'withError',
  tag: 'stac',
  summary: 'Returns the Collection of a district',
  params: DistrictParams,
  query: ListQuery,
  responses: COLLECTION,
  errors: NOT_FOUND,
  examples: [{ name: 'sample', params: district, status: 200 }],
  handler({ params, query, headers, queryText, remoteAddress }, deps) {
    const form = { query, headers, queryText, remoteAddress };
    return collectionForm(deps, [params.state, params.district], form);
  },
});

const getBlock = operation({
  id: 'getBlockCollection',
  method: 'GET',
  path: paths.blockCollection,
  auth: 'public',
  errorFormat: 'withError',
  tag: 'stac',
  summary: 'Returns the Collection of a block (tehsil), with links to its Items',
  params: BlockParams,
  query: ListQuery,
  responses: COLLECTION,
  errors: NOT_FOUND,
  examples: [
    { name: 'sample', params: block, status: 200 },
    { name: 'page', params: block, headers: { accept: 'text/html' }, status: 200 },
  ],
  handler({ params, query, headers, queryText, remoteAddress }, deps) {
    const form = { query, headers, queryText, remoteAddress };
    return collectionForm(deps, [params.state, params.district, params.block], form);
  },
});

const getItem = operation({
  id: 'getItem',
  method: 'GET',
  path: paths.item,
  auth: 'public',
  errorFormat: 'withError',
  tag: 'stac',
  summary: 'Returns a STAC Item',
  params: ItemParams,
  query: LayerQuery,
  responses: { 200: { ...ok('Item', StacItem), media: ['application/geo+json', 'text/html'] }, 304: NOT_MODIFIED },
  errors: NOT_FOUND,
  examples: [
    { name: 'sample', params: { ...block, item: EXAMPLE_ITEM }, status: 200 },
    { name: 'page', params: { ...block, item: EXAMPLE_ITEM }, headers: { accept: 'text/html' }, status: 200 },
    { name: 'unknown', params: { ...block, item: 'nothing' }, status: 404 },
  ],
  handler({ params, headers, queryText, remoteAddress, query: { format, class: only } }, deps) {
    const path = `${params.state}/${params.district}/${params.block}`;
    const { maps } = deps.documents;
    return pageOrDocument(
      { headers, format },
      {
        type: GEOJSON,
        document: () => itemTextOf(deps, { collectionPath: path, id: params.item }),
        shell: () => shellFor({ headers, queryText, remoteAddress }, deps),
        page: async (shell) =>
          itemPage({
            ...(await itemFacts(deps, { collectionPath: path, id: params.item }, { only, language: shell.language })),
            shell,
          }),
        ...(maps === undefined ? {} : { pageHeaders: maps.headers }),
      },
    );
  },
});

/** Operations of the catalogue as static STAC documents. They need no account. */
export const stacOperations = [getCatalog, getState, getDistrict, getBlock, getItem] satisfies readonly Operation[];
