import { utmZone } from '@headwater/core/geo';
import type { MapLayer } from '@headwater/core/ports';
import { ZIP_MEMORY } from '@headwater/core/values';
import { Zip, ZipDeflate } from 'fflate';
import type { MapFeature } from '../features/feature-table.ts';
import { ogcError } from '../protocol/ogc-error.ts';
import { csvLine } from './csv.ts';
import { inSrs } from './coordinates.ts';
import { type DbfField, dbfFields, dbfPieces } from './dbf.ts';
import type { FeatureResponse, FeatureSrs } from './request.ts';
import { MOST_SHP_BYTES, type ShapeKind, shapeKindOf, shapesOf } from './shapes.ts';

/** Coordinate systems in ESRI's text form. */
const DEGREES =
  'GEOGCS["GCS_WGS_1984",DATUM["D_WGS_1984",SPHEROID["WGS_1984",6378137.0,298.257223563]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]]';
const METRES =
  `PROJCS["WGS_1984_Web_Mercator_Auxiliary_Sphere",${DEGREES},PROJECTION["Mercator_Auxiliary_Sphere"],` +
  'PARAMETER["False_Easting",0.0],PARAMETER["False_Northing",0.0],PARAMETER["Central_Meridian",0.0],' +
  'PARAMETER["Standard_Parallel_1",0.0],PARAMETER["Auxiliary_Sphere_Type",0.0],UNIT["Meter",1.0]]';

function projectionText(srs: FeatureSrs): string {
  if (srs === 'EPSG:3857') return METRES;
  const utm = utmZone(srs);
  if (utm === undefined) return DEGREES;
  const { zone, south } = utm;
  return (
    `PROJCS["WGS_1984_UTM_Zone_${zone}${south ? 'S' : 'N'}",${DEGREES},PROJECTION["Transverse_Mercator"],` +
    `PARAMETER["False_Easting",500000.0],PARAMETER["False_Northing",${south ? '10000000.0' : '0.0'}],` +
    `PARAMETER["Central_Meridian",${zone * 6 - 183}.0],PARAMETER["Scale_Factor",0.9996],` +
    'PARAMETER["Latitude_Of_Origin",0.0],UNIT["Meter",1.0]]'
  );
}

type ZipEntry = readonly [name: string, pieces: Iterable<Uint8Array>];

/** Name of the zip of a layer. */
export function zipName({ name }: Pick<MapLayer, 'name'>): string {
  return `${name.replace(/[^\w.-]/g, '_')}.zip`;
}

/**
 * Returns the pieces of a zip: one Shapefile per kind of geometry, and `columns.csv` with the full column names. Throws
 * before the first piece for a geometry collection, and for data above a limit: texts of 254 bytes, 255 columns, rows
 * of 65,535 bytes, a .shp of 2 GB.
 */
export function shapefilePieces(response: FeatureResponse): Generator<Uint8Array> {
  const { layer, features, columns, srs, timeStamp } = response;
  const fields = dbfFields(columns, features);
  const base = zipName(layer).replace(/\.zip$/, '');
  const groups = groupsOf(response);
  const entries = groups.flatMap(([kind, group]) =>
    filesOf(`${base}${groups.length === 1 ? '' : `_${kind}`}`, { kind, group, fields, srs, timeStamp }),
  );
  return zipPieces([...entries, ['columns.csv', texts(columnLines(fields))]], timeStamp);
}

/** Groups the features by kind of shape. Features without a geometry are null shapes of the first group. */
function groupsOf({ features, table }: FeatureResponse): readonly (readonly [ShapeKind, readonly MapFeature[]])[] {
  const groups = new Map<ShapeKind, MapFeature[]>();
  const without: MapFeature[] = [];
  for (const feature of features) {
    if (feature.geometry === null || feature.box === null) {
      without.push(feature);
      continue;
    }
    const kind = shapeKindOf(feature.geometry.type);
    if (kind === undefined)
      throw ogcError(
        'InvalidParameterValue',
        'outputformat',
        `outputFormat: a Shapefile cannot hold the geometry collection of ${feature.id}; choose GeoJSON, GML or CSV`,
      );
    const group = groups.get(kind);
    if (group === undefined) groups.set(kind, [feature]);
    else group.push(feature);
  }
  if (without.length === 0 && groups.size > 0) return [...groups];
  const ofTable = table.geometryType === 'Geometry' ? undefined : shapeKindOf(table.geometryType);
  const [first = ofTable ?? 'none'] = groups.keys();
  const isFirst = new Set([...without, ...(groups.get(first) ?? [])]);
  groups.set(
    first,
    features.filter((feature) => isFirst.has(feature)),
  );
  return [...groups];
}

interface FileGroup extends Pick<FeatureResponse, 'srs' | 'timeStamp'> {
  readonly kind: ShapeKind;
  readonly group: readonly MapFeature[];
  readonly fields: readonly DbfField[];
}

function filesOf(base: string, { kind, group, fields, srs, timeStamp }: FileGroup): readonly ZipEntry[] {
  const shapes = shapesOf(kind, group.length, (index) => geometryOf(group[index]!, srs));
  if (shapes.shpBytes > MOST_SHP_BYTES)
    throw ogcError(
      'InvalidParameterValue',
      'outputformat',
      `outputFormat: a Shapefile has at most 2 GB, and the response has ${shapes.shpBytes} bytes; choose GeoJSON, or fewer features by bbox or count`,
    );
  return [
    [`${base}.shp`, shapes.shp()],
    [`${base}.shx`, [shapes.shx]],
    [`${base}.dbf`, dbfPieces(fields, group, timeStamp)],
    [`${base}.prj`, texts([projectionText(srs)])],
    [`${base}.cpg`, texts(['UTF-8'])],
  ];
}

const geometryOf = ({ geometry, box }: MapFeature, srs: FeatureSrs) => (box === null ? null : inSrs(geometry, srs));

function* columnLines(fields: readonly DbfField[]): Generator<string> {
  yield csvLine(['file_column', 'column', 'description']);
  for (const { name, column } of fields) yield csvLine([name, column.name, column.description]);
}

const texts = function* (lines: Iterable<string>): Generator<Uint8Array> {
  for (const line of lines) yield Buffer.from(line);
};

const PIECE = 64 * 1024;

function* zipPieces(entries: readonly ZipEntry[], mtime: Date): Generator<Uint8Array> {
  // The zip library writes local time, so the time is shifted to UTC.
  const time = new Date(mtime.getTime() + mtime.getTimezoneOffset() * 60_000);
  let ready: Uint8Array[] = [];
  const zip = new Zip((error, piece) => {
    if (error !== null) throw error;
    ready.push(piece);
  });
  for (const [name, pieces] of entries) {
    const file = new ZipDeflate(name, { mem: ZIP_MEMORY });
    file.mtime = time;
    zip.add(file);
    for (const piece of joined(pieces)) {
      file.push(piece);
      yield* ready;
      ready = [];
    }
    file.push(new Uint8Array(), true);
  }
  zip.end();
  yield* ready;
}

function* joined(pieces: Iterable<Uint8Array>): Generator<Uint8Array> {
  let waiting: Uint8Array[] = [];
  let bytes = 0;
  for (const piece of pieces) {
    waiting.push(piece);
    bytes += piece.byteLength;
    if (bytes < PIECE) continue;
    yield Buffer.concat(waiting);
    waiting = [];
    bytes = 0;
  }
  if (bytes > 0) yield Buffer.concat(waiting);
}
