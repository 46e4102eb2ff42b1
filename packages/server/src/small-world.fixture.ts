import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Box, PixelGrid, PlaceBundle } from '@headwater/core';
import { pointTransform, writeGeoTiff } from '@headwater/raster';
import type { Polygon } from 'geojson';
import { writeJson } from '@headwater/sample-world';
import { boxPolygon } from '../../../scripts/boxes.mjs';

/** Box of the tehsil, degrees. Its sides have about 1.2 km. It is just west of 78 E, where UTM zones 43 and 44 meet. */
const BOX = { west: 77.98, south: 17.5, side: 0.0112 } as const;
const MIDDLE = { lon: BOX.west + BOX.side / 2, lat: BOX.south + BOX.side / 2 } as const;

/** Lon/lat box of all scenes. */
export const SMALL_BOX: Box = [
  BOX.west - 0.001,
  BOX.south - 0.001,
  BOX.west + BOX.side + 0.001,
  BOX.south + BOX.side + 0.001,
];

const rectangle = (west: number, east: number, [south, north]: readonly [number, number]): Polygon =>
  boxPolygon({ west, south, east, north });

/** A fictional tehsil with two micro-watersheds, west and east. */
export function smallPlace(tehsil: string): PlaceBundle {
  const [east, span] = [BOX.west + BOX.side, [BOX.south, BOX.south + BOX.side]] as const;
  return {
    state: 'Virtapradesh',
    district: 'Nirmalgarh',
    tehsil,
    geometry: rectangle(BOX.west, east, span),
    mws: [
      { uid: '12_900001', geometry: rectangle(BOX.west, MIDDLE.lon, span) },
      { uid: '12_900002', geometry: rectangle(MIDDLE.lon, east, span) },
    ],
    villages: [],
  };
}

/** One acquisition. */
export interface SmallScene {
  readonly date: string;
  /** 'EPSG:32643' or 'EPSG:32644'. */
  readonly crs: string;
  readonly cloudy?: boolean;
}

/** A scene every ten days around a hydrological year. */
export function scenesAround(year: number, crs: (index: number) => string = () => 'EPSG:32643'): readonly SmallScene[] {
  const first = Date.UTC(year, 4, 1);
  return Array.from({ length: 48 }, (_, index) => ({
    date: new Date(first + index * 10 * 86_400_000).toISOString().slice(0, 10),
    crs: crs(index),
  }));
}

/** Id of a scene's Item. */
export const sceneId = ({ date, crs }: SmallScene): string => `S2_${crs.slice(-2)}_${date.replaceAll('-', '')}`;

/** Writes scenes as a static STAC catalogue in `DATA_DIR/eo/small/`: COGs of 10 m and 20 m, and Items. */
export async function writeScenes(dataDir: string, scenes: readonly SmallScene[]): Promise<void> {
  const root = join(dataDir, 'eo', 'small');
  await mkdir(root, { recursive: true });
  const lands = new Map(['EPSG:32643', 'EPSG:32644'].map((crs) => [crs, landOf(crs)]));
  for (let i = 0; i < scenes.length; i += AT_ONCE) {
    await Promise.all(
      scenes
        .slice(i, i + AT_ONCE)
        .map((scene) => writeScene(join(root, sceneId(scene)), scene, need(lands, scene.crs))),
    );
  }
  const links = scenes.map((scene) => ({ rel: 'item', href: `./${sceneId(scene)}/item.json` }));
  await writeJson(join(root, 'catalog.json'), {
    type: 'Catalog',
    stac_version: '1.1.0',
    id: 'small',
    description: 'Synthetic',
    links,
  });
}

/** Reflectance x 10000: blue, green, red, near infrared, short-wave infrared. */
type Spectrum = readonly [number, number, number, number, number];

const WATER: Spectrum = [600, 700, 500, 300, 100];
const TREE: Spectrum = [300, 600, 300, 3000, 1200];
const BARREN: Spectrum = [1000, 1500, 2000, 2200, 3000];
const STUBBLE: Spectrum = [900, 1200, 1500, 2200, 2800];
const LEAF: Spectrum = [300, 700, 400, 3800, 1500];

type Square = 'water' | 'tree' | 'crop' | 'barren';

function squareAt([lon, lat]: readonly [number, number]): Square {
  if (lat > MIDDLE.lat) return lon < MIDDLE.lon ? 'water' : 'tree';
  return lon < MIDDLE.lon ? 'crop' : 'barren';
}

function spectraOn(date: string): Readonly<Record<Square, Spectrum>> {
  const sown = Date.UTC(Number(date.slice(0, 4)), 6, 1);
  const growth = Math.exp(-((((Date.parse(date) - sown) / 86_400_000 - 75) / 28) ** 2));
  const mix = (band: 0 | 1 | 2 | 3 | 4): number => Math.round(STUBBLE[band] + growth * (LEAF[band] - STUBBLE[band]));
  return { water: WATER, tree: TREE, barren: BARREN, crop: [mix(0), mix(1), mix(2), mix(3), mix(4)] };
}

const BANDS = [
  { name: 'B02', size: 10 },
  { name: 'B03', size: 10 },
  { name: 'B04', size: 10 },
  { name: 'B08', size: 10 },
  { name: 'B11', size: 20 },
] as const;
const AT_ONCE = 8;
const COG = { tileSize: 256, nodata: 0, threads: 1, overviews: 'none' } as const;

interface Land {
  readonly grid: PixelGrid;
  readonly squares: readonly Square[];
}

const landOf = (crs: string): Readonly<Record<10 | 20, Land>> => ({
  10: landAt(smallGrid(crs, 10)),
  20: landAt(smallGrid(crs, 20)),
});

function need<K, V>(map: ReadonlyMap<K, V>, key: K): V {
  const value = map.get(key);
  if (value === undefined) throw new Error(`there is no land in ${String(key)}`);
  return value;
}

async function writeScene(dir: string, scene: SmallScene, land: ReturnType<typeof landOf>): Promise<void> {
  await mkdir(dir, { recursive: true });
  const spectra = spectraOn(scene.date);
  const files = BANDS.map(({ name, size }, band) => {
    const { grid, squares } = land[size];
    const data = Uint16Array.from(squares, (square) => spectra[square][band] ?? 0);
    return writeGeoTiff(join(dir, `${name}.tif`), { ...COG, grid, data, predictor: 2 });
  });
  const { grid, squares } = land[20];
  const scl = new Uint8Array(squares.length).fill(scene.cloudy === true ? 9 : 4);
  await Promise.all([...files, writeGeoTiff(join(dir, 'SCL.tif'), { ...COG, grid, data: scl, predictor: 1 })]);
  await writeJson(join(dir, 'item.json'), itemOf(scene));
}

/** Grid of the box with a margin of 200 m. The grids of both sizes begin at the same corner. */
export function smallGrid(crs: string, size: 10 | 20): PixelGrid {
  const [x, y] = pointTransform('EPSG:4326', crs)(BOX.west, BOX.south + BOX.side);
  const side = 1640 / size;
  const corner = { west: Math.floor(x / 20) * 20 - 200, north: Math.ceil(y / 20) * 20 + 200 };
  return { crs, ...corner, pixelWidth: size, pixelHeight: size, cols: side, rows: side };
}

function landAt(grid: PixelGrid): Land {
  const { crs, west, north, pixelWidth, cols, rows } = grid;
  const toLonLat = pointTransform(crs, 'EPSG:4326');
  const squares = Array.from({ length: rows * cols }, (_, i) =>
    squareAt(toLonLat(west + ((i % cols) + 0.5) * pixelWidth, north - (Math.floor(i / cols) + 0.5) * pixelWidth)),
  );
  return { grid, squares };
}

function itemOf(scene: SmallScene): Record<string, unknown> {
  const [west, south, east, north] = SMALL_BOX;
  const asset = (name: string): Record<string, unknown> => ({
    href: `./${name}.tif`,
    type: 'image/tiff; application=geotiff',
  });
  return {
    type: 'Feature',
    stac_version: '1.1.0',
    id: sceneId(scene),
    collection: 'small',
    geometry: rectangle(west, east, [south, north]),
    bbox: SMALL_BOX,
    properties: {
      datetime: `${scene.date}T05:20:00Z`,
      'proj:code': scene.crs,
      's2:processing_baseline': '03.01',
      'headwater:synthetic': true,
    },
    links: [],
    assets: Object.fromEntries([...BANDS.map(({ name }) => name), 'SCL'].map((name) => [name, asset(name)])),
  };
}
