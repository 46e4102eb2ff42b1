import type { ErrorCode } from '@headwater/core';
import { PRECONDITION_FAILED, NOT_MODIFIED } from '../../../rows/page-queries.ts';
import { KEY_ERRORS, ok, PARAMETER_ERRORS } from '../../../rows/common.ts';
import { EXAMPLE_NAMES } from '../../../rows/example-world.ts';
import { operation, type Operation } from '../../../rows/operation.ts';
import { computingLink } from '../../../items/computing-routes.ts';
import { paths } from '../../../wire/paths.ts';
import { geometries } from '../handlers/geometries.ts';
import { namedTehsil } from '../handlers/named-tehsil.ts';
import { Geometries, LayerRecords } from '../schemas/public-layers.ts';
import { PlaceQuery } from '../schemas/public-places.ts';

/** Common fields of the operations of public data that need an API key. */
export const KEY_ROW = {
  method: 'GET',
  auth: 'apiKey',
  tag: 'public',
  errorFormat: 'key',
  cachesQueries: true,
} as const;

/** Errors of the operations that look up a place and need an API key. */
export const PUBLIC_DATA_ERRORS: readonly ErrorCode[] = [...KEY_ERRORS, ...PARAMETER_ERRORS, 'not_found'];

const EMPTY_LIST = '[]';

const getLayerUrls = operation({
  ...KEY_ROW,
  id: 'getGeneratedLayerUrls',
  path: paths.layerUrls,
  summary: 'Lists the published layers of a tehsil, with addresses that need no key',
  description:
    'For a known tehsil without published layers the list is empty, and the header `Link` names requests that compute layers.',
  query: PlaceQuery,
  responses: { 200: ok('Layers, ordered by workspace and name', LayerRecords), 304: NOT_MODIFIED },
  errors: PUBLIC_DATA_ERRORS,
  examples: [
    { name: 'sample', query: EXAMPLE_NAMES, status: 200 },
    { name: 'unknown', query: { ...EXAMPLE_NAMES, tehsil: 'Nowhere' }, status: 404 },
    { name: 'no tehsil', query: { state: EXAMPLE_NAMES.state, district: EXAMPLE_NAMES.district }, status: 400 },
  ],
  async handler({ query }, deps) {
    const { tehsilId } = await namedTehsil(deps, query);
    const list = await deps.lists.layersOf(tehsilId);
    // An empty list has status 200 too, because clients of the live system stop at a 404.
    return list.prepared.bytes.length > EMPTY_LIST.length
      ? list
      : { ...list, headers: { ...list.headers, ...computingLink(deps) } };
  },
});

const GEOMETRY_ROW = {
  ...KEY_ROW,
  description:
    'If the layer is not published, the response has the boundaries of the place directory in the same form; the response to HEAD then has a Content-Length only after a GET.',
  query: PlaceQuery,
  responses: {
    200: { ...ok('FeatureCollection, lon/lat', Geometries), media: ['application/json'] },
    206: { description: 'A range of the response', media: ['application/json'] },
    304: NOT_MODIFIED,
    412: PRECONDITION_FAILED,
  },
  errors: [...PUBLIC_DATA_ERRORS, 'unavailable', 'range_not_satisfiable', 'internal'],
  examples: [
    { name: 'sample', query: EXAMPLE_NAMES, status: 200 },
    { name: 'unknown', query: { ...EXAMPLE_NAMES, tehsil: 'Nowhere' }, status: 404 },
  ],
} as const;

const getMwsGeometries = operation({
  ...GEOMETRY_ROW,
  id: 'getMwsGeometries',
  path: paths.mwsGeometries,
  summary:
    "Returns the micro-watersheds of a tehsil as in the map server's layer, with only `uid`; HEAD and Range work",
  handler: ({ query: place, method, headers }, deps) => geometries(deps, { place, kind: 'mws', method, headers }),
});

const getVillageGeometries = operation({
  ...GEOMETRY_ROW,
  id: 'getVillageGeometries',
  path: paths.villageGeometries,
  summary:
    "Returns the villages of a tehsil as in the map server's layer, with only `vill_ID` (0 = none) and `vill_name`; HEAD and Range work",
  handler: ({ query: place, method, headers }, deps) => geometries(deps, { place, kind: 'villages', method, headers }),
});

/** Operations of a tehsil's layers, and of the boundaries with which tables are joined. */
export const publicLayerOperations = [
  getLayerUrls,
  getMwsGeometries,
  getVillageGeometries,
] satisfies readonly Operation[];
