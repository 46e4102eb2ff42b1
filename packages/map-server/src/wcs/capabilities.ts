import type { MapLayer, MapRequest } from '@headwater/core/ports';
import { element, type Xml, xmlDocument, xmlText } from '@headwater/core/xml';
import type { EmbeddedParts, Protocol } from '../parts.ts';
import { workspaceOf } from '../protocol/find-layer.ts';
import { plainBox, shortAbstract } from '../protocol/map-parameters.ts';
import { ogcError } from '../protocol/ogc-error.ts';
import { coverageId, WCS_VERSIONS, type WcsVersion } from './coverage.ts';

const XLINK = 'http://www.w3.org/1999/xlink';
const PROFILES = [
  'http://www.opengis.net/spec/WCS/2.0/conf/core',
  'http://www.opengis.net/spec/WCS_protocol-binding_get-kvp/1.0.1',
  'http://www.opengis.net/spec/WCS_geotiff-coverages/1.0/conf/geotiff-coverage',
  'http://www.opengis.net/spec/WCS_service-extension_scaling/1.0/conf/scaling',
  'http://www.opengis.net/spec/WCS_service-extension_interpolation/1.0/conf/nearest-neighbor',
];

/** GetCapabilities: lists the raster layers of all workspaces or one workspace. */
export const capabilities: Protocol = async (parts, request) => {
  const version = versionOf(request.query);
  const workspace = workspaceOf(request);
  const path = workspace === undefined ? 'wcs' : `${encodeURIComponent(workspace)}/wcs`;
  const url = `${parts.url}/${path}?`;
  const state = await parts.layers.version();
  const layers: MapLayer[] = [];
  for await (const layer of parts.layers.list(workspace)) if (layer.kind === 'raster') layers.push(layer);
  const root = version === '2.0.1' ? document201(parts, url, layers) : document100(parts, url, { layers, workspace });
  return {
    status: 200,
    headers: { 'content-type': 'application/xml; charset=utf-8' },
    body: xmlDocument(root),
    etag: `${state}-wcs-${version}-${workspace === undefined ? 'all' : encodeURIComponent(workspace)}`,
  };
};

function versionOf({ acceptversions, version }: MapRequest['query']): WcsVersion {
  const names = (acceptversions ?? version ?? '2.0.1').split(',').map((each) => each.trim());
  for (const name of names) {
    const found = WCS_VERSIONS.find((each) => each === name) ?? (/^2\.0(?:\.0)?$/.test(name) ? '2.0.1' : undefined);
    if (found !== undefined) return found;
  }
  const parameter = acceptversions === undefined ? 'version' : 'acceptversions';
  throw ogcError(
    'VersionNegotiationFailed',
    parameter,
    `${parameter}: ${JSON.stringify(names.join(',').slice(0, 40))} is not offered; send 2.0.1 or 1.0.0`,
  );
}

const textOf = (name: string, text: string | number): Xml => element(name, {}, xmlText(text));

function document201({ title, provider }: EmbeddedParts, url: string, layers: readonly MapLayer[]): Xml {
  const place = element('ows:DCP', {}, element('ows:HTTP', {}, element('ows:Get', { 'xlink:href': url })));
  const operations = ['GetCapabilities', 'DescribeCoverage', 'GetCoverage'].map((name) =>
    element('ows:Operation', { name }, place),
  );
  return element(
    'wcs:Capabilities',
    {
      'xmlns:wcs': 'http://www.opengis.net/wcs/2.0',
      'xmlns:ows': 'http://www.opengis.net/ows/2.0',
      'xmlns:xlink': XLINK,
      version: '2.0.1',
    },
    element(
      'ows:ServiceIdentification',
      {},
      textOf('ows:Title', title),
      textOf('ows:Abstract', `Rasters of ${title}`),
      element('ows:Keywords', {}, textOf('ows:Keyword', 'WCS')),
      textOf('ows:ServiceType', 'urn:ogc:service:wcs'),
      ...WCS_VERSIONS.map((version) => textOf('ows:ServiceTypeVersion', version)),
      ...PROFILES.map((profile) => textOf('ows:Profile', profile)),
      textOf('ows:Fees', 'none'),
      textOf('ows:AccessConstraints', 'none'),
    ),
    element('ows:ServiceProvider', {}, textOf('ows:ProviderName', provider ?? title), element('ows:ServiceContact')),
    element('ows:OperationsMetadata', {}, ...operations),
    element('wcs:ServiceMetadata', {}, textOf('wcs:formatSupported', 'image/tiff')),
    element('wcs:Contents', {}, ...layers.map(summary201)),
  );
}

function summary201(layer: MapLayer): Xml {
  const [west, south, east, north] = plainBox(layer);
  const corners = [textOf('ows:LowerCorner', `${west} ${south}`), textOf('ows:UpperCorner', `${east} ${north}`)];
  return element(
    'wcs:CoverageSummary',
    {},
    textOf('ows:Title', layer.title),
    textOf('ows:Abstract', shortAbstract(layer)),
    element('ows:WGS84BoundingBox', {}, ...corners),
    textOf('wcs:CoverageId', coverageId(layer)),
    textOf('wcs:CoverageSubtype', 'RectifiedGridCoverage'),
  );
}

function document100(
  { title }: EmbeddedParts,
  url: string,
  { layers, workspace }: { readonly layers: readonly MapLayer[]; readonly workspace: string | undefined },
): Xml {
  const place = element(
    'DCPType',
    {},
    element('HTTP', {}, element('Get', {}, element('OnlineResource', { 'xlink:href': url }))),
  );
  const requests = ['GetCapabilities', 'DescribeCoverage', 'GetCoverage'].map((name) => element(name, {}, place));
  return element(
    'WCS_Capabilities',
    {
      version: '1.0.0',
      xmlns: 'http://www.opengis.net/wcs',
      'xmlns:gml': 'http://www.opengis.net/gml',
      'xmlns:xlink': XLINK,
    },
    element(
      'Service',
      {},
      textOf('description', `Rasters of ${title}`),
      textOf('name', 'WCS'),
      textOf('label', title),
      element('keywords', {}, textOf('keyword', 'WCS')),
      textOf('fees', 'NONE'),
      textOf('accessConstraints', 'NONE'),
    ),
    element(
      'Capability',
      {},
      element('Request', {}, ...requests),
      element('Exception', {}, textOf('Format', 'application/vnd.ogc.se_xml')),
    ),
    element('ContentMetadata', {}, ...layers.map((layer) => brief100(layer, workspace))),
  );
}

function brief100(layer: MapLayer, workspace: string | undefined): Xml {
  const [west, south, east, north] = plainBox(layer);
  return element(
    'CoverageOfferingBrief',
    {},
    textOf('description', shortAbstract(layer)),
    textOf('name', workspace === undefined ? `${layer.workspace}:${layer.name}` : layer.name),
    textOf('label', layer.title),
    element(
      'lonLatEnvelope',
      { srsName: 'urn:ogc:def:crs:OGC:1.3:CRS84' },
      textOf('gml:pos', `${west} ${south}`),
      textOf('gml:pos', `${east} ${north}`),
    ),
  );
}
