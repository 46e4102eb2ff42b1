import type { PublishedItem } from '@headwater/core';
import { isObject } from '@headwater/core/values';
import { FILE_MEDIA_TYPES, mediaTypeOfFile } from '@headwater/stac';
import { z } from 'zod';
import { pictureOfClass } from '../../../answering/class-picture.ts';
import { conditionReply, serveFile } from '../../../answering/serve-file.ts';
import type { Ports } from '../../../deps.ts';
import type { RequestHeaders } from '../../../reading/conditions.ts';
import { classQuery, NOT_MODIFIED, PRECONDITION_FAILED } from '../../../rows/page-queries.ts';
import { PARAMETER_ERRORS } from '../../../rows/common.ts';
import { EXAMPLE_FILES, EXAMPLE_ITEM, EXAMPLE_PLACE, EXAMPLE_RUN } from '../../../rows/example-world.ts';
import { operation, type Operation } from '../../../rows/operation.ts';
import type { Reply } from '../../../seam/reply.ts';
import { absentItem } from '../../../items/known-places.ts';
import { absent } from '../../../wire/absent.ts';
import { fileKeyOf, withBase } from '../../../wire/addresses.ts';
import { paths } from '../../../wire/paths.ts';
import { text } from '../../../wire/text.ts';
import { seeNewest } from '../../maps/handlers/layer-file.ts';
import { RunId } from '../../runs/schemas/runs.ts';
import { ItemParams } from '../schemas/stac.ts';

/** Response with a file. The schema applies to JSON files, which are always objects. */
const THE_FILE = { description: 'The file', media: FILE_MEDIA_TYPES, schema: z.looseObject({}) };

interface AssetPlace {
  /** Collection path, `state/district/block`. */
  readonly path: string;
  readonly item: string;
  readonly asset: string;
}

/** Redirects to a file in a bucket. The redirect is not cached, because the address may expire soon. */
const seeStorage = (location: string): Reply => ({
  status: 307,
  headers: { location, 'cache-control': 'no-store' },
  body: undefined,
});

async function latestAsset(
  deps: Ports<'assets' | 'baseUrl' | 'canCompute' | 'pipelines' | 'stores'>,
  place: AssetPlace,
  { method, headers }: { readonly method: string; readonly headers: RequestHeaders },
): Promise<Reply> {
  const published = await deps.stores.catalog.item(place.path, place.item);
  if (published === undefined) throw await absentItem(deps, { collectionPath: place.path, id: place.item });
  const href = hrefOf(published, place.asset, deps.baseUrl);
  if (href === undefined) throw absent('asset', { id: place.item, asset: place.asset });
  const key = fileKeyOf(href, deps.baseUrl);
  if (key === undefined) return seeNewest(href);
  const file = await deps.assets?.open(key);
  if (file === undefined) throw absent('file', { key });
  return serveFile({ file, mediaType: mediaTypeOfFile(key), isLasting: false }, method, headers);
}

function hrefOf({ item }: PublishedItem, name: string, baseUrl: string): string | undefined {
  const assets = isObject(item['assets']) ? item['assets'] : {};
  const asset = Object.hasOwn(assets, name) ? assets[name] : undefined;
  const href = isObject(asset) ? asset['href'] : undefined;
  return typeof href === 'string' ? withBase(href, baseUrl) : undefined;
}

const EXAMPLE = { ...EXAMPLE_PLACE, item: EXAMPLE_ITEM };
const FILE = { run: EXAMPLE_RUN, token: EXAMPLE_FILES.token, name: EXAMPLE_FILES.raster };
const FILE_NAME = /^[A-Za-z0-9_-][A-Za-z0-9_.-]{0,199}$/;

const getAsset = operation({
  id: 'getAsset',
  method: 'GET',
  path: paths.asset,
  auth: 'public',
  tag: 'files',
  summary: 'Returns a published file of a run: COG, GeoJSON, style or thumbnail; HEAD and Range work',
  params: z.object({
    run: RunId.describe('Id of the run that published the file.'),
    token: z
      .string()
      .regex(/^[0-9]{1,10}$/, 'Must be a number; copy the address from an Item.')
      .describe('Number of the attempt of the run, as in the addresses of an Item.'),
    name: z
      .string()
      .regex(FILE_NAME, 'Not the name of a file; copy the address from an Item.')
      .describe('Name of the file.'),
  }),
  query: z.object({
    class: classQuery.describe('Value of a class: a picture of classes (PNG) is sent with this class alone.'),
  }),
  responses: {
    200: THE_FILE,
    206: { description: 'The requested range', media: FILE_MEDIA_TYPES },
    304: NOT_MODIFIED,
    307: { description: 'The file is in a bucket, at the address in Location' },
    412: { description: 'The file differs from `If-Match`, or is newer than `If-Unmodified-Since`' },
  },
  errors: [...PARAMETER_ERRORS, 'not_found', 'range_not_satisfiable'],
  examples: [
    { name: 'whole', params: { ...FILE, name: EXAMPLE_FILES.vector }, status: 200 },
    {
      name: 'range',
      params: FILE,
      headers: { range: 'bytes=0-3' },
      status: 206,
    },
    {
      name: 'a range beyond the end of the file',
      params: FILE,
      headers: { range: 'bytes=99999999-' },
      status: 416,
    },
    { name: 'absent', params: { ...FILE, name: 'absent.tif' }, status: 404 },
    { name: 'a class of a file that is not a picture', params: FILE, query: { class: '1' }, status: 400 },
  ],
  async handler({ params, query, method, headers }, { assets }) {
    const key = `${params.run}/${params.token}/${params.name}`;
    const file = await assets?.open(key);
    if (file === undefined) throw absent('file', { key });
    const address = method === 'GET' && query.class === undefined ? await file.location?.() : undefined;
    if (address !== undefined)
      return conditionReply({ mediaType: mediaTypeOfFile(key), isLasting: true }, file, headers) ?? seeStorage(address);
    const shown = query.class === undefined ? file : await pictureOfClass(file, query.class);
    // Files of a published attempt never change.
    return serveFile({ file: shown, mediaType: mediaTypeOfFile(params.name), isLasting: true }, method, headers);
  },
});

const getLatestAsset = operation({
  id: 'getLatestAsset',
  method: 'GET',
  path: paths.latestAsset,
  auth: 'public',
  tag: 'files',
  summary: 'Returns the newest version of an asset of an Item; HEAD and Range work',
  description:
    'This address is stable: it also works after the Item is computed again. To read the file in ranges, send the header `If-Range` or `If-Match` with ' +
    'the ETag of the first range, so that all ranges belong to the same version.',
  params: ItemParams.extend({ asset: text(100).describe('Key of the asset in the Item.') }),
  responses: {
    200: THE_FILE,
    206: { description: 'The requested range', media: FILE_MEDIA_TYPES },
    304: NOT_MODIFIED,
    307: { description: 'The asset is at another address, which Location contains' },
    412: PRECONDITION_FAILED,
  },
  errors: [...PARAMETER_ERRORS, 'not_found', 'range_not_satisfiable'],
  examples: [
    { name: 'raster', params: { ...EXAMPLE, asset: 'cog' }, status: 200 },
    { name: 'range', params: { ...EXAMPLE, asset: 'cog' }, headers: { range: 'bytes=0-3' }, status: 206 },
    { name: 'absent', params: { ...EXAMPLE, asset: 'nothing' }, status: 404 },
  ],
  handler({ params, method, headers }, deps) {
    const { state, district, block, item, asset } = params;
    return latestAsset(deps, { path: `${state}/${district}/${block}`, item, asset }, { method, headers });
  },
});

const getMapFile = operation({
  id: 'getMapFile',
  method: 'GET',
  path: paths.mapFile,
  auth: 'public',
  tag: 'files',
  summary: 'Script of the interactive map',
  params: z.object({ file: z.string().describe('map.js, or a file that it imports') }),
  responses: { 200: { description: 'A script', media: ['text/javascript'] } },
  errors: [...PARAMETER_ERRORS, 'not_found'],
  examples: [{ name: 'unknown', params: { file: 'other.js' }, status: 404 }],
  async handler({ params: { file }, path }, { documents }) {
    const reply = await documents.maps?.file(file);
    if (reply === undefined) throw absent('path', { path: path.slice(0, 200) });
    return reply;
  },
});

/** Operations of files: files that runs published, and files of the map. */
export const assetOperations = [getAsset, getLatestAsset, getMapFile] satisfies readonly Operation[];
