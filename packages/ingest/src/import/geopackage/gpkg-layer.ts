import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { BadPlaceFile } from '../../places/bad-place-file.ts';
import { type FilePositions, lonLatOfEpsg, lonLatOfWkt, UNNAMED } from '../features/coordinates.ts';

/** Table of features. */
export interface GpkgLayer {
  readonly table: string;
  readonly geometryColumn: string;
  /**
   * All columns except generated columns. SQLite would compute those with expressions of the file, which must not
   * run.
   */
  readonly columns: readonly string[];
  readonly positions: FilePositions;
}

const LISTS = ['gpkg_contents', 'gpkg_geometry_columns', 'gpkg_spatial_ref_sys'] as const;
const WKT2 = 'definition_12_063';
/**
 * Maximum length of a CRS definition, characters. High, because GDAL lists all countries in the definition of a
 * world-wide CRS.
 */
const MOST_WKT = 65_536;
const layersSql = (
  wkt2: string,
): string => `select c.table_name as "table", g.column_name as "column", g.srs_id as srs, s.organization, s.organization_coordsys_id as code,
    substr(s.definition, 1, ${MOST_WKT}) as definition, ${wkt2} as wkt2
  from gpkg_contents c join gpkg_geometry_columns g on g.table_name = c.table_name
  left join gpkg_spatial_ref_sys s on s.srs_id = g.srs_id where c.data_type = 'features' limit 100`;
const Layer = z.object({
  table: z.string(),
  column: z.string(),
  srs: z.number(),
  organization: z.string().nullable(),
  code: z.number().nullable(),
  definition: z.string().nullable(),
  wkt2: z.string().nullable(),
});

/** Quotes a name for SQL. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/**
 * Finds the only layer, or the layer with one of the `names`. Throws `BadPlaceFile` if there is no such layer, or if it
 * is a view or virtual table: reading it would run code of the file.
 */
export function gpkgLayer(database: DatabaseSync, names: readonly string[]): GpkgLayer {
  const layer = chosen(listed(database), names);
  checkTable(database, layer.table);
  const columns = columnsOf(database, layer.table);
  const geometryColumn = columns.find((name) => name.toLowerCase() === layer.column.toLowerCase());
  if (geometryColumn === undefined)
    throw new BadPlaceFile(
      `the layer ${JSON.stringify(layer.table)} has no column ${JSON.stringify(layer.column)}, which should have the geometries; write the GeoPackage again`,
    );
  return { table: layer.table, geometryColumn, columns, positions: positionsOf(layer) };
}

/** Names of the layers of a GeoPackage, at most 100. Throws `BadPlaceFile` for invalid tables of layers. */
export const gpkgLayerNames = (database: DatabaseSync): readonly string[] => listed(database).map(({ table }) => table);

function listed(database: DatabaseSync): readonly z.output<typeof Layer>[] {
  for (const table of LISTS) checkTable(database, table);
  const hasWkt2 = columnsOf(database, 'gpkg_spatial_ref_sys').includes(WKT2);
  const wkt2 = hasWkt2 ? `substr(s.${WKT2}, 1, ${MOST_WKT})` : 'null';
  const found = z.array(Layer).safeParse(database.prepare(layersSql(wkt2)).all());
  if (found.success) return found.data;
  throw new BadPlaceFile('its lists of layers have invalid values; write the GeoPackage again');
}

/** The only layer, or the layer with one of the `names`. Throws `BadPlaceFile` if no layer or several layers fit. */
export function chosen<T extends { readonly table: string }>(layers: readonly T[], names: readonly string[]): T {
  const [only] = layers;
  if (only === undefined) throw new BadPlaceFile('it has no layer of features; write a layer of polygons');
  if (layers.length === 1) return only;
  const [named, ...others] = layers.filter(({ table }) => names.includes(table.toLowerCase()));
  if (named !== undefined && others.length === 0) return named;
  const all = layers.slice(0, 10).map(({ table }) => table.slice(0, 60));
  throw new BadPlaceFile(
    `it has ${layers.length} layers (${all.join(', ')}), but it must have exactly one layer with the name ${names.join(' or ')}; ` +
      'write a file with one of its layers: ogr2ogr one.gpkg in.gpkg LAYER',
  );
}

function checkTable(database: DatabaseSync, name: string): void {
  const row = database.prepare('select type, sql from sqlite_schema where name = ?').get(name);
  if (row === undefined)
    throw new BadPlaceFile(`this is not a GeoPackage: it has no table ${JSON.stringify(name.slice(0, 60))}`);
  if (row['type'] !== 'table' || !/^\s*create\s+table\b/i.test(String(row['sql'])))
    throw new BadPlaceFile(`${JSON.stringify(name.slice(0, 60))} is a view or a virtual table; write it as a table`);
}

function columnsOf(database: DatabaseSync, table: string): readonly string[] {
  const rows = database.prepare('select name from pragma_table_xinfo(?) where hidden = 0').all(table);
  return rows.map(({ name }) => String(name));
}

function positionsOf({ srs, organization, code, definition, wkt2 }: z.output<typeof Layer>): FilePositions {
  // 0 and -1 mean an unknown CRS; degrees are assumed.
  if (srs === 0 || srs === -1) return UNNAMED;
  const toLonLat = organization?.toUpperCase() === 'EPSG' && code !== null ? lonLatOfEpsg(code) : undefined;
  if (toLonLat !== undefined) return { toLonLat };
  // For a CRS that WKT 1 cannot express, GDAL writes `undefined`; then the WKT 2 is used.
  const isDefined = definition !== null && definition.includes('[');
  return lonLatOfWkt((isDefined ? definition : wkt2) ?? '', 'in.gpkg');
}
