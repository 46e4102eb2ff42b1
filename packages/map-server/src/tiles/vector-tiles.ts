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

/** Files with all tiles of a layer, by the ending of their names. */
const FILES = {
  pmtiles: { write: pmtiles, contentType: 'application/vnd.pmtiles' },
  mbtiles: { write: mbtiles, contentType: 'application/vnd.sqlite3' },
} as const;
type TileFileKind = keyof typeof FILES;

/** Media type of vector tiles. */
export const MVT = 'application/vnd.mapbox-vector-tile';

/** Makes vector tiles and files of tiles, and caches them. */
interface VectorTiles {
  /** Returns a tile. A tile without features has no bytes, which is a valid tile. */
  tile(wanted: WantedTile): Promise<Uint8Array>;
  /** Returns a file with all tiles. Throws `unavailable` if too many files are being made. */
  file(layer: MapLayer, kind: TileFileKind): Promise<Uint8Array>;
}

interface WantedTile {
  readonly layer: MapLayer;
  readonly tile: Tile;
  readonly signal: AbortSignal;
}

/** Total size of cached tiles, bytes. */
const CACHED_TILES = 32 * 2 ** 20;
/** Memory that a cached tile needs in addition to its bytes. */
const NO_BYTES = 128;
/**
 * Total size of cached files, bytes. Programs read a file in many ranges, so the cache must have space for the largest file;
 * otherwise the file would be made again for each range.
 */
const CACHED_FILES = FILE_BYTES + 16 * 2 ** 20;
/** Maximum number of files that wait to be made. */
const MOST_WAITING = 7;
/** Version of the form of the tiles. Increase this version when the form changes, so that caches request the new tiles. */
const FORM = 1;

type TileParts = Pick<EmbeddedParts, 'tables' | 'turns'>;

/** Cache of tiles of each map server. The object with the feature tables of the map server is the key. */
const ofTables = new WeakMap<FeatureTables, VectorTiles>();

function vectorTilesOf(parts: TileParts): VectorTiles {
  const known = ofTables.get(parts.tables);
  if (known !== undefined) return known;
  const created = createVectorTiles(parts);
  ofTables.set(parts.tables, created);
  return created;
}

/**
 * Creates the cache of vector tiles. If several requests for one tile or file arrive at the same time, the tile or file is made
 * only once. Files are made one at a time.
 */
function createVectorTiles({ tables, turns }: TileParts): VectorTiles {
  const tiles = createByteLimitedCache<string, Uint8Array>({
    mostBytes: CACHED_TILES,
    sizeOf: ({ byteLength }) => byteLength + NO_BYTES,
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
          // If the client whose request began the work has closed its connection, the work was aborted. This request then begins
          // the work again.
          (error: unknown) => isAbort(error) && !signal.aborted,
        );
        if (!stopped) return await made;
      }
    },
    async file(layer, kind) {
      // A file is completed even if its client disconnects, because programs request the file again.
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

/** ETag of the tiles of a version of a layer. `isLasting` is true if the address of the request names this version. */
function versionOf(layer: MapLayer, { query }: MapRequest): Pick<MapReply, 'etag' | 'isLasting'> {
  return { etag: `${layer.version}-mvt${FORM}`, isLasting: layer.isLasting || query['v'] === layer.version };
}

/**
 * Parameter that names the version of a layer in the address of its tiles: `run` if the request has this parameter, otherwise
 * `v`.
 */
export const versionQuery = ({ version }: Pick<MapLayer, 'version'>, { run }: MapRequest['query']): string =>
  run === undefined ? `v=${version}` : `run=${encodeURIComponent(run)}`;

/** True if the client already has the response with this ETag. Then no tile and no file is made. */
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

/** Answers a request for a file with all tiles of a layer. For requests of ranges, the caller sends parts of the file. */
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
