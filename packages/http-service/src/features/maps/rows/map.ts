import { isDomainError } from '@headwater/core/errors';
import { z } from 'zod';
import { serveFile } from '../../../answering/serve-file.ts';
import type { Ports } from '../../../deps.ts';
import { PRECONDITION_FAILED, NOT_MODIFIED } from '../../../rows/page-queries.ts';
import { EXAMPLE_LAYERS } from '../../../rows/example-world.ts';
import { operation, type Operation } from '../../../rows/operation.ts';
import type { Reply } from '../../../seam/reply.ts';
import { createAddresses } from '../../../wire/addresses.ts';
import { paths } from '../../../wire/paths.ts';
import { text } from '../../../wire/text.ts';
import { layerFile, type OgcRequest, seeNewest, withoutWorkspace } from '../handlers/layer-file.ts';
import { demand, ogcError, refuseUnknown } from '../handlers/ogc.ts';
import { answerMap, type MapInput } from '../handlers/answer-map.ts';
import { getFeature, isWholeLayer } from '../handlers/wfs.ts';
import { integerParameter, keyValuePairs, type Parameters, parameter } from '../schemas/key-value-pairs.ts';
import { MAP_ERRORS, mapSuccess } from './map-row.ts';
import { mapFeatureOperations } from './map-features.ts';
import { mapServiceOperations, SERVICE_SUCCESS } from './map-services.ts';
import { mapTileOperations } from './map-tiles.ts';

const RUN = parameter('Id of a run. The response is then the version that this run published, not the newest version.');
const COVERAGE = 'Name of a raster layer, {workspace}:{layer}';

const WCS_PARAMETERS: Parameters = {
  service: parameter('Protocol: WCS.', 'WCS'),
  version: parameter('Version of the protocol.', '2.0.1'),
  request: parameter('Name of the request.', 'GetCoverage'),
  CoverageId: parameter(`${COVERAGE}.`),
  format: parameter('Format of the response: only GeoTIFF. Optional.', 'geotiff', 'image/tiff'),
  compression: parameter('Accepted and ignored: the file is always compressed.'),
  tiling: parameter('Accepted and ignored: the file is always tiled.'),
  tileHeight: integerParameter('Accepted and ignored.', { minimum: 1 }),
  tileWidth: integerParameter('Accepted and ignored.', { minimum: 1 }),
  run: RUN,
};

/** Parameters of the address `ows`. Clients also send WCS and WMS requests to this address. */
const WFS_PARAMETERS: Parameters = {
  service: parameter('Protocol; with WCS or WMS, send the parameters of that protocol.', 'WFS', 'WCS', 'WMS'),
  version: parameter('Version of the protocol: 1.0.0, 1.1.0 or 2.0.0 of WFS.'),
  request: parameter('Name of the request: `GetFeature`, `DescribeFeatureType` or `GetCapabilities` of WFS.'),
  typeName: parameter(
    'Name of a vector layer, {workspace}:{layer}; required by GetFeature (GetCoverage needs CoverageId). `typeNames` is accepted too.',
  ),
  CoverageId: parameter(`${COVERAGE}; required by GetCoverage of WCS (GetFeature needs typeName).`),
  outputFormat: parameter(
    'Format of features: `application/json`, `csv`, `SHAPE-ZIP` or GML, such as `text/xml; subtype=gml/3.1.1`; ' +
      'default: GML of the version.',
  ),
  srsName: parameter('Coordinate system of features: EPSG:4326, CRS:84 or EPSG:3857. GeoJSON is always lon/lat.'),
  bbox: parameter(
    'Box of features: four numbers and a coordinate system. Without a coordinate system, the order is lon,lat in 1.0.0, and lat,lon in later versions.',
  ),
  CQL_FILTER: parameter('Filter of features, ECQL. It cannot be sent together with `bbox` or `FILTER`.'),
  FILTER: parameter('Filter of features, XML: BBOX, comparisons, ids, And, Or, Not.'),
  propertyName: parameter('Columns of the response, separated by commas.'),
  sortBy: parameter('Columns by which features are sorted, each with `A` or `D`.'),
  count: integerParameter('Maximum number of features; `maxFeatures` is accepted too.', { minimum: 0 }),
  startIndex: integerParameter('Number of features to leave out at the start.', { minimum: 0 }),
  resultType: parameter('`hits` counts features without sending them.', 'results', 'hits'),
  run: RUN,
};

const FORMATS = [
  'geotiff',
  'image/tiff',
  'image/geotiff',
  'image/tiff; application=geotiff',
  'image/tiff;application=geotiff',
];
/** Accepted parameters. Those for compression and tiling are ignored: the stored file already has both. */
const KNOWN = [
  'service',
  'version',
  'request',
  'coverageid',
  'format',
  'compression',
  'tiling',
  'tileheight',
  'tilewidth',
  'run',
];

function isWholeCoverage(query: OgcRequest['query']): boolean {
  const format = query['format']?.toLowerCase();
  return (
    query['version'] === '2.0.1' &&
    query['request']?.toLowerCase() === 'getcoverage' &&
    (query['coverageid'] ?? '') !== '' &&
    (format === undefined || FORMATS.includes(format)) &&
    Object.keys(query).every((name) => KNOWN.includes(name))
  );
}

async function getCoverage(deps: Ports<'assets' | 'baseUrl' | 'stores'>, request: OgcRequest): Promise<Reply> {
  const { workspace, query, method, headers } = request;
  demand(query, { service: ['WCS'], version: ['2.0.1'], request: ['GetCoverage'] });
  refuseUnknown(query, KNOWN);
  const id = query['coverageid'];
  if (id === undefined || id === '')
    throw ogcError('MissingParameterValue', 'coverageid', 'coverageId: missing; name a coverage');
  if (query['format'] !== undefined) demand(query, { format: FORMATS });
  const layer = await layerFile(deps, request, { layerType: 'raster', name: id });
  if (layer === undefined)
    return seeNewest(createAddresses(deps.baseUrl).coverage(workspace, withoutWorkspace(workspace, id)));
  const { file, layerName, isLasting } = layer;
  // All characters except letters, digits, `_`, `.` and `-` are replaced, because they could break the header.
  const download = `${layerName.replace(/[^\w.-]/g, '_')}.tif`;
  return serveFile({ file, mediaType: 'image/tiff; application=geotiff', download, isLasting }, method, headers);
}

const params = z.object({ workspace: text(100).describe('Workspace of the layer, as in the hrefs of its Item.') });
const wfsQuery = keyValuePairs(WFS_PARAMETERS, ['service', 'request']);
const wcsQuery = keyValuePairs(WCS_PARAMETERS, ['service', 'version', 'request', 'CoverageId']);
const { raster, vector } = EXAMPLE_LAYERS;
const workspace = { workspace: raster.workspace };
const vectors = { workspace: vector.workspace };
const coverage = {
  service: 'WCS',
  version: '2.0.1',
  request: 'GetCoverage',
  CoverageId: `${raster.workspace}:${raster.name}`,
};
const feature = {
  service: 'WFS',
  version: '1.0.0',
  request: 'GetFeature',
  typeName: `${vector.workspace}:${vector.name}`,
};
const json = { outputFormat: 'application/json' };
const TIFF = ['image/tiff; application=geotiff'];
const ERRORS = ['unavailable', 'range_not_satisfiable', 'internal'] as const;
const FILES_GONE = {
  description: 'The files of the run named by `run` are deleted; Location is the address of the newest version',
};

const ABOUT =
  'Returns the newest version; with `run`, as in the hrefs of Items, the version that this run published. ' +
  'Errors are OGC exception reports.';

/**
 * Sends the features of a layer. For an unknown layer, the map server replies with an error in the requested format.
 */
async function featuresUnlessAbsent(
  deps: Ports<'assets' | 'baseUrl' | 'forms' | 'mapServer' | 'stores'>,
  request: OgcRequest,
  input: MapInput,
): Promise<Reply> {
  try {
    return await getFeature(deps, request);
  } catch (error) {
    if (deps.mapServer !== undefined && isDomainError(error) && error.code === 'not_found')
      return await answerMap(deps, input);
    throw error;
  }
}

const ows = operation({
  id: 'getLayer',
  method: 'GET',
  path: paths.features,
  auth: 'public',
  tag: 'map',
  summary:
    'WFS of a workspace; HEAD and Range work for whole layers as GeoJSON (this address also answers WCS and WMS)',
  description: ABOUT,
  params,
  query: wfsQuery,
  foldQueryCase: true,
  joinedQuery: ['subset'],
  responses: {
    200: mapSuccess(SERVICE_SUCCESS, 'FeatureCollection, lon/lat, or another response of the service'),
    206: { description: 'A range of the layer', media: ['application/geo+json', ...TIFF] },
    304: NOT_MODIFIED,
    307: FILES_GONE,
    412: PRECONDITION_FAILED,
    ...MAP_ERRORS,
  },
  errors: ERRORS,
  errorFormat: 'ogc',
  examples: [
    { name: 'layer', params: vectors, query: { ...feature, ...json }, status: 200 },
    {
      name: 'unknown',
      params: vectors,
      query: { ...feature, ...json, typeName: 'none' },
      status: 404,
    },
    { name: 'box', params: vectors, query: { ...feature, ...json, bbox: '84,23,86,25' }, status: 200 },
    { name: 'unknown format', params: vectors, query: { ...feature, outputFormat: 'none' }, status: 400 },
  ],
  handler(input, deps) {
    const { params, query, method, headers } = input;
    const request = { ...params, query, method, headers };
    const isCoverage = query['service']?.toUpperCase() === 'WCS';
    const isWhole = isCoverage
      ? isWholeCoverage(query)
      : query['service']?.toUpperCase() === 'WFS' && isWholeLayer(query);
    if (deps.mapServer !== undefined && !isWhole) return answerMap(deps, input);
    return isCoverage ? getCoverage(deps, request) : featuresUnlessAbsent(deps, request, input);
  },
});

const wcs = operation({
  id: 'getCoverage',
  method: 'GET',
  path: paths.coverage,
  auth: 'public',
  tag: 'map',
  summary: 'WCS 2.0.1 GetCoverage of a whole raster layer as GeoTIFF; HEAD and Range work',
  description: ABOUT,
  params,
  query: wcsQuery,
  foldQueryCase: true,
  joinedQuery: ['subset'],
  responses: {
    200: mapSuccess(SERVICE_SUCCESS, 'The coverage, or another response of the service'),
    206: { description: 'The requested range', media: TIFF },
    304: NOT_MODIFIED,
    307: FILES_GONE,
    412: PRECONDITION_FAILED,
    ...MAP_ERRORS,
  },
  errors: ERRORS,
  errorFormat: 'ogc',
  examples: [
    { name: 'coverage', params: workspace, query: { ...coverage, format: 'geotiff', compression: 'LZW' }, status: 200 },
    { name: 'subset', params: workspace, query: { ...coverage, subset: 'Long(1,2)' }, status: 400 },
    { name: 'unknown', params: workspace, query: { ...coverage, CoverageId: 'none' }, status: 404 },
  ],
  handler(input, deps) {
    const { params, query, method, headers } = input;
    const isWhole = (query['service'] ?? '').toUpperCase() === 'WCS' && isWholeCoverage(query);
    if (deps.mapServer !== undefined && !isWhole) return answerMap(deps, input);
    return getCoverage(deps, { ...params, query, method, headers });
  },
});

/** The two operations for layers that Items link to. */
export const mapOperations = [ows, wcs] satisfies readonly Operation[];

/** All operations of the service's own map server. */
export const mapServerOperations: readonly Operation[] = [
  ...mapOperations,
  ...mapServiceOperations,
  ...mapFeatureOperations,
  ...mapTileOperations,
];
