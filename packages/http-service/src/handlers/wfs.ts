import { DomainError, type AssetFile, type LayerRecord } from '@headwater/core';
import { z } from 'zod';
import type { ServiceDeps } from '../deps.ts';
import type { Reply } from '../operation.ts';
import { demand, findLayer, ogcError, openLayer, refuseUnknown } from './ogc.ts';
import type { OgcRequest } from './wcs.ts';

const FORMATS = ['application/json', 'json'];
const KNOWN = ['service', 'version', 'request', 'typename', 'outputformat', 'srsname'];

const Stored = z.object({
  type: z.literal('FeatureCollection'),
  features: z.array(z.looseObject({ type: z.literal('Feature'), geometry: z.unknown(), properties: z.unknown() })),
});

/** WFS 1.0.0 GetFeature of a whole layer as GeoJSON (lon/lat), in the shape of the map servers that clients know. */
export async function getFeature(deps: ServiceDeps, { workspace, query, method }: OgcRequest): Promise<Reply> {
  demand(query, { service: ['WFS'], version: ['1.0.0'], request: ['GetFeature'], outputformat: FORMATS });
  refuseUnknown(query, KNOWN);
  if (query['srsname'] !== undefined) demand(query, { srsname: ['EPSG:4326'] });
  const name = query['typename'];
  if (name === undefined || name === '')
    throw ogcError('MissingParameterValue', 'typename', 'typeName: missing; name a layer');
  const layer = await findLayer(deps, workspace, name);
  if (layer === undefined || layer.layerType !== 'vector') {
    throw ogcError('NoSuchLayer', 'typename', `Could not find feature type ${name} in workspace ${workspace}`);
  }
  const file = await openLayer(deps, layer);
  const headers = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-cache' };
  if (method === 'HEAD') return { status: 200, headers, body: undefined };
  return {
    status: 200,
    headers,
    body: JSON.stringify(collection(layer, await readStored(file, layer), deps.clock.now())),
  };
}

async function readStored(file: AssetFile, layer: LayerRecord): Promise<z.infer<typeof Stored>> {
  const text = file.bytes === 0 ? '' : await new Response(file.stream(0, file.bytes - 1)).text();
  try {
    return Stored.parse(JSON.parse(text));
  } catch (cause) {
    throw new DomainError('internal', `${layer.layerName}: its stored file is no GeoJSON; compute it again`, { cause });
  }
}

function collection(
  layer: LayerRecord,
  { features }: z.infer<typeof Stored>,
  now: Date,
): Readonly<Record<string, unknown>> {
  const count = features.length;
  return {
    type: 'FeatureCollection',
    features: features.map(({ geometry, properties }, index) => ({
      type: 'Feature',
      id: `${layer.layerName}.${index + 1}`,
      geometry,
      geometry_name: 'geom',
      properties,
    })),
    totalFeatures: count,
    numberMatched: count,
    numberReturned: count,
    timeStamp: now.toISOString(),
    crs: { type: 'name', properties: { name: 'urn:ogc:def:crs:EPSG::4326' } },
  };
}
