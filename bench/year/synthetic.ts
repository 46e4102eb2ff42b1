// Synthetic scenes of Sentinel-2: patches of land and clouds that compress like real files.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pointTransform, writeCogRows, type RowSource } from '@headwater/raster';
import { boxPolygon, boxRing, type Box } from '../../scripts/boxes.mjs';

/** A square tile of a UTM zone, or a part of a tile: position in m, size in pixels of 10 m. */
export interface TileBox {
  readonly name: string;
  readonly crs: string;
  readonly west: number;
  readonly north: number;
  readonly cols: number;
  readonly rows: number;
}

export type Season = 'green' | 'dry';
/** Seasons for which files are written. */
export const SEASONS: readonly Season[] = ['green', 'dry'];

const BANDS = [
  { name: 'B02', size: 10, green: 300, dry: 900 },
  { name: 'B03', size: 10, green: 650, dry: 1200 },
  { name: 'B04', size: 10, green: 400, dry: 1600 },
  { name: 'B08', size: 10, green: 3600, dry: 2300 },
  { name: 'B11', size: 20, green: 1500, dry: 2900 },
] as const;
const FORMAT = { tileSize: 1024, level: 1, threads: 2, overviews: 'none' } as const;
const PATCH = 12;
const CLOUDY = 9;
const CLEAR = 4;

/** Returns a fixed number from 0 to 255 for a patch of land. */
export const patchOf = (col: number, row: number): number =>
  (Math.imul(col * 374_761_393 + row * 668_265_263, 1_274_126_177) >>> 16) & 255;

/** Columns of a tile that a satellite observed, as shares of the tile's width; other pixels are 0. */
export type Swath = readonly [number, number];

type ValueAt = (patch: number, col: number, row: number) => number;

/** Returns a source of rows. `at` returns the value of a pixel from the number of its patch, its column and its row. */
function rowsOf<T extends Uint8Array | Uint16Array>(
  make: (length: number) => T,
  { cols, swath }: { readonly cols: number; readonly swath: Swath },
  at: ValueAt,
): RowSource {
  return (first, count) => {
    const data = make(count * cols);
    const [from, to] = swath.map((share) => Math.round(share * cols));
    for (let row = 0; row < count; row++) {
      for (let col = from ?? 0; col < (to ?? cols); col++)
        data[row * cols + col] = at(patchOf((col / PATCH) | 0, ((first + row) / PATCH) | 0), col, first + row);
    }
    return data;
  };
}

const gridOf = ({ crs, west, north, cols, rows }: TileBox, size: 10 | 20) => {
  const step = size / 10;
  return { crs, west, north, pixelWidth: size, pixelHeight: size, cols: cols / step, rows: rows / step };
};

const bandFile = (pass: string, season: Season, band: string): string => `${pass}_${season}_${band}.tif`;
const sclFile = (pass: string, sky: string): string => `${pass}_${sky}_SCL.tif`;

/** Files of one tile in one swath. `pass` is the first part of the file names. */
export interface PassFiles {
  readonly folder: string;
  readonly pass: string;
  readonly tile: TileBox;
  readonly swath: Swath;
  readonly skies: Readonly<Record<string, number>>;
}

/** Writes the bands of each season, and the scene classification of each state of the sky. */
export async function writePass({ folder, pass, tile, swath, skies }: PassFiles): Promise<void> {
  for (const season of SEASONS) {
    for (const { name, size, [season]: level } of BANDS) {
      const grid = gridOf(tile, size);
      const rows = rowsOf(
        (length) => new Uint16Array(length),
        { cols: grid.cols, swath },
        (patch, col, row) => level + patch * 2 + ((col * 7 + row * 13) & 15) * 8,
      );
      const path = join(folder, 'bands', bandFile(pass, season, name));
      await writeCogRows(path, { ...FORMAT, grid, nodata: 0, predictor: 2 }, { type: 'uint16', rows });
    }
  }
  for (const [sky, share] of Object.entries(skies)) {
    const grid = gridOf(tile, 20);
    const cloudy = (col: number, row: number): boolean => patchOf((col / 120) | 0, (row / 120) | 0) < share * 256;
    const at: ValueAt = (_, col, row) => (cloudy(col, row) ? CLOUDY : CLEAR);
    const rows = rowsOf((length) => new Uint8Array(length), { cols: grid.cols, swath }, at);
    const path = join(folder, 'bands', sclFile(pass, sky));
    await writeCogRows(path, { ...FORMAT, grid, nodata: 0, predictor: 1 }, { type: 'uint8', rows });
  }
}

/** A scene of the catalogue; several scenes may share files. */
export interface SceneEntry {
  readonly tile: TileBox;
  readonly pass: string;
  readonly time: Date;
  readonly season: Season;
  readonly sky: string;
  readonly cloudCover: number;
}

function footprint({ crs, west, north, cols, rows }: TileBox): number[][] {
  const toLonLat = pointTransform(crs, 'EPSG:4326');
  const box = { west, south: north - rows * 10, east: west + cols * 10, north };
  return boxRing(box).map(([x, y]) => [...toLonLat(x, y)]);
}

function itemOf({ tile, pass, time, season, sky, cloudCover }: SceneEntry): Record<string, unknown> {
  const outline = footprint(tile);
  const [xs, ys] = [outline.map(([x = 0]) => x), outline.map(([, y = 0]) => y)];
  const asset = (href: string): Record<string, string> => ({
    href: `../bands/${href}`,
    type: 'image/tiff; application=geotiff',
  });
  return {
    type: 'Feature',
    stac_version: '1.1.0',
    id: `S2_${tile.name}_${time.toISOString().slice(0, 10)}`,
    collection: 'synthetic',
    geometry: { type: 'Polygon', coordinates: [outline] },
    bbox: [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)],
    properties: {
      datetime: time.toISOString(),
      'proj:code': tile.crs,
      'eo:cloud_cover': cloudCover,
      's2:processing_baseline': '03.01',
      'headwater:synthetic': true,
    },
    links: [],
    assets: Object.fromEntries([
      ...BANDS.map(({ name }) => [name, asset(bandFile(pass, season, name))]),
      ['SCL', asset(sclFile(pass, sky))],
    ]),
  };
}

/** Creates the folders that `writePass` and `writeCatalog` write to. */
export function makeFolders(folder: string): void {
  for (const name of ['bands', 'items']) mkdirSync(join(folder, name), { recursive: true });
}

/** Writes the Items of the scenes, their catalogue, and `side` x `side` micro-watersheds over the area. */
export function writeCatalog(
  folder: string,
  scenes: readonly SceneEntry[],
  mws: { readonly area: Box; side: number },
): void {
  const hrefs = scenes.map((scene) => {
    const item = itemOf(scene);
    const href = `./items/${String(item['id'])}.json`;
    writeFileSync(join(folder, href), JSON.stringify(item));
    return href;
  });
  const links = hrefs.map((href) => ({ rel: 'item', href }));
  writeFileSync(
    join(folder, 'catalog.json'),
    JSON.stringify({ type: 'Catalog', stac_version: '1.1.0', id: 'synthetic', description: 'Synthetic', links }),
  );
  writeFileSync(
    join(folder, 'polygons.geojson'),
    JSON.stringify({ type: 'FeatureCollection', features: mwsFeatures(mws.area, mws.side) }),
  );
}

function mwsFeatures({ west, south, east, north }: Box, side: number): Record<string, unknown>[] {
  const [width, height] = [(east - west) / side, (north - south) / side];
  return Array.from({ length: side * side }, (_, i) => {
    const corner = { west: west + (i % side) * width, south: south + Math.floor(i / side) * height };
    const geometry = boxPolygon({ ...corner, east: corner.west + width, north: corner.south + height });
    return { type: 'Feature', properties: { uid: `12_${900_000 + i}` }, geometry };
  });
}
