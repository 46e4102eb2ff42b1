import { collectionOf, itemOf, rootCatalog } from '../handlers/stac-documents.ts';
import { operation, type Operation } from '../operation.ts';
import { json } from '../reply.ts';
import {
  BlockParams,
  DistrictParams,
  ItemParams,
  StacCatalog,
  StacCollection,
  StacItem,
  StateParams,
} from '../wire/schemas/stac.ts';
import { ok, PARAMETER_ERRORS } from './common.ts';
import { paths } from '../wire/paths.ts';
import { EXAMPLE_ITEM, EXAMPLE_PLACE } from '../example-world.ts';

const state = { state: EXAMPLE_PLACE.state };
const district = { ...state, district: EXAMPLE_PLACE.district };
const block = EXAMPLE_PLACE;
const NOT_FOUND = [...PARAMETER_ERRORS, 'not_found'] as const;
const GEOJSON = { 'content-type': 'application/geo+json; charset=utf-8' };

const getCatalog = operation({
  id: 'getCatalog',
  method: 'GET',
  path: paths.catalog,
  auth: 'public',
  tag: 'stac',
  summary: 'The root of the STAC catalogue',
  responses: { 200: ok('Catalog', StacCatalog) },
  errors: [],
  examples: [{ name: 'root', status: 200 }],
  async handler(_input, deps) {
    return json(200, await rootCatalog(deps));
  },
});

const getState = operation({
  id: 'getStateCollection',
  method: 'GET',
  path: paths.stateCollection,
  auth: 'public',
  tag: 'stac',
  summary: 'Collection of a state',
  params: StateParams,
  responses: { 200: ok('Collection', StacCollection) },
  errors: NOT_FOUND,
  examples: [
    { name: 'sample', params: state, status: 200 },
    { name: 'unknown', params: { state: 'nowhere' }, status: 404 },
  ],
  async handler({ params }, deps) {
    return json(200, await collectionOf(deps, [params.state]));
  },
});

const getDistrict = operation({
  id: 'getDistrictCollection',
  method: 'GET',
  path: paths.districtCollection,
  auth: 'public',
  tag: 'stac',
  summary: 'Collection of a district',
  params: DistrictParams,
  responses: { 200: ok('Collection', StacCollection) },
  errors: NOT_FOUND,
  examples: [{ name: 'sample', params: district, status: 200 }],
  async handler({ params }, deps) {
    return json(200, await collectionOf(deps, [params.state, params.district]));
  },
});

const getBlock = operation({
  id: 'getBlockCollection',
  method: 'GET',
  path: paths.blockCollection,
  auth: 'public',
  tag: 'stac',
  summary: 'Collection of a block (tehsil), with links to its Items',
  params: BlockParams,
  responses: { 200: ok('Collection', StacCollection) },
  errors: NOT_FOUND,
  examples: [{ name: 'sample', params: block, status: 200 }],
  async handler({ params }, deps) {
    return json(200, await collectionOf(deps, [params.state, params.district, params.block]));
  },
});

const getItem = operation({
  id: 'getItem',
  method: 'GET',
  path: paths.item,
  auth: 'public',
  tag: 'stac',
  summary: 'A STAC Item',
  params: ItemParams,
  responses: { 200: { ...ok('Item', StacItem), media: ['application/geo+json'] } },
  errors: NOT_FOUND,
  examples: [
    { name: 'sample', params: { ...block, item: EXAMPLE_ITEM }, status: 200 },
    { name: 'unknown', params: { ...block, item: 'nothing' }, status: 404 },
  ],
  async handler({ params }, deps) {
    const path = `${params.state}/${params.district}/${params.block}`;
    return json(200, await itemOf(deps, path, params.item), GEOJSON);
  },
});

/** The catalogue as static STAC documents, public so that every link of an Item resolves. */
export const stacOperations = [getCatalog, getState, getDistrict, getBlock, getItem] satisfies readonly Operation[];
