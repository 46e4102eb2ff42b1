import type { Ports } from '../../../deps.ts';
import type { Reply } from '../../../seam/reply.ts';
import { createAddresses } from '../../../wire/addresses.ts';
import { layerFile, seeNewest, withoutWorkspace, type OgcRequest } from './layer-file.ts';
import { demand, ogcError, refuseUnknown } from './ogc.ts';
import { serveFile } from '../../../answering/serve-file.ts';

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
  'run',
];

/** WCS 2.0.1 GetCoverage of a whole coverage: the stored COG, with HEAD and Range. */
export async function getCoverage(deps: Ports<'assets' | 'baseUrl' | 'stores'>, request: OgcRequest): Promise<Reply> {
  const { workspace, query, method, headers } = request;
  demand(query, { service: ['WCS'], version: ['2.0.1'], request: ['GetCoverage'] });
  refuseUnknown(query, KNOWN);
  const id = query['coverageid'];
  if (id === undefined || id === '')
    throw ogcError('MissingParameterValue', 'coverageid', 'coverageId: missing; name a coverage');
  if (query['format'] !== undefined) demand(query, { format: FORMATS });
  const layer = await layerFile(deps, request, { layerType: 'raster', name: id });
  if (layer === undefined)
    return seeNewest(createAddresses(deps.baseUrl).coverage(workspace, withoutWorkspace(workspace, id)));
  const { file, layerName, isLasting } = layer;
  // A name of the catalogue: slugs and digits; anything else would not be safe in a header.
  const download = `${layerName.replace(/[^\w.-]/g, '_')}.tif`;
  return serveFile({ file, mediaType: 'image/tiff; application=geotiff', download, isLasting }, method, headers);
}
