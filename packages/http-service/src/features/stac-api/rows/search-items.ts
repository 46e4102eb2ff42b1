import { z } from 'zod';
import { MEDIA } from '@headwater/stac';
import type { ErrorCode } from '@headwater/core';
import { ownTurn } from '@headwater/core/timing';
import { EXAMPLE_COLLECTION, EXAMPLE_ITEM } from '../../../rows/example-world.ts';
import { collectionPath } from '../handlers/collections.ts';
import { GEOJSON_TYPE, itemPage, itemText } from '../handlers/item-pages.ts';
import { operation, type Operation } from '../../../rows/operation.ts';
import { prepared } from '../../../caching/prepared.ts';
import { absent } from '../../../wire/absent.ts';
import { checked } from '../../../wire/checked.ts';
import { paths } from '../../../wire/paths.ts';
import { StacItem } from '../schemas/stac.ts';
import { stacApiAddresses } from '../schemas/addresses.ts';
import { CollectionItemParams, CollectionParams, ItemPageBody } from '../schemas/collection-schemas.ts';
import { ItemsQuery, SearchBody, searchMembers, SearchQuery } from '../schemas/search-schemas.ts';
import { NOT_MODIFIED } from '../../../rows/page-queries.ts';
import { BODY_ERRORS, PARAMETER_ERRORS } from '../../../rows/common.ts';

/** Common fields of the STAC API's operations. Pages of all origins may call them. */
export const STAC_API_ROW = { auth: 'public', tag: 'stac-api', errorFormat: 'stac', cors: 'any' } as const;
/** Errors of operations with a Collection in their path. */
export const stacApiNotFound: readonly ErrorCode[] = [...PARAMETER_ERRORS, 'not_found'];

/**
 * A body with more bytes is parsed in a separate iteration of the event loop, because a large filter takes up to 20 ms.
 */
const LARGE_BODY = 8192;

const SEARCH_ERRORS: readonly ErrorCode[] = ['unavailable', 'took_too_long'];

const collection = { collection_id: EXAMPLE_COLLECTION };
const ITEM_PAGE = { description: 'A page of Items', schema: ItemPageBody, media: [MEDIA.geojson] };
const SEARCH_DESCRIPTION =
  'An Item must meet all conditions. The link `next` leads to the next page. If `fields` names members to include, only these and the members that identify the Item are sent. Exception: if one of them is not `type`, `stac_version`, `id`, `collection`, `geometry`, `bbox`, `links` or `assets`, and no member is left out, all members that every Item needs are also sent. ' +
  'Searches by ids, Collections, box and time do not wait for searches with a filter; a search that waits too long is refused with 503 and Retry-After.';

const getItems = operation({
  ...STAC_API_ROW,
  id: 'listStacItems',
  method: 'GET',
  path: paths.stacCollectionItems,
  summary: 'Lists the Items of a Collection, page by page',
  params: CollectionParams,
  query: ItemsQuery,
  responses: { 200: ITEM_PAGE, 304: NOT_MODIFIED },
  errors: [...stacApiNotFound, ...SEARCH_ERRORS],
  examples: [
    { name: 'sample', params: collection, status: 200 },
    { name: 'one', params: collection, query: { limit: '1', sortby: '-datetime' }, status: 200 },
    { name: 'unknown', params: { collection_id: 'nowhere' }, status: 404 },
  ],
  async handler({ params, query, queryText }, deps) {
    const { collection_id: id } = params;
    await collectionPath(deps, id);
    const addresses = stacApiAddresses(deps.baseUrl);
    const conditions = { ...query.conditions, collections: [id] };
    return await itemPage(
      deps,
      { ...query, conditions },
      {
        request: { method: 'GET', address: addresses.items(id), query: queryText },
        links: [
          { rel: 'parent', href: addresses.collection(id), type: MEDIA.json },
          { rel: 'collection', href: addresses.collection(id), type: MEDIA.json },
        ],
      },
    );
  },
});

const getItem = operation({
  ...STAC_API_ROW,
  id: 'getStacItem',
  method: 'GET',
  path: paths.stacCollectionItem,
  summary: 'Returns an Item',
  params: CollectionItemParams,
  responses: { 200: { description: 'Item', schema: StacItem, media: [MEDIA.geojson] }, 304: NOT_MODIFIED },
  errors: stacApiNotFound,
  examples: [
    { name: 'sample', params: { ...collection, item_id: EXAMPLE_ITEM }, status: 200 },
    { name: 'unknown', params: { ...collection, item_id: 'nothing' }, status: 404 },
  ],
  async handler({ params: { collection_id: collectionId, item_id: id } }, deps) {
    const text = await itemText(deps, { collectionId, id });
    if (text !== undefined) return prepared(text, { type: GEOJSON_TYPE });
    // Throws if there is no such Collection. Otherwise only the Item is absent.
    await collectionPath(deps, collectionId);
    throw absent('item', { id });
  },
});

const searchByQuery = operation({
  ...STAC_API_ROW,
  id: 'searchStacItems',
  method: 'GET',
  path: paths.stacSearch,
  summary: 'Finds Items that meet the conditions of a query, page by page',
  description: SEARCH_DESCRIPTION,
  query: SearchQuery,
  responses: { 200: ITEM_PAGE, 304: NOT_MODIFIED },
  errors: [...PARAMETER_ERRORS, ...SEARCH_ERRORS],
  examples: [
    { name: 'in a box, at a time', query: { bbox: '84,23,86,25', datetime: '2021-08-01T00:00:00Z' }, status: 200 },
    { name: 'some members', query: { limit: '1', fields: 'properties.title', sortby: '+id' }, status: 200 },
    { name: 'by id', query: { ids: EXAMPLE_ITEM, collections: EXAMPLE_COLLECTION }, status: 200 },
    { name: 'bad box', query: { bbox: '84,25,86,23' }, status: 400 },
  ],
  handler({ query, queryText }, deps) {
    const { search } = stacApiAddresses(deps.baseUrl);
    return itemPage(deps, query, { request: { method: 'GET', address: search, query: queryText }, links: [] });
  },
});

const searchByBody = operation({
  ...STAC_API_ROW,
  id: 'searchStacItemsByBody',
  method: 'POST',
  path: paths.stacSearch,
  summary: 'Finds Items that meet the conditions of a body, page by page',
  description: SEARCH_DESCRIPTION,
  // The handler parses the body, because the link to the next page repeats the sent members.
  body: { kind: 'fields', schema: z.record(z.string(), z.unknown()), documented: SearchBody, accepts: ['json'] },
  responses: { 200: ITEM_PAGE },
  errors: [...BODY_ERRORS, ...SEARCH_ERRORS],
  examples: [
    { name: 'in a box', body: { bbox: [84, 23, 86, 25], limit: 1 }, status: 200 },
    {
      name: 'at a point',
      body: {
        intersects: { type: 'Point', coordinates: [85.05, 24.05] },
        collections: [EXAMPLE_COLLECTION],
        fields: { include: ['id', 'properties.title'], exclude: ['links'] },
        sortby: [{ field: 'properties.datetime', direction: 'desc' }],
      },
      status: 200,
    },
    { name: 'bad limit', body: { limit: -1 }, status: 400 },
  ],
  async handler({ body, headers }, deps) {
    const { search } = stacApiAddresses(deps.baseUrl);
    if (Number(headers['content-length'] ?? Infinity) > LARGE_BODY) await ownTurn();
    return await itemPage(deps, checked(SearchBody, body), {
      request: { method: 'POST', address: search, body: searchMembers(body) },
      links: [],
    });
  },
});

/** Operations of the STAC API's Items. */
export const stacApiItemOperations = [getItems, getItem, searchByQuery, searchByBody] satisfies readonly Operation[];
