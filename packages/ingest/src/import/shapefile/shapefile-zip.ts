import { BadPlaceFile } from '../../places/bad-place-file.ts';
import { chosen } from '../geopackage/gpkg-layer.ts';
import { openZip, type ZipFault, type ZipParts } from '../shared/zip-parts.ts';

/**
 * Maximum size of a file of a Shapefile, bytes. In a Shapefile, lengths are signed 32-bit numbers that count 16-bit
 * words (ESRI Shapefile Technical Description, 1998).
 */
const MAX_BYTES = 2 ** 32;
/** Up to this unpacked size, any ratio of unpacked to packed size is allowed, bytes. */
const SMALL_BYTES = 16 * 1024 * 1024;
/**
 * Largest ratio of unpacked to packed size of a member above `SMALL_BYTES`. The limit stops archives that unpack to far more data than a map: a
 * .dbf of wide, empty columns comes near this ratio, but DEFLATE allows up to 1,032.
 */
const MAX_RATIO = 200;
/** Maximum size of a .prj or .cpg, bytes. */
const MAX_TEXT = 64 * 1024;
/** Limits of the zip file. At most four files are read from the zip file: a .shp, a .dbf, a .prj and a .cpg. */
const LIMITS = { entries: 10_000, bytes: 2 * (MAX_BYTES + MAX_TEXT) };
const PART = /^(.*)\.(shp|dbf|prj|cpg)$/i;

/** The files of one Shapefile in an open zip file. */
export interface ShapefileZip {
  /** Name of the Shapefile without ending and folders. */
  readonly table: string;
  readonly shp: ZipMember;
  readonly dbf: ZipMember;
  /** Definition of the CRS, if the zip file has a .prj. */
  readonly prj: string | undefined;
  /** Name of the encoding of the texts, if the zip file has a .cpg. */
  readonly cpg: string | undefined;
  readonly close: () => void;
}

/** A file of a Shapefile. */
export interface ZipMember {
  /** Unpacked size from the directory of the zip file, bytes. */
  readonly bytes: number;
  /** Contents; can be read once. */
  readonly chunks: AsyncIterable<Uint8Array>;
}

/**
 * Opens a Shapefile in a zip file: the only Shapefile, or the Shapefile with a name in `names`. Throws `BadPlaceFile` if
 * there is no such Shapefile, or if the zip file is broken.
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

/** Names of the Shapefiles in a zip file. Throws `BadPlaceFile` if the zip file is broken. */
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
  bytes: (most) => `the zip file unpacks to more than ${most} bytes, which no Shapefile has`,
};

function shapefilesIn(zip: ZipParts) {
  const found = [...membersOf(zip)].map(([table, parts]) => ({ table: table.split('/').at(-1) ?? table, parts }));
  return found.filter(({ parts }) => parts.has('shp'));
}

/**
 * Names of the files of Shapefiles. The first key is the name of the Shapefile (without ending), and the second key is the ending.
 * Folders and other files are ignored.
 */
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

/**
 * Opens a member of the zip file after a check of the size in the zip's directory. Reading fails if the number of unpacked bytes
 * differs from this size.
 */
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
    throw new BadPlaceFile(`${name} is larger than ${MAX_TEXT} bytes; write the Shapefile again`);
  const parts: Uint8Array[] = [];
  for await (const part of zip.read(name)) parts.push(part);
  return Buffer.concat(parts).toString('latin1');
}
