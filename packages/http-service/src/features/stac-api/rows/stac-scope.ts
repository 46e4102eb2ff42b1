import { EXAMPLE_DATASET, EXAMPLE_PLACE } from '../../../rows/example-world.ts';
import { layerItem, scopeDocument } from '../handlers/stac-scope.ts';
import { operation, type Operation } from '../../../rows/operation.ts';
import { fieldsBody } from '../../../seam/row-body.ts';
import { prepared } from '../../../caching/prepared.ts';
import { json } from '../../../seam/reply.ts';
import { paths } from '../../../wire/paths.ts';
import { StacCatalog, StacCollection } from '../schemas/stac.ts';
import { GeneratedBody, GenerateRequest, ScopeQuery } from '../schemas/stac-scope.ts';
import { sentences } from '../../../wire/sentences.ts';
import { NOT_MODIFIED } from '../../../rows/page-queries.ts';
import { BEARER_ERRORS, BODY_ERRORS, ok, PARAMETER_ERRORS } from '../../../rows/common.ts';

const GEOJSON = 'application/geo+json; charset=utf-8';
const LAYER = { ...EXAMPLE_PLACE, layer_name: EXAMPLE_DATASET, layer_type: 'raster' };

const getScope = operation({
  id: 'getStacCatalog',
  method: 'GET',
  path: paths.stacScope,
  auth: 'public',
  errorFormat: 'withError',
  tag: 'stac',
  summary: 'Returns the STAC document of the deepest named place; the root if none is named',
  query: ScopeQuery,
  responses: {
    200: { ...ok('Catalog or Collection', StacCatalog.or(StacCollection)), media: ['application/geo+json'] },
    304: NOT_MODIFIED,
  },
  errors: [...PARAMETER_ERRORS, 'not_found'],
  examples: [
    { name: 'root', status: 200 },
    { name: 'state', query: { state: EXAMPLE_PLACE.state }, status: 200 },
    { name: 'block', query: EXAMPLE_PLACE, status: 200 },
    { name: 'unknown', query: { state: 'nowhere' }, status: 404 },
    { name: 'a missing level', query: { state: EXAMPLE_PLACE.state, block: EXAMPLE_PLACE.block }, status: 400 },
  ],
  async handler({ query }, deps) {
    return prepared(JSON.stringify(await scopeDocument(deps, query)), { type: GEOJSON });
  },
});

const generate = operation({
  id: 'generateStacCollection',
  method: 'POST',
  path: paths.stacGenerate,
  auth: 'bearer',
  errorFormat: 'withError',
  tag: 'stac',
  summary:
    'Confirms the STAC documents of a published layer, for existing clients that generate documents before they read them',
  description:
    'Items are published with their layers, and Collections are built from them on each request, so there is nothing to generate. ' +
    'If the layer is not published, the response is 404.',
  body: fieldsBody(GenerateRequest, { refusesEmpty: true }),
  responses: { 200: ok('The documents exist', GeneratedBody) },
  errors: [...BEARER_ERRORS, ...BODY_ERRORS, 'not_found', 'internal'],
  examples: [
    { name: 'any year', body: LAYER, status: 200 },
    { name: 'a year', body: { ...LAYER, start_year: '2021', overwrite: true }, status: 200 },
    { name: 'not published', body: { ...LAYER, layer_name: 'nothing' }, status: 404 },
    { name: 'unknown type', body: { ...LAYER, layer_type: 'mesh' }, status: 400 },
    { name: 'another type', body: { ...LAYER, layer_type: 'vector' }, status: 400 },
    { name: 'incomplete', body: { state: EXAMPLE_PLACE.state }, status: 400 },
  ],
  async handler({ body }, deps) {
    await layerItem(deps, body);
    return json(200, { Success: sentences.stacGenerated });
  },
});

/** Operations of the catalogue by place names, for existing clients. */
export const stacScopeOperations = [getScope, generate] satisfies readonly Operation[];
