import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { crc32, deflateRawSync } from 'node:zlib';
import type { Importer, ImportRequest, ImportReport, DomainStores } from '@headwater/core';
import { createMemoryDomainStores } from '@headwater/core/memory';
import type { Position } from 'geojson';
import { afterEach, beforeEach } from 'vitest';
import type { Superusers } from '../importers.ts';
import { createImporters } from '../importers.ts';

/** Feature to write in each format. Its first ring is the outer ring. */
export interface Sample {
  readonly properties: Readonly<Record<string, string | number>>;
  readonly rings: readonly (readonly Position[])[];
}

/** Square of `size` degrees, counter-clockwise. */
export const box = (west: number, south: number, size = 0.1): Position[] => [
  [west, south],
  [west + size, south],
  [west + size, south + size],
  [west, south + size],
  [west, south],
];

/** Little-endian WKB of a polygon. */
export function wkb(rings: Sample['rings']): Buffer {
  const head = Buffer.alloc(9);
  head.writeUInt8(1, 0);
  head.writeUInt32LE(3, 1);
  head.writeUInt32LE(rings.length, 5);
  const parts = rings.flatMap((ring) => {
    const count = Buffer.alloc(4);
    count.writeUInt32LE(ring.length);
    return [count, doubles(ring.flatMap(([x = 0, y = 0]) => [x, y]))];
  });
  return Buffer.concat([head, ...parts]);
}

const doubles = (values: readonly number[]): Buffer => Buffer.from(new Float64Array(values).buffer);

/** Geometry of a GeoPackage, without envelope. */
export const gpkgGeometry = (rings: Sample['rings']): Buffer =>
  Buffer.concat([Buffer.from([0x47, 0x50, 0, 1, 0xe6, 0x10, 0, 0]), wkb(rings)]);

const WGS84 = 'GEOGCS["WGS 84",DATUM["WGS_1984",SPHEROID["WGS 84",6378137,298.257223563]]]';

/** Options of a GeoPackage's layer. */
export interface GpkgOptions {
  readonly table?: string;
  readonly srs?: number;
  /** SQL statements to run at the end. */
  readonly more?: string;
}

/** Writes a GeoPackage with one layer. */
export function writeGpkg(path: string, samples: readonly Sample[], options: GpkgOptions = {}): void {
  const { table = 'layer', srs = 4326, more = '' } = options;
  const database = new DatabaseSync(path);
  const columns = [...new Set(samples.flatMap(({ properties }) => Object.keys(properties)))];
  database.exec(`
    create table gpkg_contents (table_name text, data_type text, srs_id integer);
    create table gpkg_geometry_columns (table_name text, column_name text, srs_id integer);
    create table gpkg_spatial_ref_sys (srs_id integer, organization text, organization_coordsys_id integer, definition text);
    insert into gpkg_spatial_ref_sys values (4326, 'EPSG', 4326, '${WGS84}'), (32644, 'EPSG', 32644, 'PROJCS["WGS 84 / UTM zone 44N"]'),
      (3857, 'EPSG', 3857, 'PROJCS["WGS 84 / Pseudo-Mercator"]');
    insert into gpkg_contents values ('${table}', 'features', ${srs});
    insert into gpkg_geometry_columns values ('${table}', 'geom', ${srs});
    create table "${table}" (fid integer primary key, geom blob${columns.map((name) => `, "${name}"`).join('')});`);
  const insert = database.prepare(
    `insert into "${table}" (geom${columns.map((name) => `, "${name}"`).join('')}) values (?${', ?'.repeat(columns.length)})`,
  );
  database.exec('begin');
  for (const { properties, rings } of samples)
    insert.run(gpkgGeometry(rings), ...columns.map((name) => properties[name] ?? null));
  database.exec(`commit; ${more}`);
  database.close();
}

/** Writes a .shp of polygons, with rings in the direction of Shapefiles. */
export function shp(samples: readonly Sample[]): Buffer {
  const records = samples.map(({ rings }, index) => {
    const reversed = rings.map((ring) => ring.toReversed());
    const starts = reversed.map((_, r) => reversed.slice(0, r).reduce((sum, ring) => sum + ring.length, 0));
    const body = Buffer.alloc(44 + 4 * reversed.length);
    body.writeInt32LE(5, 0);
    body.writeInt32LE(reversed.length, 36);
    body.writeInt32LE(
      reversed.reduce((sum, ring) => sum + ring.length, 0),
      40,
    );
    for (const [r, start] of starts.entries()) body.writeInt32LE(start, 44 + 4 * r);
    const record = Buffer.concat([body, doubles(reversed.flat().flatMap(([x = 0, y = 0]) => [x, y]))]);
    const head = Buffer.alloc(8);
    head.writeInt32BE(index + 1, 0);
    head.writeInt32BE(record.length / 2, 4);
    return Buffer.concat([head, record]);
  });
  const header = Buffer.alloc(100);
  header.writeInt32BE(9994, 0);
  header.writeInt32LE(1000, 28);
  header.writeInt32LE(5, 32);
  return Buffer.concat([header, ...records]);
}

const [TEXT_WIDTH, NUMBER_WIDTH] = [60, 18] as const;

/** Writes a .dbf of text and number columns, UTF-8. */
export function dbf(samples: readonly Sample[]): Buffer {
  const columns = Object.entries(samples[0]?.properties ?? {}).map(([name, value]) => {
    const isNumber = typeof value === 'number';
    return { name, isNumber, width: isNumber ? NUMBER_WIDTH : TEXT_WIDTH };
  });
  const header = Buffer.alloc(32 + 32 * columns.length + 1);
  header.writeUInt8(3, 0);
  header.writeUInt32LE(samples.length, 4);
  header.writeUInt16LE(header.length, 8);
  header.writeUInt16LE(1 + columns.reduce((sum, { width }) => sum + width, 0), 10);
  for (const [index, { name, isNumber, width }] of columns.entries()) {
    header.write(name.slice(0, 10), 32 + 32 * index, 'latin1');
    header.write(isNumber ? 'N' : 'C', 43 + 32 * index, 'latin1');
    header.writeUInt8(width, 48 + 32 * index);
  }
  header.writeUInt8(0x0d, header.length - 1);
  const rows = samples.map(({ properties }) =>
    Buffer.concat([Buffer.from(' '), ...columns.map(({ name, width }) => cell(String(properties[name] ?? ''), width))]),
  );
  return Buffer.concat([header, ...rows]);
}

function cell(text: string, width: number): Buffer {
  const bytes = Buffer.alloc(width, 0x20);
  bytes.write(text);
  return bytes;
}

/** Member of a zip file. */
export interface ZipMember {
  readonly name: string;
  readonly content: Uint8Array;
  /** Unpacked size in the header; default: the true size. */
  readonly claimed?: number;
}

/** Writes a compressed zip file. */
export function zip(members: readonly ZipMember[]): Buffer {
  const [locals, centrals]: [Buffer[], Buffer[]] = [[], []];
  let offset = 0;
  for (const { name, content, claimed = content.length } of members) {
    const [packed, file] = [deflateRawSync(content), Buffer.from(name)];
    const facts = Buffer.alloc(26);
    facts.writeUInt16LE(20, 0);
    facts.writeUInt16LE(0x800, 2);
    facts.writeUInt16LE(8, 4);
    facts.writeUInt32LE(crc32(content), 10);
    facts.writeUInt32LE(packed.length, 14);
    facts.writeUInt32LE(claimed, 18);
    facts.writeUInt16LE(file.length, 22);
    const local = Buffer.concat([Buffer.from('PK\u0003\u0004'), facts, file, packed]);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(offset, 10);
    centrals.push(Buffer.concat([Buffer.from('PK\u0001\u0002\u0014\0', 'latin1'), facts, rest, file]));
    locals.push(local);
    offset += local.length;
  }
  const directory = Buffer.concat(centrals);
  const end = Buffer.alloc(22);
  end.write('PK\u0005\u0006', 'latin1');
  end.writeUInt16LE(members.length, 8);
  end.writeUInt16LE(members.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, directory, end]);
}

/** Writes a zipped Shapefile. */
export const shapefileZip = (samples: readonly Sample[], prj: string = WGS84): Buffer =>
  zip([
    { name: 'in/layer.shp', content: shp(samples) },
    { name: 'in/layer.dbf', content: dbf(samples) },
    { name: 'in/layer.prj', content: Buffer.from(prj) },
  ]);

/** GeoJSON Features of samples. */
export const features = (samples: readonly Sample[]): object[] =>
  samples.map(({ properties, rings }) => ({
    type: 'Feature',
    properties,
    geometry: { type: 'Polygon', coordinates: rings },
  }));

export const geojson = (samples: readonly Sample[]): string =>
  JSON.stringify({ type: 'FeatureCollection', features: features(samples) });

/** Folder, memory stores and importers of a test. */
export interface ImportBench {
  readonly dir: string;
  readonly stores: DomainStores;
  readonly put: (name: string, content: string | Uint8Array) => Promise<string>;
  readonly run: (kind: Importer['kind'], file: string, request?: Partial<ImportRequest>) => Promise<ImportReport>;
  readonly scratch: string;
}

/** Account store without superusers. */
export const NO_USERS: Superusers = { firstSuperuser: async () => undefined };

/** Creates the folder, stores and importers of a test file. */
export function importBench(): ImportBench {
  let [dir, stores]: [string, DomainStores] = ['', createMemoryDomainStores()];
  beforeEach(async () => {
    [dir, stores] = [await mkdtemp(join(tmpdir(), 'import-')), createMemoryDomainStores()];
  });
  afterEach(() => rm(dir, { recursive: true, force: true }));
  return {
    get dir() {
      return dir;
    },
    get stores() {
      return stores;
    },
    get scratch() {
      return join(dir, 'scratch');
    },
    put: async (name, content) => {
      const path = join(dir, name);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, content);
      return path;
    },
    run: (kind, file, request = {}) => {
      const importer = createImporters({
        stores: { ...stores, users: NO_USERS },
        scratchDir: join(dir, 'scratch'),
      }).find((each) => each.kind === kind);
      if (importer === undefined) throw new Error(`no importer of ${kind}`);
      return importer.run({ path: join(dir, file), fileName: file, signal: new AbortController().signal, ...request });
    },
  };
}
