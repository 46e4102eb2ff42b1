import { z } from 'zod';
import { serveFile } from '../../../answering/serve-file.ts';
import type { Ports } from '../../../deps.ts';
import { PRECONDITION_FAILED, NOT_MODIFIED } from '../../../rows/conditional-responses.ts';
import { EXAMPLE_LAYERS } from '../../../rows/example-world.ts';
import { operation, type Operation } from '../../../rows/operation.ts';
import type { Reply } from '../../../seam/reply.ts';
import { createAddresses } from '../../../wire/addresses.ts';
import { paths } from '../../../wire/paths.ts';
import { text } from '../../../wire/text.ts';
import { layerFile, type OgcRequest, seeNewest, withoutWorkspace } from '../handlers/layer-file.ts';
import { demand, ogcError, refuseUnknown } from '../handlers/ogc.ts';
import { getFeature } from '../handlers/wfs.ts';

/** What is told of a parameter of an OGC request: a JSON Schema of one text. */
type Told = Readonly<{ type: 'string'; description: string; enum?: readonly string[] }>;
type Parameters = Readonly<Record<string, Told>>;

const told = (description: string, ...values: readonly string[]): Told => ({
  type: 'string',
  description,
  ...(values.length === 0 ? {} : { enum: values }),
});

const RUN = told('Id of a run: what it published, in place of the newest version.');
const COVERAGE = 'Name of a raster layer, {workspace}:{layer}';

/** Of WCS GetCoverage. */
const WCS_PARAMETERS: Parameters = {
  service: told('The service.', 'WCS'),
  version: told('Its version.', '2.0.1'),
  request: told('What is asked for.', 'GetCoverage'),
  CoverageId: told(`${COVERAGE}.`),
  format: told('GeoTIFF is the only one; may be left out.', 'geotiff', 'image/tiff'),
  compression: told('Heard and not needed: the file is compressed.'),
  tiling: told('Heard and not needed: the file is tiled.'),
  tileHeight: told('Heard and not needed.'),
  tileWidth: told('Heard and not needed.'),
  run: RUN,
};

/** Of WFS GetFeature, at an address that answers WCS too. */
const WFS_PARAMETERS: Parameters = {
  service: told('The service; with WCS the parameters are those of GetCoverage.', 'WFS', 'WCS'),
  version: told('Its version: 1.0.0 of WFS, 2.0.1 of WCS.', '1.0.0', '2.0.1'),
  request: told('What is asked for.', 'GetFeature', 'GetCoverage'),
  typeName: told('Name of a vector layer, {workspace}:{layer}; required with WFS (with WCS: CoverageId).'),
  CoverageId: told(`${COVERAGE}; required with WCS (with WFS: typeName).`),
  outputFormat: told('GeoJSON is the only one; required with WFS.', 'application/json', 'json'),
  srsName: told('Lon/lat is the only one; may be left out.', 'EPSG:4326'),
  run: RUN,
};

/** Key-value pairs of an OGC request: any are taken here, whatever the case of their names; these are told. */
function keyValuePairs(properties: Parameters, required: readonly string[]): z.ZodType<Record<string, string>> {
  return z.record(z.string(), z.string()).meta({ properties, required });
}

const FORMATS = [
  'geotiff',
  'image/tiff',
  'image/geotiff',
  'image/tiff; application=geotiff',
  'image/tiff;application=geotiff',
];
/** Wishes about the encoding are heard and not needed: the stored file is compressed and tiled already. */
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

/** WCS 2.0.1 GetCoverage of a whole coverage: the stored COG, with HEAD and Range. */
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
  // A name of the catalogue: slugs and digits; anything else would not be safe in a header.
  const download = `${layerName.replace(/[^\w.-]/g, '_')}.tif`;
  return serveFile({ file, mediaType: 'image/tiff; application=geotiff', download, isLasting }, method, headers);
}

const params = z.object({ workspace: text(100).describe('Workspace of the layer, as the hrefs of its Item have it.') });
const wfsQuery = keyValuePairs(WFS_PARAMETERS, ['service', 'version', 'request']);
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
const ERRORS = ['validation', 'parse', 'not_found', 'unavailable', 'range_not_satisfiable', 'internal'] as const;
const FILES_GONE = { description: 'The files of the run named by `run` are gone; Location has the newest version' };

const ABOUT =
  'Answers the newest version; with `run`, as in the hrefs of Items, the one that this run published. ' +
  'Any other request is answered with an OGC exception report.';

const ows = operation({
  id: 'getLayer',
  method: 'GET',
  path: paths.features,
  auth: 'public',
  tag: 'map',
  summary:
    'WFS 1.0.0 GetFeature of a whole vector layer as GeoJSON; HEAD and Range work (WCS requests are answered here too)',
  description: ABOUT,
  params,
  query: wfsQuery,
  foldQueryCase: true,
  responses: {
    200: { description: 'FeatureCollection, lon/lat', media: ['application/geo+json', ...TIFF] },
    206: { description: 'A range of the layer', media: ['application/geo+json', ...TIFF] },
    304: NOT_MODIFIED,
    307: FILES_GONE,
    412: PRECONDITION_FAILED,
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
    { name: 'GML', params: vectors, query: { ...feature, outputFormat: 'GML2' }, status: 400 },
  ],
  handler({ params: { workspace }, query, method, headers }, deps) {
    const request = { workspace, query, method, headers };
    return query['service']?.toUpperCase() === 'WCS' ? getCoverage(deps, request) : getFeature(deps, request);
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
  responses: {
    200: { description: 'The coverage', media: TIFF },
    206: { description: 'The range asked for', media: TIFF },
    304: NOT_MODIFIED,
    307: FILES_GONE,
    412: PRECONDITION_FAILED,
  },
  errors: ERRORS,
  errorFormat: 'ogc',
  examples: [
    { name: 'coverage', params: workspace, query: { ...coverage, format: 'geotiff', compression: 'LZW' }, status: 200 },
    { name: 'subset', params: workspace, query: { ...coverage, subset: 'Long(1,2)' }, status: 400 },
    { name: 'unknown', params: workspace, query: { ...coverage, CoverageId: 'none' }, status: 404 },
  ],
  handler({ params: { workspace }, query, method, headers }, deps) {
    return getCoverage(deps, { workspace, query, method, headers });
  },
});

/** The two requests of the map server that Items point at. */
export const mapOperations = [ows, wcs] satisfies readonly Operation[];
