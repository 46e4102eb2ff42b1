import { MEDIA } from '@headwater/stac';
import type { Ports } from '../../../deps.ts';
import type { Reply } from '../../../seam/reply.ts';
import { type FormSource, storedForm } from '../wfs-form.ts';
import { chooseEncoding } from '../../../reading/accept-encoding.ts';
import { createAddresses } from '../../../wire/addresses.ts';
import { layerFile, seeNewest, withoutWorkspace, type OgcRequest } from './layer-file.ts';
import { demand, ogcError, type OgcQuery, refuseUnknown } from './ogc.ts';
import { conditionReply, headReply, serveFile } from '../../../answering/serve-file.ts';

const FORMATS = ['application/json', 'json'];
const KNOWN = ['service', 'version', 'request', 'typename', 'outputformat', 'srsname', 'run'];

/** True for a WFS 1.0.0 request of a whole layer as GeoJSON. A stored response answers such a request. */
export function isWholeLayer(query: OgcQuery): boolean {
  const srs = query['srsname']?.toLowerCase();
  return (
    query['version'] === '1.0.0' &&
    query['request']?.toLowerCase() === 'getfeature' &&
    FORMATS.includes(query['outputformat']?.toLowerCase() ?? '') &&
    (query['typename'] ?? '') !== '' &&
    (srs === undefined || srs === 'epsg:4326') &&
    Object.keys(query).every((name) => KNOWN.includes(name))
  );
}

/** Replies with a whole layer as WFS 1.0.0 GeoJSON (lon/lat), in the shape that GeoServer sends. */
export async function getFeature(
  deps: Ports<'assets' | 'baseUrl' | 'forms' | 'stores'>,
  request: OgcRequest,
): Promise<Reply> {
  const { workspace, query, method, headers } = request;
  demand(query, { service: ['WFS'], version: ['1.0.0'], request: ['GetFeature'], outputformat: FORMATS });
  refuseUnknown(query, KNOWN);
  if (query['srsname'] !== undefined) demand(query, { srsname: ['EPSG:4326'] });
  const name = query['typename'];
  if (name === undefined || name === '')
    throw ogcError('MissingParameterValue', 'typename', 'typeName: missing; name a layer');
  const layer = await layerFile(deps, request, { layerType: 'vector', name });
  if (layer === undefined)
    return seeNewest(createAddresses(deps.baseUrl).features(workspace, withoutWorkspace(workspace, name)));
  const { isLasting } = layer;
  return serveFeatures(deps, storedForm(layer), {
    mediaType: `${MEDIA.geojson}; charset=utf-8`,
    isLasting,
    method,
    headers,
  });
}

interface FeaturesRequest extends Pick<OgcRequest, 'method' | 'headers'> {
  readonly mediaType: string;
  /** True if the address names a version. The bytes of a version never change. */
  readonly isLasting: boolean;
}

/** Sends all features of a layer. Supports HEAD, ranges and conditional headers. Ranges refer to uncompressed bytes. */
export async function serveFeatures(
  { forms }: Ports<'forms'>,
  form: FormSource,
  { mediaType, isLasting, method, headers }: FeaturesRequest,
): Promise<Reply> {
  const encoding = headers['range'] === undefined ? chooseEncoding(headers['accept-encoding']) : 'identity';
  const served = { mediaType, isLasting, encoding };
  // No file is read here, because most requests only check if the layer has changed.
  const validators = forms.validators(form, encoding);
  const early = conditionReply(served, validators, headers);
  if (early !== undefined) return early;
  const mayBuild = method !== 'HEAD' || form.isMadeForHead;
  const file = await (mayBuild ? forms.file(form, encoding) : forms.cached(form, encoding));
  if (file === undefined) return headReply(served, validators);
  return serveFile({ ...served, encoding: file.encoding, file }, method, headers);
}
