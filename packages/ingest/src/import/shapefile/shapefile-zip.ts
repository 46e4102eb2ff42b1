import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { BadPlaceFile } from '../../places/bad-place-file.ts';
import { chosen } from '../geopackage/gpkg-layer.ts';

/** Members of a zip file that are looked at. */
const MOST_MEMBERS = 10_000;
/** Largest file of a Shapefile: its lengths are 32-bit numbers of two bytes (ESRI Shapefile Technical Description, 1998). */
const MAX_BYTES = 2 ** 32;
/** Bytes that a member may have however small it was packed. */
const SMALL_BYTES = 16 * 1024 * 1024;
/** How many times its packed size a larger one may have: a .dbf of wide, empty columns comes near, DEFLATE reaches 1,032. */
const MAX_RATIO = 200;
/** Largest .prj or .cpg. */
const MAX_TEXT = 64 * 1024;
const PART = /^(.*)\.(shp|dbf|prj|cpg)$/i;

/** The files of one Shapefile in an open zip file. */
export interface ShapefileZip {
  /** Name without ending and folders. */
  readonly table: string;
  readonly shp: Entry;
  readonly dbf: Entry;
  /** Definition of its CRS, where there is one. */
  readonly prj: string | undefined;
  /** Name of the encoding of its texts, where there is one. */
  readonly cpg: string | undefined;
  /** The bytes of a file as they come: nothing is unpacked to disk, and no name of the zip file becomes a path. */
  readonly open: (entry: Entry) => AsyncIterable<Uint8Array>;
  readonly close: () => void;
}

/** Opens the Shapefile in a zip file: its only one, or the one of several that is called as one of `names`. Throws `BadPlaceFile`. */
export async function openShapefileZip(path: string, names: readonly string[]): Promise<ShapefileZip> {
  const zip = await openZip(path);
  try {
    const shapefiles = await shapefilesIn(zip);
    if (shapefiles.length === 0)
      throw new BadPlaceFile('the zip file holds no .shp; zip the .shp, .dbf and .prj together');
    const { table, parts } = chosen(shapefiles, names);
    const [shp, dbf] = [parts.get('shp'), parts.get('dbf')];
    if (shp === undefined || dbf === undefined)
      throw new BadPlaceFile(`${table}.dbf, which holds the properties, is not in the zip file; add it`);
    const text = (part: string): Promise<string | undefined> => textOf(zip, parts.get(part));
    const [prj, cpg] = [await text('prj'), await text('cpg')];
    return { table, shp, dbf, prj, cpg, open: (entry) => openMember(zip, entry), close: () => zip.close() };
  } catch (error) {
    zip.close();
    throw error;
  }
}

/** Names of the Shapefiles in a zip file. Throws `BadPlaceFile`. */
export async function shapefileNames(path: string): Promise<readonly string[]> {
  const zip = await openZip(path);
  try {
    return (await shapefilesIn(zip)).map(({ table }) => table);
  } finally {
    zip.close();
  }
}

const openZip = (path: string): Promise<ZipFile> =>
  openPromise(path, { lazyEntries: true, autoClose: false, strictFileNames: true }).catch(badZip);

async function shapefilesIn(zip: ZipFile) {
  const sets = await membersOf(zip);
  const found = [...sets].map(([table, parts]) => ({ table: table.split('/').at(-1) ?? table, parts }));
  return found.filter(({ parts }) => parts.has('shp'));
}

/** Files of Shapefiles by their name without ending, and then by that. Links, folders and other files are not looked at. */
async function membersOf(zip: ZipFile): Promise<ReadonlyMap<string, Map<string, Entry>>> {
  const sets = new Map<string, Map<string, Entry>>();
  if (zip.entryCount > MOST_MEMBERS) throw new BadPlaceFile(`the zip file holds more than ${MOST_MEMBERS} files`);
  try {
    for await (const entry of zip.eachEntry()) {
      const [, name = '', ending] = PART.exec(entry.fileName) ?? [];
      if (ending === undefined || name.startsWith('__MACOSX/')) continue;
      const parts = sets.get(name) ?? new Map<string, Entry>();
      sets.set(name, parts.set(ending.toLowerCase(), entry));
    }
  } catch (error) {
    return badZip(error);
  }
  return sets;
}

/** The zip reader ends a member whose bytes are not as many as its directory says: what that says is looked at first. */
async function* openMember(zip: ZipFile, entry: Entry): AsyncGenerator<Uint8Array> {
  if (entry.uncompressedSize > MAX_BYTES)
    throw new BadPlaceFile(`${entry.fileName} would unpack to more than 4 GB, which no Shapefile has`);
  if (entry.uncompressedSize > Math.max(SMALL_BYTES, MAX_RATIO * entry.compressedSize))
    throw new BadPlaceFile(
      `${entry.fileName} would unpack to more than ${MAX_RATIO} times its size; take its empty columns out, or write a GeoPackage`,
    );
  if (entry.isEncrypted()) throw new BadPlaceFile('the zip file is encrypted; write one without a password');
  try {
    for await (const chunk of await zip.openReadStreamPromise(entry)) yield chunk;
  } catch (error) {
    badZip(error);
  }
}

async function textOf(zip: ZipFile, entry: Entry | undefined): Promise<string | undefined> {
  if (entry === undefined) return undefined;
  if (entry.uncompressedSize > MAX_TEXT) throw new BadPlaceFile(`${entry.fileName} is larger than ${MAX_TEXT} bytes`);
  const parts: Uint8Array[] = [];
  for await (const part of openMember(zip, entry)) parts.push(part);
  return Buffer.concat(parts).toString('latin1');
}

/** Throws the refusal of a zip file that cannot be read. */
function badZip(error: unknown): never {
  const reason = error instanceof Error ? error.message.slice(0, 200) : 'unreadable';
  throw new BadPlaceFile(`this zip file cannot be read (${reason}); zip the Shapefile anew`);
}
