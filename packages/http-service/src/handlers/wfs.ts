import { type AssetFile, DomainError, type LayerRecord } from '@headwater/core';
import { MEDIA } from '@headwater/stac';
import { z } from 'zod';
import type { ServiceDeps } from '../deps.ts';
import type { Reply } from '../reply.ts';
import { demand, findLayer, ogcError, openLayer, refuseUnknown, unknownLayer } from './ogc.ts';
import { serveFile } from './serve-file.ts';
import type { OgcRequest } from './wcs.ts';

const FORMATS = ['application/json', 'json'];
const KNOWN = ['service', 'version', 'request', 'typename', 'outputformat', 'srsname'];

const Stored = z.object({
  type: z.literal('FeatureCollection'),
  features: z.array(z.looseObject({ type: z.literal('Feature'), geometry: z.unknown(), properties: z.unknown() })),
});

/** WFS 1.0.0 GetFeature of a whole layer as GeoJSON (lon/lat), in the shape of the map servers that clients know. */
export async function getFeature(deps: ServiceDeps, { workspace, query, method, headers }: OgcRequest): Promise<Reply> {
  demand(query, { service: ['WFS'], version: ['1.0.0'], request: ['GetFeature'], outputformat: FORMATS });
  refuseUnknown(query, KNOWN);
  if (query['srsname'] !== undefined) demand(query, { srsname: ['EPSG:4326'] });
  const name = query['typename'];
  if (name === undefined || name === '')
    throw ogcError('MissingParameterValue', 'typename', 'typeName: missing; name a layer');
  const layer = await findLayer(deps, workspace, name);
  if (layer === undefined || layer.layerType !== 'vector') {
    throw unknownLayer('vector', workspace, name);
  }
  const file = await openLayer(deps, layer);
  const answer = jsonFile(file, collection(layer, await readStored(file, layer), file.modified));
  return serveFile(
    { file: answer, mediaType: `${MEDIA.geojson}; charset=utf-8`, cacheControl: 'no-cache' },
    method,
    headers,
  );
}

/** Text made of a stored file, as a file: same time, so that ranges of two requests are of the same bytes. */
function jsonFile(source: AssetFile, value: unknown): AssetFile {
  const bytes = new TextEncoder().encode(JSON.stringify(value));
  return {
    bytes: bytes.length,
    etag: `${source.etag}-wfs`,
    modified: source.modified,
    stream: (start, end) => new Blob([bytes.subarray(start, end + 1)]).stream(),
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
  made: Date,
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
    timeStamp: made.toISOString(),
    crs: { type: 'name', properties: { name: 'urn:ogc:def:crs:EPSG::4326' } },
  };
}
