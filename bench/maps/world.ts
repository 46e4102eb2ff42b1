import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import type { PixelGrid, Rgba } from '@headwater/core';
import type { Database } from '@headwater/postgres';
import { writeGeoTiff } from '@headwater/raster';
import type { Feature, Polygon, Position } from 'geojson';

const [ACROSS, DOWN] = [100, 50];
/** About 2 km, in degrees. */
const SIDE = 0.02;
const [WEST, SOUTH] = [84, 23];
const EDGE = 20;

const NUMBERS = Array.from({ length: 28 }, (_, at) => `figure_${1997 + at}`);

type Row = Readonly<Record<string, string | number>>;
export type Watershed = Feature<Polygon, Row>;

/** Box of the data, degrees. */
export const BOX = [WEST, SOUTH, WEST + ACROSS * SIDE, SOUTH + DOWN * SIDE] as const;

/** Returns the micro-watersheds; neighbours share their winding edges. */
export function watersheds(): readonly Watershed[] {
  return Array.from({ length: ACROSS * DOWN }, (_, at) => {
    const [col, row] = [at % ACROSS, Math.floor(at / ACROSS)];
    const corners: readonly Position[] = [
      [col, row],
      [col + 1, row],
      [col + 1, row + 1],
      [col, row + 1],
    ];
    const ring = corners.flatMap((from, corner) => edge(from, corners[(corner + 1) % 4]!));
    const figures = NUMBERS.map((name, index) => [name, Number((((at * 37 + index * 101) % 9973) / 7).toFixed(3))]);
    return {
      type: 'Feature',
      properties: { uid: `12_${100_000 + at}`, kind: `class ${at % 7}`, ...Object.fromEntries(figures) },
      geometry: { type: 'Polygon', coordinates: [[...ring, ring[0]!]] },
    };
  });
}

function edge([fromX = 0, fromY = 0]: Position, [toX = 0, toY = 0]: Position): readonly Position[] {
  return Array.from({ length: EDGE }, (_, step) => {
    const [x, y] = [fromX + ((toX - fromX) * step) / EDGE, fromY + ((toY - fromY) * step) / EDGE];
    const wave = (a: number, b: number): number => 0.12 * Math.sin(a * 9.7 + b * 5.3) * Math.cos(b * 7.1 - a * 2.9);
    return [round(WEST + (x + wave(x, y)) * SIDE), round(SOUTH + (y + wave(y, x)) * SIDE)];
  });
}

const round = (value: number): number => Math.round(value * 1e7) / 1e7;

const PORTION = 500;

/** Creates the tables `mws` (lon/lat) and `mws_3857` with keys and a spatial index, as the peers' manuals advise. */
export async function fillTables(database: Database, features: readonly Watershed[]): Promise<void> {
  const columns = ['uid text', 'kind text', ...NUMBERS.map((name) => `${name} double precision`)];
  const names = ['uid', 'kind', ...NUMBERS];
  await database.script(`create extension postgis;
    create table mws (id integer primary key, geom geometry(Polygon, 4326), ${columns.join(', ')});
    create table mws_3857 (id integer primary key, geom geometry(Polygon, 3857), ${columns.join(', ')})`);
  const values = names.map((name) => `(f->'properties'->>'${name}')${name.startsWith('figure') ? '::float8' : ''}`);
  for (let first = 0; first < features.length; first += PORTION)
    await database.run(
      `insert into mws (id, geom, ${names.join(', ')})
       select $2::int + n, st_setsrid(st_geomfromgeojson(f->'geometry'), 4326), ${values.join(', ')}
       from json_array_elements($1::json) with ordinality as each(f, n)`,
      [JSON.stringify(features.slice(first, first + PORTION)), first],
    );
  const copied = ['id', ...names].join(', ');
  await database.script(`insert into mws_3857 (${copied}, geom) select ${copied}, st_transform(geom, 3857) from mws;
    create index on mws using gist (geom); create index on mws_3857 using gist (geom);
    create index on mws (uid); create index on mws_3857 (uid)`);
  await database.script('vacuum analyze');
}

/** PostGIS query that returns the text of our WFS response. */
export const COLLECTION_SQL = `select '{"type":"FeatureCollection","features":[' || string_agg(
    '{"type":"Feature","id":"mws.' || id || '","geometry":' || st_asgeojson(geom, 15) || ',"geometry_name":"geom","properties":'
    || row_to_json((select each from (select ${['uid', 'kind', ...NUMBERS].join(', ')}) as each)) || '}', ',' order by id)
  || '],"totalFeatures":' || count(*) || ',"numberReturned":' || count(*) || '}' as text from mws`;

const [COLS, ROWS] = [8192, 4096];

/** Writes a class map of the box as COG: 12 classes in patches, with noise. */
export async function writeClasses(path: string): Promise<void> {
  const data = new Uint8Array(COLS * ROWS);
  for (let at = 0; at < data.length; at++) {
    const [col, row] = [at % COLS, Math.floor(at / COLS)];
    const patch = Math.sin(col / 61) * Math.cos(row / 47) + Math.sin((col + row) / 130);
    const isNoise = (Math.imul(at, 2_654_435_761) >>> 0) % 23 === 0;
    data[at] = isNoise ? 1 + (at % 12) : 1 + Math.floor((patch + 2) * 2.99);
  }
  const grid: PixelGrid = {
    crs: 'EPSG:4326',
    west: WEST,
    north: BOX[3],
    pixelWidth: (BOX[2] - BOX[0]) / COLS,
    pixelHeight: (BOX[3] - BOX[1]) / ROWS,
    cols: COLS,
    rows: ROWS,
  };
  const colors = Array.from({ length: 12 }, (_, at): Rgba => [at * 20, 255 - at * 20, (at * 90) % 256, 255]);
  const palette = Object.fromEntries(colors.map((color, at) => [at + 1, color]));
  await writeGeoTiff(path, { grid, data, nodata: 0, overviews: 'mode', predictor: 1, tileSize: 512, palette });
}

/** Writes the features as the GeoJSON that our service publishes. */
export async function writeFeatures(path: string, features: readonly Watershed[]): Promise<void> {
  await writeFile(path, JSON.stringify({ type: 'FeatureCollection', features }));
}

/** A tile by zoom, column and row. */
export type TilePlace = readonly [zoom: number, col: number, row: number];

/** Returns different tiles of the box with zooms from `least` to `most`, in the same order in every run. */
export function tilesOf([least, most]: readonly [number, number], count: number): readonly TilePlace[] {
  const all: TilePlace[] = [];
  for (let zoom = least; zoom <= most; zoom++) {
    const [left, right] = [BOX[0], BOX[2] - 1e-6].map((x) => Math.floor(((x + 180) / 360) * 2 ** zoom));
    const [top, bottom] = [BOX[3] - 1e-6, BOX[1]].map((y) => {
      const turned = Math.asinh(Math.tan((y * Math.PI) / 180)) / Math.PI;
      return Math.floor(((1 - turned) / 2) * 2 ** zoom);
    });
    const ofZoom: TilePlace[] = [];
    for (let col = left!; col <= right!; col++)
      for (let row = top!; row <= bottom!; row++) ofZoom.push([zoom, col, row]);
    all.push(...shuffled(ofZoom).slice(0, Math.ceil(count / (most - least + 1))));
  }
  return shuffled(all).slice(0, count);
}

const shuffled = (tiles: readonly TilePlace[]): readonly TilePlace[] => {
  const key = (tile: TilePlace): string => createHash('sha256').update(tile.join('/')).digest('hex');
  return tiles
    .map((tile) => ({ tile, at: key(tile) }))
    .toSorted((a, b) => (a.at < b.at ? -1 : 1))
    .map(({ tile }) => tile);
};
