import type { ErrorCode } from '@headwater/core';
import { PRECONDITION_FAILED, NOT_MODIFIED } from '../../../rows/conditional-responses.ts';
import { KEY_ERRORS, ok, PARAMETER_ERRORS } from '../../../rows/common.ts';
import { EXAMPLE_NAMES } from '../../../rows/example-world.ts';
import { operation, type Operation } from '../../../rows/operation.ts';
import { paths } from '../../../wire/paths.ts';
import { geometries } from '../handlers/geometries.ts';
import { namedTehsil } from '../handlers/named-tehsil.ts';
import { Geometries, LayerRecords } from '../schemas/public-layers.ts';
import { PlaceQuery } from '../schemas/public-places.ts';

/** What every row of the public data has in common. */
export const KEY_ROW = {
  method: 'GET',
  auth: 'apiKey',
  tag: 'public',
  errorFormat: 'key',
  cachesQueries: true,
} as const;

/** Failures of every row of the public data. */
export const PUBLIC_DATA_ERRORS: readonly ErrorCode[] = [...KEY_ERRORS, ...PARAMETER_ERRORS, 'not_found'];

const getLayerUrls = operation({
  ...KEY_ROW,
  id: 'getGeneratedLayerUrls',
  path: paths.layerUrls,
  summary: 'Layers that are published of a tehsil, with addresses that need no key',
  description: 'A known tehsil of which nothing is published has an empty list.',
  query: PlaceQuery,
  responses: { 200: ok('By workspace and name', LayerRecords), 304: NOT_MODIFIED },
  errors: PUBLIC_DATA_ERRORS,
  examples: [
    { name: 'sample', query: EXAMPLE_NAMES, status: 200 },
    { name: 'unknown', query: { ...EXAMPLE_NAMES, tehsil: 'Nowhere' }, status: 404 },
    { name: 'no tehsil', query: { state: EXAMPLE_NAMES.state, district: EXAMPLE_NAMES.district }, status: 400 },
  ],
  async handler({ query }, deps) {
    const { tehsilId } = await namedTehsil(deps, query);
    return await deps.lists.layersOf(tehsilId);
  },
});

const GEOMETRY_ROW = {
  ...KEY_ROW,
  description:
    'Where no such layer is published: what is known of the boundaries, in the same form. HEAD tells the length once somebody has fetched it.',
  query: PlaceQuery,
  responses: {
    200: { ...ok('FeatureCollection, lon/lat', Geometries), media: ['application/json'] },
    206: { description: 'A range of it', media: ['application/json'] },
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
  summary: "Micro-watersheds of a tehsil as the map server's layer has them, with `uid` alone; HEAD and Range work",
  handler: ({ query: place, method, headers }, deps) => geometries(deps, { place, kind: 'mws', method, headers }),
});

const getVillageGeometries = operation({
  ...GEOMETRY_ROW,
  id: 'getVillageGeometries',
  path: paths.villageGeometries,
  summary:
    "Villages of a tehsil as the map server's layer has them, with `vill_ID` (0 = none) and `vill_name` alone; HEAD and Range work",
  handler: ({ query: place, method, headers }, deps) => geometries(deps, { place, kind: 'villages', method, headers }),
});

/** Layers of a tehsil and boundaries to join tables on. */
export const publicLayerOperations = [
  getLayerUrls,
  getMwsGeometries,
  getVillageGeometries,
] satisfies readonly Operation[];
