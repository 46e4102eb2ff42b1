import { z } from 'zod';
import { ASSET_MEDIA, mediaTypeOf } from '../handlers/media-types.ts';
import { serveFile } from '../handlers/serve-file.ts';
import { operation, type Operation } from '../operation.ts';
import { absent } from '../wire/absent.ts';
import { RunId } from '../wire/schemas/runs.ts';
import { PARAMETER_ERRORS } from './common.ts';
import { EXAMPLE_RUN } from './runs.ts';
import { paths } from '../wire/paths.ts';

const FILE_NAME = /^[A-Za-z0-9_-][A-Za-z0-9_.-]{0,199}$/;

const getAsset = operation({
  id: 'getAsset',
  method: 'GET',
  path: paths.asset,
  auth: 'public',
  tag: 'files',
  summary: 'A published file of a run: COG, GeoJSON, style or thumbnail; HEAD and Range work',
  params: z.object({
    run: RunId,
    token: z.string().regex(/^\d{1,10}$/, 'A number is required.'),
    name: z.string().regex(FILE_NAME, 'Not a file name.'),
  }),
  responses: {
    200: { description: 'The file', media: ASSET_MEDIA },
    206: { description: 'The range asked for', media: ASSET_MEDIA },
    304: { description: 'The caller has it already' },
  },
  errors: [...PARAMETER_ERRORS, 'not_found', 'range_not_satisfiable'],
  examples: [
    { name: 'whole', params: { run: EXAMPLE_RUN, token: '1', name: 'example.geojson' }, status: 200 },
    {
      name: 'range',
      params: { run: EXAMPLE_RUN, token: '1', name: 'example.tif' },
      headers: { range: 'bytes=0-3' },
      status: 206,
    },
    {
      name: 'beyond its end',
      params: { run: EXAMPLE_RUN, token: '1', name: 'example.tif' },
      headers: { range: 'bytes=99999999-' },
      status: 416,
    },
    { name: 'absent', params: { run: EXAMPLE_RUN, token: '1', name: 'absent.tif' }, status: 404 },
  ],
  async handler({ params, method, headers }, { assets }) {
    const key = `${params.run}/${params.token}/${params.name}`;
    const file = await assets?.open(key);
    if (file === undefined) throw absent('file', { key });
    // The key names run and attempt, and a published attempt never changes.
    const cacheControl = 'public, max-age=86400, immutable';
    return serveFile({ file, mediaType: mediaTypeOf(params.name), cacheControl }, method, headers);
  },
});

/** Files that runs published. */
export const assetOperations = [getAsset] satisfies readonly Operation[];
