import { hash } from 'node:crypto';
import { utmCrsOf } from '@headwater/core/geo';
import type { MapLayer, MapReply, MapRequest } from '@headwater/core/ports';
import { element, type Xml, xmlDocument, xmlText } from '@headwater/core/xml';
import { namespaceOf, xmlName } from '../encodings/index.ts';
import { FES_COMPARISONS } from '../features/fes.ts';
import type { EmbeddedParts } from '../parts.ts';
import { workspaceOf } from '../protocol/find-layer.ts';
import { plainBox } from '../protocol/map-parameters.ts';
import { FORMAT_NAMES, refuseUnknown, WFS_VERSIONS, type WfsVersion } from './wfs-request.ts';

const KNOWN = [
  'service',
  'version',
  'acceptversions',
  'acceptformats',
  'sections',
  'request',
  'updatesequence',
  'exceptions',
  'outputformat',
  'namespace',
  'namespaces',
];

const XLINK = 'http://www.w3.org/1999/xlink';
const XSI = 'http://www.w3.org/2001/XMLSchema-instance';

interface Service {
  readonly title: string;
  readonly provider: string;
  readonly home: string;
  /** Address of the service, with `?`. */
  readonly address: string;
  readonly layers: readonly MapLayer[];
}

/** GetCapabilities: the vector layers of all workspaces or one workspace. */
export async function wfsCapabilities(
  parts: EmbeddedParts,
  request: MapRequest,
  version: WfsVersion,
): Promise<MapReply> {
  refuseUnknown(request.query, KNOWN);
  const workspace = workspaceOf(request);
  const state = await parts.layers.version();
  const layers: MapLayer[] = [];
  for await (const layer of parts.layers.list(workspace)) if (layer.kind === 'vector') layers.push(layer);
  const path = request.segments.map((segment) => encodeURIComponent(segment)).join('/');
  const { title, provider, url } = parts;
  const service = { title, provider: provider ?? title, home: url, address: `${url}/${path}?`, layers };
  const body = xmlDocument(version === '1.0.0' ? capabilities100(service) : capabilitiesOws(service, version));
  const type = version === '1.0.0' ? 'text/xml; charset=utf-8' : 'application/xml; charset=utf-8';
  const etag = hash('sha256', JSON.stringify([state, version, path, title, provider])).slice(0, 32);
  return { status: 200, headers: { 'content-type': type }, body, etag };
}

const words = (name: string, text: string | number): Xml => element(name, {}, xmlText(text));

function prefixes(layers: readonly MapLayer[]): Readonly<Record<string, string>> {
  const spaces = [...new Set(layers.map(({ workspace }) => workspace))].map(namespaceOf);
  return Object.fromEntries(spaces.map(({ prefix, uri }) => [`xmlns:${prefix}`, uri]));
}

const nameOf = ({ workspace, name }: MapLayer): string => `${namespaceOf(workspace).prefix}:${xmlName(name)}`;

function capabilities100({ title, home, address, layers }: Service): Xml {
  const http = element('DCPType', {}, element('HTTP', {}, element('Get', { onlineResource: address })));
  const formats = ['GML2', 'GML3', 'JSON', 'CSV', 'SHAPE-ZIP'].map((name) => element(name));
  const types = layers.map((layer) => {
    const [minx, miny, maxx, maxy] = plainBox(layer);
    return element(
      'FeatureType',
      {},
      words('Name', nameOf(layer)),
      words('Title', layer.title),
      words('Abstract', layer.abstract),
      words('Keywords', layer.workspace),
      words('SRS', 'EPSG:4326'),
      element('LatLongBoundingBox', { minx, miny, maxx, maxy }),
    );
  });
  return element(
    'WFS_Capabilities',
    {
      version: '1.0.0',
      xmlns: 'http://www.opengis.net/wfs',
      'xmlns:ogc': 'http://www.opengis.net/ogc',
      ...prefixes(layers),
    },
    element(
      'Service',
      {},
      words('Name', 'WFS'),
      words('Title', title),
      words('Abstract', ''),
      words('Keywords', 'WFS'),
      words('OnlineResource', home),
      words('Fees', 'NONE'),
      words('AccessConstraints', 'NONE'),
    ),
    element(
      'Capability',
      {},
      element(
        'Request',
        {},
        element('GetCapabilities', {}, http),
        element('DescribeFeatureType', {}, element('SchemaDescriptionLanguage', {}, element('XMLSCHEMA')), http),
        element('GetFeature', {}, element('ResultFormat', {}, ...formats), http),
      ),
    ),
    element('FeatureTypeList', {}, element('Operations', {}, element('Query')), ...types),
    filters100(),
  );
}

function filters100(): Xml {
  const comparisons = ['Simple_Comparisons', 'Like', 'Between', 'NullCheck'].map((name) => element(`ogc:${name}`));
  return element(
    'ogc:Filter_Capabilities',
    {},
    element('ogc:Spatial_Capabilities', {}, element('ogc:Spatial_Operators', {}, element('ogc:BBOX'))),
    element(
      'ogc:Scalar_Capabilities',
      {},
      element('ogc:Logical_Operators'),
      element('ogc:Comparison_Operators', {}, ...comparisons),
    ),
  );
}

/** Capabilities of 1.1.0 and 2.0.0, which have the same parts with different names. */
function capabilitiesOws(service: Service, version: Exclude<WfsVersion, '1.0.0'>): Xml {
  const { title, provider, home, layers } = service;
  const is200 = version === '2.0.0';
  const namespaces = {
    'xmlns:wfs': is200 ? 'http://www.opengis.net/wfs/2.0' : 'http://www.opengis.net/wfs',
    'xmlns:ows': is200 ? 'http://www.opengis.net/ows/1.1' : 'http://www.opengis.net/ows',
    'xmlns:gml': is200 ? 'http://www.opengis.net/gml/3.2' : 'http://www.opengis.net/gml',
    ...(is200 ? { 'xmlns:fes': 'http://www.opengis.net/fes/2.0' } : { 'xmlns:ogc': 'http://www.opengis.net/ogc' }),
  };
  return element(
    'wfs:WFS_Capabilities',
    { version, ...namespaces, 'xmlns:xlink': XLINK, 'xmlns:xsi': XSI, ...prefixes(layers) },
    element(
      'ows:ServiceIdentification',
      {},
      words('ows:Title', title),
      words('ows:Abstract', ''),
      element('ows:Keywords', {}, words('ows:Keyword', 'WFS')),
      words('ows:ServiceType', 'WFS'),
      ...(is200 ? WFS_VERSIONS : [version]).map((each) => words('ows:ServiceTypeVersion', each)),
      words('ows:Fees', 'NONE'),
      words('ows:AccessConstraints', 'NONE'),
    ),
    element(
      'ows:ServiceProvider',
      {},
      words('ows:ProviderName', provider),
      element('ows:ProviderSite', { 'xlink:href': home }),
      element('ows:ServiceContact'),
    ),
    operations(service, version),
    element(
      'wfs:FeatureTypeList',
      {},
      ...(is200 ? [] : [element('wfs:Operations', {}, words('wfs:Operation', 'Query'))]),
      ...layers.map((layer) => featureType(layer, version)),
    ),
    is200 ? filters200() : filters110(),
  );
}

function operations({ address }: Service, version: WfsVersion): Xml {
  const is200 = version === '2.0.0';
  const values = (list: readonly string[]): readonly Xml[] => {
    const written = list.map((each) => words('ows:Value', each));
    return is200 ? [element('ows:AllowedValues', {}, ...written)] : written;
  };
  const parameter = (name: string, list: readonly string[]): Xml => element('ows:Parameter', { name }, ...values(list));
  const http = element('ows:DCP', {}, element('ows:HTTP', {}, element('ows:Get', { 'xlink:href': address })));
  const operation = (name: string, ...more: readonly Xml[]): Xml => element('ows:Operation', { name }, http, ...more);
  const constraint = (name: string, value: string): Xml =>
    element('ows:Constraint', { name }, element('ows:NoValues'), words('ows:DefaultValue', value));
  const supported = [
    'KVPEncoding',
    'ImplementsResultPaging',
    'ImplementsAdHocQuery',
    'ImplementsMinSpatialFilter',
    'ImplementsSorting',
  ];
  // Conformance classes that are not offered. `ImplementsSimpleWFS` needs stored queries.
  const missing = [
    'ImplementsSimpleWFS',
    'ImplementsBasicWFS',
    'ImplementsTransactionalWFS',
    'ImplementsLockingWFS',
    'XMLEncoding',
    'SOAPEncoding',
    'ImplementsInheritance',
    'ImplementsRemoteResolve',
    'ImplementsStandardJoins',
    'ImplementsSpatialJoins',
    'ImplementsTemporalJoins',
    'ImplementsFeatureVersioning',
    'ManageStoredQueries',
  ];
  return element(
    'ows:OperationsMetadata',
    {},
    operation('GetCapabilities', parameter('AcceptVersions', WFS_VERSIONS)),
    operation('DescribeFeatureType', parameter('outputFormat', FORMAT_NAMES[version].slice(0, 1))),
    operation(
      'GetFeature',
      parameter('resultType', ['results', 'hits']),
      parameter('outputFormat', FORMAT_NAMES[version]),
      ...(is200 ? [constraint('PagingIsTransactionSafe', 'FALSE')] : []),
    ),
    ...(is200
      ? [...supported.map((name) => constraint(name, 'TRUE')), ...missing.map((name) => constraint(name, 'FALSE'))]
      : []),
  );
}

function featureType(layer: MapLayer, version: WfsVersion): Xml {
  const [west, south, east, north] = plainBox(layer);
  const utm =
    layer.box === null ? [] : [Number(utmCrsOf((west + east) / 2, (south + north) / 2).slice('EPSG:'.length))];
  const crs = (code: number): string =>
    `urn:${version === '2.0.0' ? '' : 'x-'}ogc:def:crs:EPSG:${version === '2.0.0' ? ':' : ''}${code}`;
  const [first, other] = version === '2.0.0' ? ['wfs:DefaultCRS', 'wfs:OtherCRS'] : ['wfs:DefaultSRS', 'wfs:OtherSRS'];
  const link = layer.itemHref;
  return element(
    'wfs:FeatureType',
    {},
    words('wfs:Name', nameOf(layer)),
    words('wfs:Title', layer.title),
    words('wfs:Abstract', layer.abstract),
    element('ows:Keywords', {}, words('ows:Keyword', layer.workspace)),
    words(first ?? '', crs(4326)),
    ...[3857, ...utm].map((code) => words(other ?? '', crs(code))),
    element(
      'ows:WGS84BoundingBox',
      {},
      words('ows:LowerCorner', `${west} ${south}`),
      words('ows:UpperCorner', `${east} ${north}`),
    ),
    ...(link === null || version !== '2.0.0' ? [] : [element('wfs:MetadataURL', { 'xlink:href': link })]),
  );
}

/** Names in capabilities of 1.1.0, by element name in filters. */
const NAMES_110: Readonly<Record<string, string>> = {
  PropertyIsEqualTo: 'EqualTo',
  PropertyIsNotEqualTo: 'NotEqualTo',
  PropertyIsLessThan: 'LessThan',
  PropertyIsGreaterThan: 'GreaterThan',
  PropertyIsLessThanOrEqualTo: 'LessThanEqualTo',
  PropertyIsGreaterThanOrEqualTo: 'GreaterThanEqualTo',
  PropertyIsLike: 'Like',
  PropertyIsNull: 'NullCheck',
  PropertyIsBetween: 'Between',
};

function filters110(): Xml {
  const comparisons = FES_COMPARISONS.map((name) => words('ogc:ComparisonOperator', NAMES_110[name] ?? name));
  return element(
    'ogc:Filter_Capabilities',
    {},
    element(
      'ogc:Spatial_Capabilities',
      {},
      element('ogc:GeometryOperands', {}, words('ogc:GeometryOperand', 'gml:Envelope')),
      element('ogc:SpatialOperators', {}, element('ogc:SpatialOperator', { name: 'BBOX' })),
    ),
    element(
      'ogc:Scalar_Capabilities',
      {},
      element('ogc:LogicalOperators'),
      element('ogc:ComparisonOperators', {}, ...comparisons),
    ),
    element('ogc:Id_Capabilities', {}, element('ogc:FID'), element('ogc:EID')),
  );
}

function filters200(): Xml {
  const conformance = {
    ImplementsQuery: true,
    ImplementsAdHocQuery: true,
    ImplementsFunctions: false,
    ImplementsResourceld: true,
    ImplementsMinStandardFilter: true,
    ImplementsStandardFilter: true,
    ImplementsMinSpatialFilter: true,
    ImplementsSpatialFilter: false,
    ImplementsMinTemporalFilter: false,
    ImplementsTemporalFilter: false,
    ImplementsVersionNav: false,
    ImplementsSorting: true,
    ImplementsExtendedOperators: false,
  };
  const constraints = Object.entries(conformance).map(([name, value]) =>
    element('fes:Constraint', { name }, element('ows:NoValues'), words('ows:DefaultValue', value ? 'TRUE' : 'FALSE')),
  );
  const comparisons = FES_COMPARISONS.map((name) => element('fes:ComparisonOperator', { name }));
  return element(
    'fes:Filter_Capabilities',
    {},
    element('fes:Conformance', {}, ...constraints),
    element('fes:Id_Capabilities', {}, element('fes:ResourceIdentifier', { name: 'fes:ResourceId' })),
    element(
      'fes:Scalar_Capabilities',
      {},
      element('fes:LogicalOperators'),
      element('fes:ComparisonOperators', {}, ...comparisons),
    ),
    element(
      'fes:Spatial_Capabilities',
      {},
      element('fes:GeometryOperands', {}, element('fes:GeometryOperand', { name: 'gml:Envelope' })),
      element('fes:SpatialOperators', {}, element('fes:SpatialOperator', { name: 'BBOX' })),
    ),
  );
}
