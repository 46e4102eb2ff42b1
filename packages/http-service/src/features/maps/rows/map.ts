import { z } from 'zod';
import { getCoverage } from '../handlers/wcs.ts';
import { getFeature } from '../handlers/wfs.ts';
import { operation, type Operation } from '../../../rows/operation.ts';
import { keyValuePairs, WCS_PARAMETERS, WFS_PARAMETERS } from '../schemas/ogc.ts';
import { text } from '../../../wire/text.ts';
import { paths } from '../../../wire/paths.ts';
import { EXAMPLE_LAYERS } from '../../../rows/example-world.ts';
import { ANOTHER_VERSION, CALLER_HAS_IT } from '../../../rows/answers.ts';

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
    304: CALLER_HAS_IT,
    307: FILES_GONE,
    412: ANOTHER_VERSION,
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
    304: CALLER_HAS_IT,
    307: FILES_GONE,
    412: ANOTHER_VERSION,
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
