import { EXAMPLE_LAYERS } from '../../../rows/example-world.ts';
import type { Operation } from '../../../rows/operation.ts';
import { paths } from '../../../wire/paths.ts';
import { type Parameters, parameter } from '../schemas/key-value-pairs.ts';
import { OgcServiceJson } from '../schemas/ogc-documents.ts';
import { mapRow } from './map-row.ts';

const COMMON: Parameters = {
  service: parameter('Protocol; required at the address `ows`.', 'WFS', 'WCS', 'WMS'),
  version: parameter('Version of the protocol; default: the newest version.'),
  request: parameter('Name of the request, such as `GetCapabilities`, `GetFeature`, `GetCoverage` or `GetMap`.'),
};

const SERVICE_MEDIA: readonly string[] = [
  'application/xml',
  'text/xml',
  'application/vnd.ogc.wms_xml',
  'application/vnd.ogc.gml',
  'application/gml+xml',
  'application/geo+json',
  'application/json',
  'text/csv',
  'text/plain',
  'text/html',
  'application/zip',
  'image/png',
  'image/webp',
  'image/jpeg',
  'image/tiff',
  'image/tiff; application=geotiff',
];

/** Media types of the OGC services, and the schema of their JSON responses. */
export const SERVICE_SUCCESS = { media: SERVICE_MEDIA, schema: OgcServiceJson };

const SERVICE = '`ows`, `wfs`, `wcs` or `wms`. With `ows`, the parameter `service` selects the service.';
const WORKSPACE = 'Workspace of the layers, as in the hrefs of their Items.';
const { vector } = EXAMPLE_LAYERS;
const FEATURES = {
  service: 'WFS',
  version: '2.0.0',
  request: 'GetFeature',
  typeNames: `${vector.workspace}:${vector.name}`,
  outputFormat: 'application/json',
  count: '1',
};

/** Operations of the map services, except the two operations that Items link to. */
export const mapServiceOperations: readonly Operation[] = [
  mapRow({
    id: 'getMapServerReadiness',
    path: paths.mapReadiness,
    summary: 'Answers 200 while the map server works',
    media: ['text/plain'],
    examples: [{ name: 'ready', status: 200 }],
  }),
  mapRow({
    id: 'getMapService',
    path: paths.mapService,
    summary: 'WFS, WCS and WMS of all published layers, for GIS programs',
    description:
      'Layers are named `workspace:layer`. Errors are exception reports in the format of the requested service and version.',
    ...SERVICE_SUCCESS,
    params: { service: SERVICE },
    query: COMMON,
    examples: [
      { name: 'capabilities', params: { service: 'wfs' }, query: { request: 'GetCapabilities' }, status: 200 },
      { name: 'features', params: { service: 'ows' }, query: FEATURES, status: 200 },
      { name: 'unknown service', params: { service: 'wps' }, status: 404 },
      { name: 'no service', params: { service: 'ows' }, query: { request: 'GetCapabilities' }, status: 400 },
    ],
  }),
  mapRow({
    id: 'getWorkspaceService',
    path: paths.workspaceService,
    summary: 'WFS, WCS and WMS of the layers of one workspace',
    description:
      'Layers may be named without their workspace. Errors are exception reports in the format of the requested service and version.',
    ...SERVICE_SUCCESS,
    params: { workspace: WORKSPACE, service: SERVICE },
    query: COMMON,
    examples: [
      { name: 'features', params: { workspace: vector.workspace, service: 'wfs' }, query: FEATURES, status: 200 },
      {
        name: 'unknown column',
        params: { workspace: vector.workspace, service: 'wfs' },
        query: { ...FEATURES, CQL_FILTER: 'none = 1' },
        status: 400,
      },
      { name: 'unknown workspace', params: { workspace: 'none', service: 'wms' }, status: 404 },
    ],
  }),
  mapRow({
    id: 'getMapStyle',
    path: paths.mapStyle,
    summary: 'Style of a layer as SLD or as QGIS style file',
    media: ['application/vnd.ogc.sld+xml', 'application/xml'],
    params: { workspace: WORKSPACE, file: 'Name of the layer with the ending `.sld` or `.qml`.' },
    examples: [
      { name: 'QGIS', params: { workspace: vector.workspace, file: `${vector.name}.qml` }, status: 200 },
      { name: 'unknown style', params: { workspace: vector.workspace, file: 'none.sld' }, status: 404 },
    ],
  }),
];
