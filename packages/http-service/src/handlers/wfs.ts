import { MEDIA } from '@headwater/stac';
import type { ServiceDeps } from '../deps.ts';
import type { Reply } from '../reply.ts';
import type { EncodedFile, LayerForms } from '../layers/layer-forms.ts';
import { chooseEncoding, type Encoding } from '../reading/accept-encoding.ts';
import { createAddresses } from '../wire/addresses.ts';
import { layerFile, type LayerFile, seeNewest, withoutWorkspace, type OgcRequest } from './layer-file.ts';
import { demand, ogcError, refuseUnknown } from './ogc.ts';
import { conditionReply, serveFile } from './serve-file.ts';

const FORMATS = ['application/json', 'json'];
const KNOWN = ['service', 'version', 'request', 'typename', 'outputformat', 'srsname', 'run'];

/** WFS 1.0.0 GetFeature of a whole layer as GeoJSON (lon/lat), in the shape of the map servers that clients know. */
export async function getFeature(deps: ServiceDeps, request: OgcRequest): Promise<Reply> {
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
  return serveFeatures(deps, layer, { mediaType: `${MEDIA.geojson}; charset=utf-8`, method, headers });
}

/**
 * All features of a vector layer, with HEAD, Range and conditions, compressed for who asks. A range is one of the bytes as they are: whoever
 * reads in pieces is sent no others.
 */
export async function serveFeatures(
  deps: ServiceDeps,
  layer: LayerFile,
  { mediaType, method, headers }: Pick<OgcRequest, 'method' | 'headers'> & { readonly mediaType: string },
): Promise<Reply> {
  const encoding = headers['range'] === undefined ? chooseEncoding(headers['accept-encoding']) : 'identity';
  const served = { mediaType, isLasting: layer.isLasting, encoding };
  // Answered by the validators alone where that will do: most requests of a map ask whether it has changed.
  const early = conditionReply(served, formsOf(deps).validators(layer, encoding), headers);
  if (early !== undefined) return early;
  const file = await formFile(deps, layer, encoding);
  return serveFile({ ...served, encoding: file.encoding, file }, method, headers);
}

/** A layer's map server form in an encoding, or as it is where that could not be made. */
export async function formFile(deps: ServiceDeps, layer: LayerFile, encoding: Encoding): Promise<EncodedFile> {
  return await formsOf(deps).file(layer, encoding);
}

// A layer's file was opened, so there is a store of them.
function formsOf({ forms }: ServiceDeps): LayerForms {
  if (forms === undefined) throw new Error('there are no files of layers');
  return forms;
}
