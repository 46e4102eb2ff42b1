import { DatabaseSync } from 'node:sqlite';

/** Square with its west and south edge in degrees, and its properties as texts. */
export interface Square {
  readonly at: readonly [number, number];
  readonly properties: Readonly<Record<string, string>>;
}

/** Side of a square, degrees. */
const SIDE = 0.1;

/** Writes a GeoPackage with these layers, in order. */
export function writeGeopackage(path: string, layers: Readonly<Record<string, readonly Square[]>>): void {
  const database = new DatabaseSync(path);
  database.exec(`create table gpkg_contents (table_name text, data_type text);
    create table gpkg_geometry_columns (table_name text, column_name text, srs_id integer);
    create table gpkg_spatial_ref_sys (srs_id integer, organization text, organization_coordsys_id integer, definition text);
    insert into gpkg_spatial_ref_sys values (4326, 'EPSG', 4326, '')`);
  for (const [name, squares] of Object.entries(layers)) {
    const columns = Object.keys(squares[0]?.properties ?? {});
    database.exec(`create table "${name}" (geom blob, ${columns.map((column) => `"${column}" text`).join(', ')})`);
    database.prepare(`insert into gpkg_contents values (?, 'features')`).run(name);
    database.prepare(`insert into gpkg_geometry_columns values (?, 'geom', 4326)`).run(name);
    const insert = database.prepare(`insert into "${name}" values (${['geom', ...columns].map(() => '?').join(', ')})`);
    for (const { at, properties } of squares)
      insert.run(geometry(at), ...columns.map((column) => properties[column] ?? null));
  }
  database.close();
}

function geometry([west, south]: Square['at']): Uint8Array {
  const bytes = Buffer.alloc(8 + 13 + 5 * 16);
  bytes.write('GP', 'latin1');
  bytes.writeUInt8(1, 3);
  bytes.writeInt32LE(4326, 4);
  bytes.writeUInt8(1, 8);
  bytes.writeUInt32LE(3, 9);
  bytes.writeUInt32LE(1, 13);
  bytes.writeUInt32LE(5, 17);
  const corners = [0, 1, 3, 2, 0].map((corner) => [west + (corner & 1) * SIDE, south + (corner >> 1) * SIDE]);
  for (const [index, value] of corners.flat().entries()) bytes.writeDoubleLE(value, 21 + index * 8);
  return bytes;
}
