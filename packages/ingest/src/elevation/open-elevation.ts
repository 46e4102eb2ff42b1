import {
  type Box,
  DomainError,
  type Elevation,
  type ElevationSource,
  isDomainError,
  type PixelEngine,
  type PixelGrid,
  publicAddress,
} from '@headwater/core';
import { fromUtm, toUtm, utmZone } from '@headwater/core/geo';
import type { RasterHeader } from '@headwater/core/ports';
import { Network, type NetworkOptions } from '@headwater/net';
import { resolve } from 'node:path';
import { sourceIn } from '../scenes/catalogue-folders.ts';
import { boxesTouch } from '../scenes/boxes.ts';
import type { DemSet } from './dem-from-item.ts';
import { type DemApi, type DemSearch, demSets } from './dem-sources.ts';
import { findTile, type FoundTile } from './tile-version.ts';

/**
 * Test points per side of a box; their distance is smaller than any elevation tile, so each missing tile is noticed.
 */
const SIDE = 33;

function holds(grid: PixelGrid, lon: number, lat: number): boolean {
  const zone = utmZone(grid.crs);
  const [x, y] = zone === undefined ? [lon, lat] : toUtm(zone, lon, lat);
  const { west, north, pixelWidth, pixelHeight, cols, rows } = grid;
  // A box with margin may extend beyond 180 degrees. The tiles there begin at -180, so the longitude is also tested 360
  // degrees further west and east.
  const turns = zone === undefined ? [0, 360, -360] : [0];
  const isAcross = turns.some((by) => x + by >= west && x + by <= west + cols * pixelWidth);
  return isAcross && y <= north && y >= north - rows * pixelHeight;
}

/**
 * Indices of the rasters (EPSG:4326 or UTM) that overlap the box; undefined if the rasters do not cover the whole box.
 */
export function gridsOver([west, south, east, north]: Box, grids: readonly PixelGrid[]): readonly number[] | undefined {
  const used = new Set<number>();
  for (let row = 0; row < SIDE; row += 1) {
    for (let col = 0; col < SIDE; col += 1) {
      const lon = west + ((east - west) * col) / (SIDE - 1);
      const lat = south + ((north - south) * row) / (SIDE - 1);
      const atPoint = grids.flatMap((grid, index) => (holds(grid, lon, lat) ? [index] : []));
      if (atPoint.length === 0) return undefined;
      for (const index of atPoint) used.add(index);
    }
  }
  return [...used].toSorted((a, b) => a - b);
}

function boxOf({ crs, west, north, pixelWidth, pixelHeight, cols, rows }: PixelGrid): Box {
  const [east, south] = [west + cols * pixelWidth, north - rows * pixelHeight];
  const zone = utmZone(crs);
  if (zone === undefined) return [west, south, east, north];
  const corners = [west, east].flatMap((x) => [south, north].map((y) => fromUtm(zone, x, y)));
  const [lons, lats] = [corners.map(([lon]) => lon), corners.map(([, lat]) => lat)];
  return [Math.min(...lons), Math.min(...lats), Math.max(...lons), Math.max(...lats)];
}

const gridsTouching = (box: Box, grids: readonly PixelGrid[]): readonly number[] =>
  grids.flatMap((grid, index) => (boxesTouch(box, boxOf(grid)) ? [index] : []));

/** Sources and tools of `openElevation`. */
export interface ElevationOptions {
  /**
   * Folder with GeoTIFFs and a `dem.json`, or with a static STAC catalogue. Each subfolder may contain a further data
   * set.
   */
  readonly folder: string;
  /** STAC API that is searched if no folder covers the box. */
  readonly api?: DemApi | undefined;
  /** Pixel engine that reads headers. */
  readonly pixels: Pick<PixelEngine, 'gridOf'>;
  /** Called once with the reason for each unusable file or Item. */
  readonly warn: (message: string) => void;
  /** Allowed origins in private networks (default: none), and time limits (default: `PATIENCE`). */
  readonly network?: Pick<NetworkOptions, 'settings' | 'tools'>;
}

/** Time limits while a caller waits. Afterwards the search throws `unavailable`, and the run is retried. */
const PATIENCE = { patienceMs: 5000, tries: 3, timeoutMs: 10_000, searchMs: 60_000 };
const CONCURRENCY = 8;

interface ReadTile extends FoundTile {
  /** Path relative to the folder of elevations; absent for files outside of this folder. */
  readonly source?: string;
  readonly header: RasterHeader;
}

type Tools = Pick<ElevationOptions, 'pixels' | 'warn'> & { readonly headers: Map<string, RasterHeader> };

/**
 * Creates a source of elevations from GeoTIFFs. `demFor` returns the first data set that covers the box; folders come
 * before the API. With a title, it returns all tiles over the box whose notice has this title. Unreadable files are
 * reported and left out; a server without response throws `unavailable`.
 */
export function openElevation({ folder, api, pixels, warn, network = {} }: ElevationOptions): ElevationSource {
  const reported = new Set<string>();
  const once = (message: string): void => {
    if (!reported.has(message)) warn(message);
    reported.add(message);
  };
  const tools: Tools = { pixels, warn: once, headers: new Map() };
  return {
    async demFor(box, stop, title) {
      const reach = new Network({ ...network, settings: { ...PATIENCE, ...network.settings } });
      const ends = reach.tools.timeout(reach.settings.searchMs);
      const signal = stop === undefined ? ends : AbortSignal.any([stop, ends]);
      try {
        const search = { box, folder: resolve(folder), api, warn: once, network: reach, signal };
        return await (title === undefined ? firstOver(search, tools) : allOf(title, search, tools));
      } catch (error) {
        stop?.throwIfAborted();
        if (!ends.aborted) throw error;
        const text = `The search for elevation tiles did not end within ${reach.settings.searchMs / 1000} seconds; try again or use a faster catalogue`;
        throw new DomainError('unavailable', text, { cause: error });
      }
    },
  };
}

async function firstOver(search: DemSearch, tools: Tools): Promise<Elevation | undefined> {
  for await (const set of demSets(search)) {
    const found = await elevationOf(set, search, tools);
    if (found !== undefined) return found;
  }
  return undefined;
}

async function allOf(title: string, search: DemSearch, tools: Tools): Promise<Elevation | undefined> {
  let found: { readonly set: DemSet; readonly tiles: readonly ReadTile[] } | undefined;
  for await (const set of demSets(search)) {
    if ((await set.notice()).title !== title) continue;
    const tiles = await readTiles(set, search, tools);
    const over = gridsTouching(
      search.box,
      tiles.map(({ header }) => header),
    );
    const used = over.flatMap((index) => tiles.slice(index, index + 1));
    if (used.length > 0) found = { set: found?.set ?? set, tiles: [...(found?.tiles ?? []), ...used] };
  }
  return found && describedTiles(found.set, found.tiles);
}

async function elevationOf(set: DemSet, search: DemSearch, tools: Tools): Promise<Elevation | undefined> {
  const tiles = await readTiles(set, search, tools);
  const over = gridsOver(
    search.box,
    tiles.map(({ header }) => header),
  );
  if (over === undefined) return undefined;
  return describedTiles(
    set,
    over.flatMap((index) => tiles.slice(index, index + 1)),
  );
}

/**
 * Sorts the tiles by CRS and pixel size, because tiles with equal CRS and pixel size are read as one raster. Within
 * a CRS the smallest pixels come first, because results get the pixels of the first raster.
 */
async function describedTiles(set: DemSet, tiles: readonly ReadTile[]): Promise<Elevation> {
  const used = tiles.toSorted(byPixels);
  const notice = await set.notice();
  return {
    ...notice,
    rasters: used.map(({ href, source, version }) => ({ href, ...(source === undefined ? {} : { source }), version })),
    synthetic: notice.synthetic || used.some(({ synthetic }) => synthetic),
  };
}

function byPixels({ header: a }: ReadTile, { header: b }: ReadTile): number {
  if (a.crs !== b.crs) return a.crs < b.crs ? -1 : 1;
  return a.pixelHeight - b.pixelHeight || a.pixelWidth - b.pixelWidth;
}

async function readTiles({ tiles }: DemSet, search: DemSearch, tools: Tools): Promise<readonly ReadTile[]> {
  const read: ReadTile[] = [];
  for (let i = 0; i < tiles.length; i += CONCURRENCY) {
    const some = await Promise.all(
      tiles.slice(i, i + CONCURRENCY).map(async (tile): Promise<readonly ReadTile[]> => {
        try {
          const found = await findTile(tile, search);
          return [
            { ...found, ...sourceIn(search.folder, tile.href), header: await headerOf(found, search.signal, tools) },
          ];
        } catch (error) {
          // The reason of an abort is thrown, and is not reported as a fault of the file.
          search.signal.throwIfAborted();
          if (!isDomainError(error) || error.code === 'unavailable') throw error;
          tools.warn(`Elevation file ${publicAddress(tile.href)} is not used: ${error.message}`);
          return [];
        }
      }),
    );
    read.push(...some.flat());
  }
  return read;
}

async function headerOf(
  { href, version }: FoundTile,
  signal: AbortSignal,
  { pixels, headers }: Tools,
): Promise<RasterHeader> {
  const key = `${href}\n${version}`;
  const header = headers.get(key) ?? (await pixels.gridOf(href, {}, signal));
  headers.set(key, header);
  return header;
}
