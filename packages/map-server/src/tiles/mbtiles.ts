import { hash } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync as Database } from 'node:sqlite';
import { packedTiles } from './pyramid.ts';
import { centerOf, type TileSource, vectorLayer } from './vector.ts';

/** Returns an MBTiles 1.3 file with the `packedTiles` of a layer. The file is made in a temporary folder. */
export async function mbtiles(source: TileSource): Promise<Uint8Array> {
  // The module is imported only when it is needed, because Node 22 prints a warning at the import.
  const { DatabaseSync } = await import('node:sqlite');
  const folder = await mkdtemp(join(tmpdir(), 'headwater-mbtiles-'));
  try {
    const path = join(folder, 'layer.mbtiles');
    const database = new DatabaseSync(path);
    try {
      await writeTiles(database, source);
    } finally {
      database.close();
    }
    return await readFile(path);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function writeTiles(database: Database, source: TileSource): Promise<void> {
  const { table, layer } = source;
  database.exec(`
    PRAGMA journal_mode = OFF;
    PRAGMA application_id = 0x4d504258;
    CREATE TABLE metadata (name text, value text);
    CREATE TABLE map (zoom_level integer, tile_column integer, tile_row integer, tile_id integer);
    CREATE TABLE images (tile_id integer primary key, tile_data blob);
    CREATE UNIQUE INDEX map_index ON map (zoom_level, tile_column, tile_row);
    CREATE VIEW tiles AS SELECT zoom_level, tile_column, tile_row, tile_data FROM map JOIN images USING (tile_id);
    BEGIN;
  `);
  // Equal tiles, as inside a large polygon, are stored once.
  const image = database.prepare('INSERT INTO images VALUES (?, ?)');
  const place = database.prepare('INSERT INTO map VALUES (?, ?, ?, ?)');
  const images = new Map<string, number>();
  let maxZoom = 0;
  for await (const { zoom: z, col, row, bytes } of packedTiles(source)) {
    maxZoom = z;
    const key = hash('sha256', bytes);
    const id = images.get(key) ?? images.size;
    if (id === images.size) {
      images.set(key, id);
      image.run(id, bytes);
    }
    place.run(z, col, 2 ** z - 1 - row, id);
  }
  const box = table.box ?? layer.box ?? [-180, -85, 180, 85];
  const [lon, lat, zoom] = centerOf(box);
  const metadata = {
    name: layer.title,
    description: layer.abstract,
    type: 'overlay',
    format: 'pbf',
    minzoom: '0',
    maxzoom: String(maxZoom),
    bounds: box.join(','),
    center: [lon, lat, Math.min(zoom, maxZoom)].join(','),
    json: JSON.stringify({ vector_layers: [{ ...vectorLayer(layer, table), maxzoom: maxZoom }] }),
  };
  const fact = database.prepare('INSERT INTO metadata VALUES (?, ?)');
  for (const [name, value] of Object.entries(metadata)) fact.run(name, value);
  database.exec('COMMIT');
}
