// Writes the scenes of a wide tehsil to a folder: a square with sides of 80 km where two UTM zones meet, six tiles of 109.8 km, two orbits,
// and 1,200 Items of 200 days in sixteen months. The Items share the files of a few combinations of clouds and season. So a run reads as
// many Items as Sentinel-2 would have for this area, but the files need only 3 GB on disk instead of 100 GB.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pointTransform, writeCogRows, type RowSource } from '@headwater/raster';
import { boxPolygon, boxRing } from '../../scripts/boxes.mjs';

const [folder = ''] = process.argv.slice(2);

const TILE_M = 109_800;
const TILES = [
  { name: '43QHF', crs: 'EPSG:32643', west: 699_960, north: 2_500_020 },
  { name: '43QHE', crs: 'EPSG:32643', west: 699_960, north: 2_400_000 },
  { name: '44QKL', crs: 'EPSG:32644', west: 99_960, north: 2_500_020 },
  { name: '44QKK', crs: 'EPSG:32644', west: 99_960, north: 2_400_000 },
  { name: '44QLL', crs: 'EPSG:32644', west: 199_980, north: 2_500_020 },
  { name: '44QLK', crs: 'EPSG:32644', west: 199_980, north: 2_400_000 },
] as const;
type Tile = (typeof TILES)[number];

/** Part of every tile that each orbit sees: start and end as shares of the tile's width. */
const ORBITS = { west: [0, 0.7], east: [0.4, 1] } as const;
const SEASONS = ['green', 'dry'] as const;
/** Share of clouds in each state of the sky. */
const SKIES = { clear: 0, half: 0.5, heavy: 0.85 } as const;
type Orbit = keyof typeof ORBITS;
type Season = (typeof SEASONS)[number];
type Sky = keyof typeof SKIES;

const BANDS = [
  { name: 'B02', size: 10, green: 300, dry: 900 },
  { name: 'B03', size: 10, green: 650, dry: 1200 },
  { name: 'B04', size: 10, green: 400, dry: 1600 },
  { name: 'B08', size: 10, green: 3600, dry: 2300 },
  { name: 'B11', size: 20, green: 1500, dry: 2900 },
] as const;
const FORMAT = { tileSize: 1024, level: 1, threads: 2, overviews: 'none' } as const;
const PATCH = 12;

/** Returns a number from 0 to 255 for a patch of land: always the same number for the same patch. */
const patchOf = (col: number, row: number): number =>
  (Math.imul(col * 374_761_393 + row * 668_265_263, 1_274_126_177) >>> 16) & 255;

/** Returns rows of a tile. `at` returns the value of a pixel from the number of its patch. Pixels outside of the orbit are 0. */
function rowsOf<T extends Uint8Array | Uint16Array>(
  make: (length: number) => T,
  orbit: Orbit,
  at: (patch: number, col: number, row: number) => number,
): (cols: number) => RowSource {
  return (cols) => (first, count) => {
    const data = make(count * cols);
    const [from, to] = ORBITS[orbit].map((share) => Math.round(share * cols));
    for (let row = 0; row < count; row++) {
      for (let col = from ?? 0; col < (to ?? cols); col++)
        data[row * cols + col] = at(patchOf((col / PATCH) | 0, ((first + row) / PATCH) | 0), col, first + row);
    }
    return data;
  };
}

const gridOf = ({ crs, west, north }: Tile, size: 10 | 20) => {
  const cols = TILE_M / size;
  return { crs, west, north, pixelWidth: size, pixelHeight: size, cols, rows: cols };
};
/** Tile, orbit and season that the files of one pass share. */
interface Pass {
  readonly tile: Tile;
  readonly orbit: Orbit;
  readonly season: Season;
}
const bandFile = ({ tile, orbit, season }: Pass, band: string): string => `${tile.name}_${orbit}_${season}_${band}.tif`;
const sclFile = (tile: Tile, orbit: Orbit, sky: Sky): string => `${tile.name}_${orbit}_${sky}_SCL.tif`;

async function writeTile(tile: Tile, orbit: Orbit): Promise<void> {
  for (const season of SEASONS) {
    for (const { name, size, [season]: level } of BANDS) {
      const rows = rowsOf(
        (length) => new Uint16Array(length),
        orbit,
        (patch, col, row) => level + patch * 2 + ((col * 7 + row * 13) & 15) * 8,
      )(TILE_M / size);
      const path = join(folder, 'bands', bandFile({ tile, orbit, season }, name));
      await writeCogRows(
        path,
        { ...FORMAT, grid: gridOf(tile, size), nodata: 0, predictor: 2 },
        { type: 'uint16', rows },
      );
    }
  }
  for (const [sky, share] of Object.entries(SKIES) as [Sky, number][]) {
    // Clouds have sides of 2.4 km, larger than patches of land.
    const cloudy = (col: number, row: number): boolean => patchOf((col / 120) | 0, (row / 120) | 0) < share * 256;
    const rows = rowsOf(
      (length) => new Uint8Array(length),
      orbit,
      (_, col, row) => (cloudy(col, row) ? 9 : 4),
    )(TILE_M / 20);
    const path = join(folder, 'bands', sclFile(tile, orbit, sky));
    await writeCogRows(path, { ...FORMAT, grid: gridOf(tile, 20), nodata: 0, predictor: 1 }, { type: 'uint8', rows });
  }
}

/** Lon/lat corners of a tile. */
function footprint({ crs, west, north }: Tile): number[][] {
  const toLonLat = pointTransform(crs, 'EPSG:4326');
  const box = { west, south: north - TILE_M, east: west + TILE_M, north };
  return boxRing(box).map(([x, y]) => [...toLonLat(x, y)]);
}

const FIRST_DAY = Date.UTC(2023, 3, 15);
const PASSES = 200;

/** Returns sky and season of a pass over a tile: overcast in the monsoon, mostly clear in the other months. */
function conditions(pass: number, tile: number): { sky: Sky; season: Season; cover: number } {
  const month = new Date(FIRST_DAY + pass * 2.5 * 86_400_000).getUTCMonth();
  const chance = patchOf(pass, tile) / 256;
  const season = month >= 6 && month <= 10 ? 'green' : 'dry';
  if (month >= 5 && month <= 8)
    return chance < 0.5 ? { sky: 'heavy', season, cover: 96 } : { sky: 'heavy', season, cover: 85 };
  if (chance < 0.6) return { sky: 'clear', season, cover: 1 };
  return chance < 0.85 ? { sky: 'half', season, cover: 50 } : { sky: 'heavy', season, cover: 85 };
}

function itemOf(pass: number, tile: Tile, index: number): Record<string, unknown> {
  const time = new Date(FIRST_DAY + pass * 2.5 * 86_400_000);
  time.setUTCHours(5, 20, 0, 0);
  const orbit: Orbit = pass % 2 === 0 ? 'west' : 'east';
  const { sky, season, cover } = conditions(pass, index);
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
    collection: 'wide',
    geometry: { type: 'Polygon', coordinates: [outline] },
    bbox: [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)],
    properties: {
      datetime: time.toISOString(),
      'proj:code': tile.crs,
      'eo:cloud_cover': cover,
      's2:processing_baseline': '03.01',
      'headwater:synthetic': true,
    },
    links: [],
    assets: Object.fromEntries([
      ...BANDS.map(({ name }) => [name, asset(bandFile({ tile, orbit, season }, name))]),
      ['SCL', asset(sclFile(tile, orbit, sky))],
    ]),
  };
}

/** Micro-watersheds: 8 x 8 boxes over 80 km around the point where zones and tiles meet. */
function mwsFeatures(): Record<string, unknown>[] {
  const [south, west, side] = [21.29, 77.62, 0.76 / 8];
  const height = 0.72 / 8;
  return Array.from({ length: 64 }, (_, i) => {
    const [col, row] = [i % 8, Math.floor(i / 8)];
    const corner = { west: west + col * side, south: south + row * height };
    const box = { ...corner, east: corner.west + side, north: corner.south + height };
    return {
      type: 'Feature',
      properties: { uid: `12_${900_000 + i}` },
      geometry: boxPolygon(box),
    };
  });
}

mkdirSync(join(folder, 'bands'), { recursive: true });
mkdirSync(join(folder, 'items'), { recursive: true });
for (const tile of TILES) {
  for (const orbit of ['west', 'east'] as const) await writeTile(tile, orbit);
}
const hrefs: string[] = [];
for (let pass = 0; pass < PASSES; pass++) {
  for (const [index, tile] of TILES.entries()) {
    const item = itemOf(pass, tile, index);
    hrefs.push(`./items/${String(item['id'])}.json`);
    writeFileSync(join(folder, hrefs.at(-1) ?? ''), JSON.stringify(item));
  }
}
const links = hrefs.map((href) => ({ rel: 'item', href }));
writeFileSync(
  join(folder, 'catalog.json'),
  JSON.stringify({ type: 'Catalog', stac_version: '1.1.0', id: 'wide', description: 'Synthetic', links }),
);
writeFileSync(join(folder, 'polygons.geojson'), JSON.stringify({ type: 'FeatureCollection', features: mwsFeatures() }));
