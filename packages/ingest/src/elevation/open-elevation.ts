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
import { toUtm, utmZone } from '@headwater/core/geo';
import type { RasterHeader } from '@headwater/core/ports';
import { Network, type NetworkOptions } from '@headwater/net';
import { resolve } from 'node:path';
import type { DemSet } from './dem-set.ts';
import { type DemApi, type DemSearch, demSets } from './dem-sources.ts';
import { findTile, type FoundTile } from './tile-version.ts';

/** Points per side at which a box is looked up: closer together than a tile of any elevation model is wide, for boxes of a tehsil. */
const SIDE = 33;

/** True where the point (lon/lat) lies in the grid, its edges included. */
function holds(grid: PixelGrid, lon: number, lat: number): boolean {
  const zone = utmZone(grid.crs);
  const [x, y] = zone === undefined ? [lon, lat] : toUtm(zone, lon, lat);
  const { west, north, pixelWidth, pixelHeight, cols, rows } = grid;
  // A margin may reach beyond 180 degrees, where tiles go on at -180.
  const turns = zone === undefined ? [0, 360, -360] : [0];
  const isAcross = turns.some((by) => x + by >= west && x + by <= west + cols * pixelWidth);
  return isAcross && y <= north && y >= north - rows * pixelHeight;
}

/** Which of the grids, EPSG:4326 or UTM, have a part of the box; undefined where a part of it lies in none. */
export function gridsOver([west, south, east, north]: Box, grids: readonly PixelGrid[]): readonly number[] | undefined {
  const used = new Set<number>();
  for (let row = 0; row < SIDE; row += 1) {
    for (let col = 0; col < SIDE; col += 1) {
      const lon = west + ((east - west) * col) / (SIDE - 1);
      const lat = south + ((north - south) * row) / (SIDE - 1);
      const here = grids.flatMap((grid, index) => (holds(grid, lon, lat) ? [index] : []));
      if (here.length === 0) return undefined;
      for (const index of here) used.add(index);
    }
  }
  return [...used].toSorted((a, b) => a - b);
}

/** Where `openElevation` looks. */
export interface ElevationOptions {
  /** Folder of GeoTIFFs, or of folders of them, each of one data set with a `dem.json` beside them, or with a static STAC catalogue. */
  readonly folder: string;
  /** Asked where no folder has all of a box. */
  readonly api?: DemApi | undefined;
  /** Reads headers. */
  readonly pixels: Pick<PixelEngine, 'gridOf'>;
  /** Told once for each file or Item that cannot be used, and why. */
  readonly warn: (message: string) => void;
  /** Origins that may be asked although they are not public, and how long servers are waited for; default: `PATIENCE`, no origins. */
  readonly network?: Pick<NetworkOptions, 'settings' | 'tools'>;
}

/** Requests wait for the answer: what stays away for longer is `unavailable`, which a run tries again. */
const PATIENCE = { patienceMs: 5000, tries: 3, timeoutMs: 10_000, searchMs: 60_000 };
/** Files looked at a time. */
const CONCURRENCY = 8;

/** A tile whose header was read. */
interface ReadTile extends FoundTile {
  readonly header: RasterHeader;
}

type Tools = Pick<ElevationOptions, 'pixels' | 'warn'> & { readonly headers: Map<string, RasterHeader> };

/**
 * Elevations of GeoTIFFs, looked up at each call: files may come and go. The first data set, of the folders by name and then of the API,
 * whose files have all of a box gives them. Files that the engine cannot read, such as those neither in EPSG:4326 nor in UTM, are told
 * and left out. Throws `unavailable` where a server does not answer: its tiles must not be missing in silence.
 */
export function openElevation({ folder, api, pixels, warn, network = {} }: ElevationOptions): ElevationSource {
  const told = new Set<string>();
  const once = (message: string): void => {
    if (!told.has(message)) warn(message);
    told.add(message);
  };
  const tools: Tools = { pixels, warn: once, headers: new Map() };
  return {
    async demFor(box, stop) {
      const reach = new Network({ ...network, settings: { ...PATIENCE, ...network.settings } });
      const ends = reach.tools.timeout(reach.settings.searchMs);
      const signal = stop === undefined ? ends : AbortSignal.any([stop, ends]);
      try {
        return await firstOver({ box, folder: resolve(folder), api, warn: once, network: reach, signal }, tools);
      } catch (error) {
        stop?.throwIfAborted();
        if (!ends.aborted) throw error;
        const text = `The search for elevations was not over after ${reach.settings.searchMs / 1000} seconds; try again or use a faster catalogue`;
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

async function elevationOf(set: DemSet, search: DemSearch, tools: Tools): Promise<Elevation | undefined> {
  const tiles = await readTiles(set, search, tools);
  const over = gridsOver(
    search.box,
    tiles.map(({ header }) => header),
  );
  if (over === undefined) return undefined;
  // Those of one lattice side by side: they are read as one raster. The finest first, since what is computed has the pixels of the first.
  const used = over.flatMap((index) => tiles.slice(index, index + 1)).toSorted(byPixels);
  const notice = await set.notice();
  return {
    ...notice,
    rasters: used.map(({ href, version }) => ({ href, version })),
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
          return [{ ...found, header: await headerOf(found, search.signal, tools) }];
        } catch (error) {
          // Whoever stops may say so with an error of the domain; no file is at fault then.
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
