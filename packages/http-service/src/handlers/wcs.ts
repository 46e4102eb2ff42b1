import type { ServiceDeps } from '../deps.ts';
import type { Reply } from '../reply.ts';
import { demand, findLayer, ogcError, openLayer, refuseUnknown, unknownLayer, type OgcQuery } from './ogc.ts';
import { serveFile } from './serve-file.ts';

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
];

/** A request to one workspace. */
export interface OgcRequest {
  readonly workspace: string;
  readonly query: OgcQuery;
  readonly method: string;
  readonly headers: Parameters<typeof serveFile>[2];
}

/** WCS 2.0.1 GetCoverage of a whole coverage: the stored COG, with HEAD and Range. */
export async function getCoverage(
  deps: ServiceDeps,
  { workspace, query, method, headers }: OgcRequest,
): Promise<Reply> {
  demand(query, { service: ['WCS'], version: ['2.0.1'], request: ['GetCoverage'] });
  refuseUnknown(query, KNOWN);
  const id = query['coverageid'];
  if (id === undefined || id === '')
    throw ogcError('MissingParameterValue', 'coverageid', 'coverageId: missing; name a coverage');
  if (query['format'] !== undefined) demand(query, { format: FORMATS });
  const layer = await findLayer(deps, workspace, id);
  if (layer === undefined || layer.layerType !== 'raster') {
    throw unknownLayer('raster', workspace, id);
  }
  const file = await openLayer(deps, layer);
  return serveFile(
    {
      file,
      mediaType: 'image/tiff; application=geotiff',
      // A name of the catalogue: slugs and digits; anything else would not be safe in a header.
      download: `${layer.layerName.replace(/[^\w.-]/g, '_')}.tif`,
      cacheControl: 'no-cache',
    },
    method,
    headers,
  );
}
