import type { MultiPolygon, Polygon, Position } from 'geojson';
import { open, stat } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { BadPlaceFile } from '../../places/bad-place-file.ts';
import { PROPERTY_NAMES } from '../../places/place-properties.ts';
import { positionNotes, type ToLonLat } from '../features/coordinates.ts';
import {
  type BadFeature,
  type FeatureReader,
  MAX_FEATURE_BYTES,
  orProblem,
  type RawFeature,
} from '../features/raw-feature.ts';
import { gpkgLayer, type GpkgLayer, gpkgLayerNames, quoted } from './gpkg-layer.ts';

/** Length of the header in bytes: magic, version, flags, srs_id. */
const HEADER_BYTES = 8;
const ENVELOPE = [0, 4, 6, 6, 8] as const;

/** Polygon of a GeoPackage geometry (OGC 12-128r18, 2.1.3). Throws `BadPlaceFile` for other geometries. */
function readGpkgGeometry(value: unknown, toLonLat: ToLonLat): Polygon | MultiPolygon {
  if (!(value instanceof Uint8Array))
    throw new BadPlaceFile('the geometry is missing, or larger than 64 MB; add or simplify it');
  if (value.length < HEADER_BYTES || value[0] !== 0x47 || value[1] !== 0x50)
    throw new BadPlaceFile('the geometry is not in the format of GeoPackages; write the file again');
  const flags = value[3] ?? 0;
  const doubles = ENVELOPE[(flags >> 1) & 7];
  if (doubles === undefined || (flags & 0x20) !== 0)
    throw new BadPlaceFile('the geometry is of an unsupported extended kind; write Polygons or MultiPolygons');
  if ((flags & 0x10) !== 0) throw new BadPlaceFile('the geometry is empty; draw it, or remove the feature');
  return readWkb(value, HEADER_BYTES + doubles * 8, toLonLat);
}

const MAGIC = 'SQLite format 3\0';
/**
 * Number of characters at which a text is cut. Each property has a lower limit, so a cut text is refused later.
 */
const MAX_TEXT = 2000;
/** Number of features after which the reader yields to the event loop, which a long file would otherwise block. */
const BREAK = 500;

/** Reads a GeoPackage with Node's SQLite, read-only. Functions and views of the file do not run. */
export const readGeopackage: FeatureReader = async function* ({ path, layers, repair, progress }) {
  const database = await openGeopackage(path);
  try {
    const layer = gpkgLayer(database, layers);
    for (const note of positionNotes(layer.positions)) repair({ source: layer.table, row: 1, repair: note });
    // The progress is measured in bytes, because counting the rows of a hostile file might never end.
    const { size } = await stat(path);
    let [row, bytes] = [0, 0];
    for (const found of rowsOf(database, layer)) {
      row += 1;
      if (found.shape instanceof Uint8Array) bytes += found.shape.byteLength;
      yield featureOf(found, layer, row);
      if (row % BREAK !== 0) continue;
      progress(Math.min(bytes, size), size);
      await new Promise((resolve) => setImmediate(resolve));
    }
    progress(size, size);
  } catch (error) {
    throw asBadFile(error);
  } finally {
    database.close();
  }
};

/** Names of the layers of a GeoPackage, at most 100. Throws `BadPlaceFile` for an invalid file. */
export async function layersOfGeopackage(path: string): Promise<readonly string[]> {
  const database = await openGeopackage(path);
  try {
    return gpkgLayerNames(database);
  } catch (error) {
    throw asBadFile(error);
  } finally {
    database.close();
  }
}

async function openGeopackage(path: string): Promise<DatabaseSync> {
  await checkFile(path);
  const url = pathToFileURL(path);
  url.searchParams.set('immutable', '1');
  try {
    const database = new DatabaseSync(url, { readOnly: true, allowExtension: false });
    // No automatic index is made, because it would need as much disk space as the data.
    database.exec(
      'pragma trusted_schema = off; pragma cell_size_check = on; pragma query_only = on; pragma automatic_index = off;',
    );
    return database;
  } catch (error) {
    throw asBadFile(error);
  }
}

/**
 * Throws `BadPlaceFile` if the file is no SQLite database, or if another program has it open. SQLite itself would
 * accept an empty file.
 */
async function checkFile(path: string): Promise<void> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(MAGIC.length), 0, MAGIC.length, 0);
    if (bytesRead < MAGIC.length || buffer.toString('latin1') !== MAGIC)
      throw new BadPlaceFile('this is not a GeoPackage (not an SQLite database); copy it again');
  } finally {
    await file.close();
  }
  const log = await stat(`${path}-wal`).catch(() => undefined);
  if (log !== undefined && log.size > 0)
    throw new BadPlaceFile('another program has this GeoPackage open (there is a -wal file); close it there first');
}

function rowsOf(database: DatabaseSync, { table, geometryColumn, columns }: GpkgLayer) {
  const known = columns.filter((name) => PROPERTY_NAMES.includes(name.toLowerCase()));
  const values = known.map((name, index) => {
    const column = quoted(name);
    return `case typeof(${column}) when 'text' then substr(${column}, 1, ${MAX_TEXT}) when 'blob' then null else ${column} end as p${index}`;
  });
  const geometry = quoted(geometryColumn);
  const shape = `case when length(${geometry}) <= ${MAX_FEATURE_BYTES} then ${geometry} end as shape`;
  const statement = database.prepare(`select ${[shape, ...values].join(', ')} from ${quoted(table)}`);
  statement.setReadBigInts(true);
  return named(statement.iterate(), known);
}

interface GpkgRow {
  readonly shape: unknown;
  readonly properties: Readonly<Record<string, unknown>>;
}

function* named(rows: Iterable<Readonly<Record<string, unknown>>>, names: readonly string[]): Generator<GpkgRow> {
  for (const row of rows) {
    const properties = names.map((name, index) => [name, plain(row[`p${index}`])] as const);
    yield { shape: row['shape'], properties: Object.fromEntries(properties) };
  }
}

const plain = (value: unknown): unknown => (typeof value === 'bigint' ? Number(value) : value);

function featureOf(
  { shape, properties }: GpkgRow,
  { table, positions: { toLonLat } }: GpkgLayer,
  row: number,
): RawFeature | BadFeature {
  const read = orProblem(() => readGpkgGeometry(shape, toLonLat));
  return 'problem' in read
    ? { source: table, row, problem: read.problem }
    : { source: table, row, properties, geometry: read.geometry };
}

/**
 * Converts an error of SQLite to `BadPlaceFile`. The database is read-only, so every SQLite error is an error of the
 * file.
 */
function asBadFile(error: unknown): unknown {
  const isSqlite = error instanceof Error && 'code' in error && error.code === 'ERR_SQLITE_ERROR';
  return isSqlite ? new BadPlaceFile(`this GeoPackage cannot be read (${error.message}); copy it again`) : error;
}

const [POLYGON, MULTI_POLYGON] = [3, 6] as const;
const DOUBLE = 8;

/** Reads WKB (OGC 06-103r4); drops heights and measures. */
class WkbReader {
  readonly #view: DataView;
  readonly #toLonLat: ToLonLat;
  #at: number;

  constructor(bytes: Uint8Array, start: number, toLonLat: ToLonLat) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    [this.#at, this.#toLonLat] = [start, toLonLat];
  }

  geometry(): Polygon | MultiPolygon {
    const { type, size, isLittle } = this.#head();
    if (type === POLYGON) return { type: 'Polygon', coordinates: this.#rings(size, isLittle) };
    if (type !== MULTI_POLYGON) throw new BadPlaceFile('the geometry must be a Polygon or a MultiPolygon');
    const count = this.#count(isLittle, 9);
    return { type: 'MultiPolygon', coordinates: Array.from({ length: count }, () => this.#part()) };
  }

  #part(): Position[][] {
    const { type, size, isLittle } = this.#head();
    if (type !== POLYGON)
      throw new BadPlaceFile('the geometry is a MultiPolygon with parts that are not Polygons; write the file again');
    return this.#rings(size, isLittle);
  }

  /**
   * Reads the head of a geometry: byte order, type, and number of doubles per position. Accepts ISO type numbers
   * (1003, 2003, 3003) and PostGIS flags.
   */
  #head(): { readonly type: number; readonly size: number; readonly isLittle: boolean } {
    this.#need(5);
    const isLittle = this.#view.getUint8(this.#at) === 1;
    const code = this.#view.getUint32(this.#at + 1, isLittle);
    this.#at += 5;
    const iso = Math.floor((code & 0xffff) / 1000);
    const hasZ = (code & 0x80000000) !== 0 || iso === 1 || iso === 3;
    const hasM = (code & 0x40000000) !== 0 || iso === 2 || iso === 3;
    if ((code & 0x20000000) !== 0) this.#at += 4;
    return { type: (code & 0xffff) % 1000, size: 2 + Number(hasZ) + Number(hasM), isLittle };
  }

  #rings(size: number, isLittle: boolean): Position[][] {
    const count = this.#count(isLittle, 4);
    return Array.from({ length: count }, () => this.#ring(size, isLittle));
  }

  #ring(size: number, isLittle: boolean): Position[] {
    const count = this.#count(isLittle, size * DOUBLE);
    const ring: Position[] = [];
    for (let i = 0; i < count; i += 1) {
      const [lon, lat] = this.#toLonLat(
        this.#view.getFloat64(this.#at, isLittle),
        this.#view.getFloat64(this.#at + DOUBLE, isLittle),
      );
      ring.push([lon, lat]);
      this.#at += size * DOUBLE;
    }
    return ring;
  }

  #count(isLittle: boolean, least: number): number {
    this.#need(4);
    const count = this.#view.getUint32(this.#at, isLittle);
    this.#at += 4;
    this.#need(count * least);
    return count;
  }

  #need(bytes: number): void {
    if (this.#at + bytes > this.#view.byteLength)
      throw new BadPlaceFile('the geometry is shorter than its header announces; write the file again');
  }
}

function readWkb(bytes: Uint8Array, start: number, toLonLat: ToLonLat): Polygon | MultiPolygon {
  return new WkbReader(bytes, start, toLonLat).geometry();
}
