import { createByteLimitedCache, ownBytes } from '@headwater/core/caching';
import { DomainError } from '@headwater/core/errors';
import type { MapLayer, MapReply, MapRequest } from '@headwater/core/ports';
import { createKeyedLimiter } from '@headwater/core/timing';
import type { FeatureTables } from '../features/feature-table.ts';
import type { EmbeddedParts } from '../parts.ts';
import type { Tile } from './matrix.ts';
import { mbtiles } from './mbtiles.ts';
import { pmtiles } from './pmtiles.ts';
import { FILE_BYTES } from './pyramid.ts';
import { vectorTile, vectorTileJson } from './vector.ts';

const FILES = {
  pmtiles: { write: pmtiles, contentType: 'application/vnd.pmtiles' },
  mbtiles: { write: mbtiles, contentType: 'application/vnd.sqlite3' },
} as const;
type TileFileKind = keyof typeof FILES;

/** Media type of vector tiles. */
export const MVT = 'application/vnd.mapbox-vector-tile';

/** Makes and caches vector tiles and files of tiles. */
interface VectorTiles {
  /** Vector tile. Without features it has no bytes, which is valid. */
  tile(wanted: WantedTile): Promise<Uint8Array>;
  /** File with the `packedTiles` of a layer. Throws `unavailable` if the queue is full. */
  file(layer: MapLayer, kind: TileFileKind): Promise<Uint8Array>;
}

interface WantedTile {
  readonly layer: MapLayer;
  readonly tile: Tile;
  readonly signal: AbortSignal;
}

/** Maximum size of the cached tiles, bytes. */
const CACHED_TILES = 32 * 2 ** 20;
/** Bytes that the cache counts for a tile in addition to its content. */
const TILE_OVERHEAD = 128;
/** Maximum size of the cached files, bytes. The largest file must fit, because programs read a file in many ranges. */
const CACHED_FILES = FILE_BYTES + 16 * 2 ** 20;
/** Maximum length of the queue of files. */
const MOST_WAITING = 7;
/** Version of the encoding of tiles. Increase the version if tiles change, so that caches request new tiles. */
const FORM = 1;

type TileParts = Pick<EmbeddedParts, 'tables' | 'turns'>;

/** The caches of each map server, by its feature tables. */
const ofTables = new WeakMap<FeatureTables, VectorTiles>();

function vectorTilesOf(parts: TileParts): VectorTiles {
  const known = ofTables.get(parts.tables);
  if (known !== undefined) return known;
  const created = createVectorTiles(parts);
  ofTables.set(parts.tables, created);
  return created;
}

/** Creates the caches. Simultaneous requests for a tile or file share one computation; files are made one at a time. */
function createVectorTiles({ tables, turns }: TileParts): VectorTiles {
  const tiles = createByteLimitedCache<string, Uint8Array>({
    mostBytes: CACHED_TILES,
    sizeOf: ({ byteLength }) => byteLength + TILE_OVERHEAD,
  });
  const files = createByteLimitedCache<string, Uint8Array>({
    mostBytes: CACHED_FILES,
    mostOfOne: CACHED_FILES,
    sizeOf: ({ byteLength }) => byteLength,
  });
  const limiter = createKeyedLimiter({
    concurrency: 1,
    maxWaiting: MOST_WAITING,
    refuse: () =>
      new DomainError('unavailable', 'too many files of tiles are being made; send the request again later'),
  });
  return {
    async tile({ layer, tile, signal }) {
      const key = `${keyOf(layer)}|${tile.zoom}/${tile.col}/${tile.row}`;
      const make = async (): Promise<Uint8Array> =>
        ownBytes(
          (await vectorTile({ table: await tables.of(layer), layer, turn: turns(signal) }, tile)) ?? new Uint8Array(),
        );
      for (;;) {
        const made = tiles.of(key, { version: '', make });
        const stopped = await made.then(
          () => false,
          // If the client of the first request disconnects, the shared work is aborted. Then this request starts
          // the work again.
          (error: unknown) => isAbort(error) && !signal.aborted,
        );
        if (!stopped) return await made;
      }
    },
    async file(layer, kind) {
      // A file is completed even if its client has disconnected, because programs request the file again.
      const make = async (): Promise<Uint8Array> =>
        await limiter.run('', async () => {
          const turn = turns(new AbortController().signal);
          return await FILES[kind].write({ table: await tables.of(layer), layer, turn });
        });
      return await files.of(`${keyOf(layer)}|${kind}`, { version: '', make });
    },
  };
}

const isAbort = (error: unknown): boolean => error instanceof Error && error.name === 'AbortError';

const keyOf = ({ workspace, name, assetKey, version }: MapLayer): string =>
  `${workspace}:${name}|${assetKey}|${version}`;

/** ETag of a version of a layer. `isLasting`: the address names this version. */
function versionOf(layer: MapLayer, { query }: MapRequest): Pick<MapReply, 'etag' | 'isLasting'> {
  return { etag: `${layer.version}-mvt${FORM}`, isLasting: layer.isLasting || query['v'] === layer.version };
}

/** Parameter with the version of a layer in the address of tiles: `run` if requested, otherwise `v`. */
export const versionQuery = ({ version }: Pick<MapLayer, 'version'>, { run }: MapRequest['query']): string =>
  run === undefined ? `v=${version}` : `run=${encodeURIComponent(run)}`;

/** True if the client already has this response. */
const knows = ({ headers }: MapRequest, etag: string | undefined): boolean => {
  const known = headers['if-none-match'];
  return etag !== undefined && typeof known === 'string' && known.includes(`"${etag}"`);
};

/** Answers a request for a vector tile. */
export async function vectorTileReply(
  parts: TileParts,
  { layer, tile }: { readonly layer: MapLayer; readonly tile: Tile },
  request: MapRequest,
): Promise<MapReply> {
  const version = versionOf(layer, request);
  if (knows(request, version.etag))
    return { status: 304, headers: { etag: `"${version.etag}"` }, body: undefined, ...version };
  return {
    status: 200,
    headers: { 'content-type': MVT },
    body: await vectorTilesOf(parts).tile({ layer, tile, signal: request.signal }),
    ...version,
  };
}

/** Answers a request for a file of vector tiles with the whole file; the service sends the requested range. */
export async function tileFileReply(
  parts: TileParts,
  { layer, kind }: { readonly layer: MapLayer; readonly kind: TileFileKind },
  request: MapRequest,
): Promise<MapReply> {
  const version = versionOf(layer, request);
  const [etag, isLasting] = [`${version.etag}-${kind}`, version.isLasting === true];
  if (knows(request, etag)) return { status: 304, headers: { etag: `"${etag}"` }, body: undefined, etag, isLasting };
  const file = `${layer.name.replace(/[^\w.-]/g, '_')}.${kind}`;
  return {
    status: 200,
    headers: {
      'content-type': FILES[kind].contentType,
      'content-disposition': `attachment; filename="${file}"`,
      'accept-ranges': 'bytes',
    },
    body: await vectorTilesOf(parts).file(layer, kind),
    etag,
    isLasting,
  };
}

/** Answers a request for the TileJSON of a vector layer. */
export async function vectorTileJsonReply(
  { tables, url, provider }: Pick<EmbeddedParts, 'tables' | 'url' | 'provider'>,
  layer: MapLayer,
  request: MapRequest,
): Promise<MapReply> {
  const place = `${encodeURIComponent(layer.workspace)}/${encodeURIComponent(layer.name)}`;
  const tiles = `${url}/tiles/${place}/{z}/{x}/{y}.mvt?${versionQuery(layer, request.query)}`;
  const document = {
    ...vectorTileJson(layer, await tables.of(layer), tiles),
    ...(provider === null ? {} : { attribution: provider }),
  };
  return {
    status: 200,
    headers: { 'content-type': 'application/json; charset=utf-8' },
    body: JSON.stringify(document),
    etag: `${layer.version}-vector-tilejson${FORM}`,
    isLasting: versionOf(layer, request).isLasting === true,
  };
}
