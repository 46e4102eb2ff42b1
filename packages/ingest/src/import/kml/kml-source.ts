import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { BadPlaceFile, TooMuch } from '../../places/bad-place-file.ts';
import { limitText } from '../shared/numbers.ts';
import { openZip, type ZipFault, type ZipParts } from '../shared/zip-parts.ts';

const MAX_BYTES = 2 ** 31;
/** Unpacked size up to which any ratio is allowed, bytes. */
const SMALL_BYTES = 16 * 1024 * 1024;
/**
 * Largest allowed ratio of unpacked to packed size. Coordinates reach about 10; a hostile file could reach 1,032, the
 * limit of DEFLATE.
 */
const MAX_RATIO = 100;
const MOST_ENTRIES = 10_000;

/** Open KML document. */
export interface KmlSource {
  /** Unpacked size. */
  readonly bytes: number;
  /** Contents, which can be read once. */
  readonly chunks: AsyncIterable<Uint8Array>;
  readonly close: () => void;
}

/**
 * Opens a KML document, or the document in a KMZ. `most`: maximum size, bytes. Throws `BadPlaceFile` for a too large
 * document or invalid KMZ.
 */
export async function openKml(path: string, fileName: string, most = MAX_BYTES): Promise<KmlSource> {
  if (/\.kmz$/i.test(fileName)) return await openKmz(path, most);
  const { size: bytes } = await stat(path);
  checkSize(bytes, most);
  return { bytes, chunks: createReadStream(path, { highWaterMark: 256 * 1024 }), close: () => undefined };
}

async function openKmz(path: string, most: number): Promise<KmlSource> {
  const zip = await openZip(path, {
    entries: MOST_ENTRIES,
    bytes: most,
    refusal: (fault, about) => (fault === 'bytes' ? tooLarge(most) : new BadPlaceFile(REFUSALS[fault](about))),
  });
  try {
    const name = documentOf(zip);
    const bytes = zip.sizeOf(name);
    checkSize(bytes, most);
    if (bytes > Math.max(SMALL_BYTES, MAX_RATIO * zip.packedSizeOf(name)))
      throw new TooMuch(
        `${name} would unpack to more than ${MAX_RATIO} times its size, more than any real map; write the file again`,
      );
    return { bytes, chunks: zip.read(name), close: zip.close };
  } catch (error) {
    zip.close();
    throw error;
  }
}

/** Name of the document: `doc.kml`, or the only KML file (OGC KML 2.3, 9.1). */
function documentOf({ names }: ZipParts): string {
  const [first, ...others] = names.filter((name) => /\.kml$/i.test(name) && !name.startsWith('__MACOSX/'));
  if (first === undefined) throw new BadPlaceFile('the KMZ file has no .kml; save the map again as KML');
  if (others.length === 0) return first;
  const named = names.find((name) => name.toLowerCase() === 'doc.kml');
  if (named !== undefined) return named;
  throw new BadPlaceFile('the KMZ file has several .kml files and no doc.kml; import each of them as KML');
}

function checkSize(bytes: number, most: number): void {
  if (bytes > most) throw tooLarge(most);
}

const tooLarge = (most: number): TooMuch =>
  new TooMuch(`the KML document has more than ${limitText(most)}; split it, or write a GeoPackage`);

const unreadable = (reason: string): string => `this KMZ file cannot be read (${reason}); save the map again as KML`;

const REFUSALS: Readonly<Record<Exclude<ZipFault, 'bytes'>, (about: string) => string>> = {
  none: unreadable,
  broken: unreadable,
  entries: (most) => `the KMZ file has more than ${most} files; save the map again as KML`,
  twice: (name) => `the KMZ file has ${JSON.stringify(name)} twice; save the map again as KML`,
  missing: (name) => `the KMZ file has no ${JSON.stringify(name)}; save the map again as KML`,
  encrypted: () => 'the KMZ file is encrypted; save it again without a password',
};
