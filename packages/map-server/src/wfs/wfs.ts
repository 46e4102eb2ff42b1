import type { MapLayer, MapReply, MapRequest } from '@headwater/core/ports';
import { describeFeatureType } from '../encodings/index.ts';
import type { EmbeddedParts, Protocol } from '../parts.ts';
import { workspaceOf } from '../protocol/find-layer.ts';
import { ogcError } from '../protocol/ogc-error.ts';
import { wfsCapabilities } from './capabilities.ts';
import { getFeature, vectorLayer } from './get-feature.ts';
import { refuseUnknown, versionOf, type WfsVersion } from './wfs-request.ts';

/** Maximum number of layers in a request for schemas. GDAL requests up to 50. */
const MOST_LAYERS = 50;

type Operation = (parts: EmbeddedParts, request: MapRequest, version: WfsVersion) => Promise<MapReply>;

const OPERATIONS: Readonly<Record<string, Operation>> = {
  getcapabilities: wfsCapabilities,
  describefeaturetype: describe,
  getfeature: getFeature,
};

/** WFS 1.0.0, 1.1.0 and 2.0.0 without transactions. */
export const wfs: Protocol = async (parts, request) => {
  const { query } = request;
  const { request: name = '', service = 'WFS' } = query;
  if (!/^wfs$/i.test(service))
    throw ogcError(
      'InvalidParameterValue',
      'service',
      `service: ${JSON.stringify(service.slice(0, 20))} is not WFS; send WFS`,
    );
  const version = versionOf(query, /^getcapabilities$/i.test(name));
  if (name === '')
    throw ogcError(
      'MissingParameterValue',
      'request',
      'request: missing; send GetCapabilities, DescribeFeatureType or GetFeature',
    );
  const key = name.toLowerCase();
  const operation = Object.hasOwn(OPERATIONS, key) ? OPERATIONS[key] : undefined;
  if (operation === undefined)
    throw ogcError(
      'OperationNotSupported',
      'request',
      `request: ${JSON.stringify(name.slice(0, 40))} is not offered; send GetCapabilities, DescribeFeatureType or GetFeature`,
    );
  return await operation(parts, request, version);
};

const KNOWN = [
  'service',
  'version',
  'request',
  'typename',
  'typenames',
  'outputformat',
  'exceptions',
  'run',
  'namespace',
  'namespaces',
];

async function describe(parts: EmbeddedParts, request: MapRequest, version: WfsVersion): Promise<MapReply> {
  const { query } = request;
  refuseUnknown(query, KNOWN);
  refuseJson(query);
  const parameter = (query['typenames'] ?? '') === '' ? 'typename' : 'typenames';
  const names = (query[parameter] ?? '').split(',').filter((name) => name !== '');
  if (names.length > MOST_LAYERS) throw tooMany(parameter, names.length);
  const layers: MapLayer[] = [];
  for (const name of new Set(names)) layers.push(await vectorLayer(parts, request, { parameter, name }));
  if (names.length === 0)
    for await (const layer of parts.layers.list(workspaceOf(request))) {
      if (layer.kind === 'vector') layers.push(layer);
      if (layers.length > MOST_LAYERS) throw tooMany(parameter, layers.length);
    }
  const described = [];
  for (const layer of layers) described.push({ layer, table: await parts.tables.of(layer) });
  const body = describeFeatureType(version, described, parts.url);
  const type = version === '1.0.0' ? 'text/xml' : 'application/gml+xml; version=3.2';
  return { status: 200, headers: { 'content-type': version === '1.1.0' ? 'text/xml; subtype=gml/3.1.1' : type }, body };
}

/** Throws if a schema is requested in another format than XML. */
function refuseJson({ outputformat = '' }: MapRequest['query']): void {
  if (outputformat === '' || /xml|gml/i.test(outputformat)) return;
  throw ogcError(
    'InvalidParameterValue',
    'outputformat',
    `outputFormat: ${JSON.stringify(outputformat.slice(0, 60))} is not offered for schemas; leave it out`,
  );
}

const tooMany = (parameter: string, count: number): Error =>
  ogcError(
    'InvalidParameterValue',
    parameter,
    `${parameter}: ${count} layers are too many; name at most ${MOST_LAYERS} layers in one request`,
  );
