// Writes the scenes of `npm run bench:scale`: a square on the border of two UTM zones.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pointTransform } from '@headwater/raster';
import type { Box } from '../../scripts/boxes.mjs';
import { makeFolders, patchOf, writeCatalog, writePass } from '../year/synthetic.ts';
import type { SceneEntry, TileBox } from '../year/synthetic.ts';

/** Size of a case. */
export interface ScaleWorld {
  /** Pixels of 10 m along one side of the square. */
  readonly side: number;
  readonly dates: number;
  readonly tiles: 1 | 2 | 4 | 6;
}

/** Centre of the square, on the border of the UTM zones 43 and 44. */
const MIDDLE = { lon: 78, lat: 21.65 } as const;
const ZONES = ['EPSG:32643', 'EPSG:32644'] as const;
/** Margin of a tile around its part of the square, m. */
const MARGIN = 400;
const SKIES = { clear: 0, half: 0.5 } as const;
const FIRST_DAY = Date.UTC(2023, 6, 1);
const DAYS = 366;

/**
 * Parts of the square, by number of tiles. A part consists of left, right, top and bottom (shares of the square), and
 * the index of its UTM zone.
 */
const CUTS: Readonly<Record<ScaleWorld['tiles'], readonly (readonly [number, number, number, number, 0 | 1])[]>> = {
  1: [[0, 1, 0, 1, 0]],
  2: [0, 0.5].map((top) => [0, 1, top, top + 0.5, 0] as const),
  4: [0, 0.5].flatMap((top) => [[0, 0.5, top, top + 0.5, 0] as const, [0.5, 1, top, top + 0.5, 1] as const]),
  6: [0, 0.5].flatMap((top) => [
    [0, 0.5, top, top + 0.5, 0] as const,
    [0.5, 0.75, top, top + 0.5, 1] as const,
    [0.75, 1, top, top + 0.5, 1] as const,
  ]),
};

function squareOf(side: number): Box {
  const half = (side * 10) / 2;
  const [dLon, dLat] = [half / (111_320 * Math.cos((MIDDLE.lat * Math.PI) / 180)), half / 110_750];
  return { west: MIDDLE.lon - dLon, east: MIDDLE.lon + dLon, south: MIDDLE.lat - dLat, north: MIDDLE.lat + dLat };
}

/** Box of the part in its UTM zone, aligned to pixels of 20 m. */
function tileOf(name: string, { west, south, east, north }: Box, crs: string): TileBox {
  const toZone = pointTransform('EPSG:4326', crs);
  const corners = [west, east].flatMap((lon) => [south, north].map((lat) => toZone(lon, lat)));
  const of = (axis: 0 | 1, pick: typeof Math.min): number => pick(...corners.map((corner) => corner[axis]));
  const [left, top] = [of(0, Math.min) - MARGIN, of(1, Math.max) + MARGIN].map((at) => Math.round(at / 20) * 20);
  const pixels = (length: number): number => Math.ceil((length + 2 * MARGIN) / 20) * 2;
  return {
    name,
    crs,
    west: left ?? 0,
    north: top ?? 0,
    cols: pixels(of(0, Math.max) - of(0, Math.min)),
    rows: pixels(of(1, Math.max) - of(1, Math.min)),
  };
}

function tilesOf({ side, tiles }: ScaleWorld): TileBox[] {
  const { west, south, east, north } = squareOf(side);
  const [width, height] = [east - west, north - south];
  return CUTS[tiles].map(([left, right, top, bottom, zone], i) => {
    const part = {
      west: west + left * width,
      east: west + right * width,
      north: north - top * height,
      south: north - bottom * height,
    };
    return tileOf(`T${i}`, part, ZONES[zone]);
  });
}

function sceneOf(
  tile: TileBox,
  index: number,
  { date, dates }: { readonly date: number; readonly dates: number },
): SceneEntry {
  const day = Math.floor((date * DAYS) / dates);
  const time = new Date(FIRST_DAY + day * 86_400_000 + 19_200_000);
  const isClear = patchOf(date, index) < 150;
  const season = day < 150 ? 'green' : 'dry';
  return { tile, pass: tile.name, time, season, sky: isClear ? 'clear' : 'half', cloudCover: isClear ? 1 : 50 };
}

/**
 * Writes the scenes of a case. Reuses the files of an earlier case that has the same square and tiles, and replaces its
 * catalogue. Returns the folder.
 */
export async function writeScaleWorld(parent: string, world: ScaleWorld): Promise<string> {
  const { dates, side } = world;
  const folder = join(parent, `${side}-${world.tiles}`);
  const tiles = tilesOf(world);
  if (!existsSync(folder)) {
    makeFolders(folder);
    for (const tile of tiles) await writePass({ folder, pass: tile.name, tile, swath: [0, 1], skies: SKIES });
  }
  const scenes = Array.from({ length: dates }, (_, date) => tiles.map((tile, i) => sceneOf(tile, i, { date, dates })));
  writeCatalog(folder, scenes.flat(), { area: squareOf(side), side: 4 });
  return folder;
}
