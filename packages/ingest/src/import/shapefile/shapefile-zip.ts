import { BadPlaceFile } from '../../places/bad-place-file.ts';
import { chosen } from '../geopackage/gpkg-layer.ts';
import { limitText } from '../shared/numbers.ts';
import { openZip, type ZipFault, type ZipParts } from '../shared/zip-parts.ts';

/**
 * Maximum size of a file, bytes: lengths in a Shapefile are signed 32-bit numbers of 16-bit words (ESRI Shapefile
 * Technical Description, 1998).
 */
const MAX_BYTES = 2 ** 32;
/** Unpacked size up to which any ratio is allowed, bytes. */
const SMALL_BYTES = 16 * 1024 * 1024;
/**
 * Largest allowed ratio of unpacked to packed size. A .dbf of empty columns comes near this ratio; a hostile file could
 * reach 1,032, the limit of DEFLATE.
 */
const MAX_RATIO = 200;
const MAX_TEXT = 64 * 1024;
/** Limits of the zip file. At most two large files (.shp, .dbf) and two small files (.prj, .cpg) are read. */
const LIMITS = { entries: 10_000, bytes: 2 * (MAX_BYTES + MAX_TEXT) };
const PART = /^(.*)\.(shp|dbf|prj|cpg)$/i;

/** Files of one Shapefile in an open zip file. */
export interface ShapefileZip {
  /** Name without ending and folders. */
  readonly table: string;
  readonly shp: ZipMember;
  readonly dbf: ZipMember;
  /** Definition of the CRS. */
  readonly prj: string | undefined;
  /** Encoding of the texts. */
  readonly cpg: string | undefined;
  readonly close: () => void;
}

/** File of a Shapefile. */
export interface ZipMember {
  /** Unpacked size by the zip's directory, bytes. */
  readonly bytes: number;
  /** Contents, which can be read once. */
  readonly chunks: AsyncIterable<Uint8Array>;
}

/**
 * Opens the only Shapefile in a zip file, or the Shapefile with one of the `names`. Throws `BadPlaceFile` for a broken
 * zip file, or without such a Shapefile.
 */
export async function openShapefileZip(path: string, names: readonly string[]): Promise<ShapefileZip> {
  const zip = await openShapefiles(path);
  try {
    const shapefiles = shapefilesIn(zip);
    if (shapefiles.length === 0)
      throw new BadPlaceFile('the zip file has no .shp; zip the .shp, .dbf and .prj together');
    const { table, parts } = chosen(shapefiles, names);
    const [shp, dbf] = [parts.get('shp'), parts.get('dbf')];
    if (shp === undefined || dbf === undefined)
      throw new BadPlaceFile(`${table}.dbf, which has the properties, is not in the zip file; add it`);
    const text = (part: string): Promise<string | undefined> => textOf(zip, parts.get(part));
    const [prj, cpg] = [await text('prj'), await text('cpg')];
    return { table, shp: memberOf(zip, shp), dbf: memberOf(zip, dbf), prj, cpg, close: zip.close };
  } catch (error) {
    zip.close();
    throw error;
  }
}

/** Names of the Shapefiles in a zip file. Throws `BadPlaceFile` for a broken zip file. */
export async function shapefileNames(path: string): Promise<readonly string[]> {
  const zip = await openShapefiles(path);
  try {
    return shapefilesIn(zip).map(({ table }) => table);
  } finally {
    zip.close();
  }
}

const openShapefiles = (path: string): Promise<ZipParts> =>
  openZip(path, { ...LIMITS, refusal: (fault, about) => new BadPlaceFile(REFUSALS[fault](about)) });

const unreadable = (reason: string): string => `this zip file cannot be read (${reason}); zip the Shapefile again`;

const REFUSALS: Readonly<Record<ZipFault, (about: string) => string>> = {
  none: unreadable,
  broken: unreadable,
  entries: (most) => `the zip file has more than ${most} files; zip only the Shapefile`,
  twice: (name) => `the zip file has ${JSON.stringify(name)} twice; zip the Shapefile again`,
  missing: (name) => `the zip file has no ${JSON.stringify(name)}; zip the Shapefile again`,
  encrypted: () => 'the zip file is encrypted; write it again without a password',
  bytes: (most) => `the zip file unpacks to more than ${most}, which no Shapefile has`,
};

function shapefilesIn(zip: ZipParts) {
  const found = [...membersOf(zip)].map(([table, parts]) => ({ table: table.split('/').at(-1) ?? table, parts }));
  return found.filter(({ parts }) => parts.has('shp'));
}

function membersOf({ names }: ZipParts): ReadonlyMap<string, ReadonlyMap<string, string>> {
  const sets = new Map<string, Map<string, string>>();
  for (const fileName of names) {
    const [, name = '', ending] = PART.exec(fileName) ?? [];
    if (ending === undefined || name.startsWith('__MACOSX/')) continue;
    const parts = sets.get(name) ?? new Map<string, string>();
    sets.set(name, parts.set(ending.toLowerCase(), fileName));
  }
  return sets;
}

function memberOf(zip: ZipParts, name: string): ZipMember {
  const bytes = zip.sizeOf(name);
  if (bytes > MAX_BYTES)
    throw new BadPlaceFile(`${name} would unpack to more than 4 GB, which no Shapefile has; zip the Shapefile again`);
  if (bytes > Math.max(SMALL_BYTES, MAX_RATIO * zip.packedSizeOf(name)))
    throw new BadPlaceFile(
      `${name} would unpack to more than ${MAX_RATIO} times its size; remove its empty columns, or write a GeoPackage`,
    );
  return { bytes, chunks: zip.read(name) };
}

async function textOf(zip: ZipParts, name: string | undefined): Promise<string | undefined> {
  if (name === undefined) return undefined;
  if (zip.sizeOf(name) > MAX_TEXT)
    throw new BadPlaceFile(`${name} is larger than ${limitText(MAX_TEXT)}; write the Shapefile again`);
  const parts: Uint8Array[] = [];
  for await (const part of zip.read(name)) parts.push(part);
  return Buffer.concat(parts).toString('latin1');
}
