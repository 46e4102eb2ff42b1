import type { RemoteVersion } from '../remote/remote-version.ts';
import type { Span } from '../remote/runs-of.ts';
import { badFile, unreadableHeaders } from './bad-file.ts';

/** Source from which ranges of bytes of a file or URL are read. */
export interface ByteSource {
  readonly href: string;
  /** Size of the whole file, bytes; null if the server does not send the size. */
  readonly size: number | null;
  /** Maximum number of concurrent reads: 1 for a local file, more over a network. */
  readonly concurrency: number;
  /**
   * Reads exactly `length` bytes from `offset`, or fewer at the end of the file. A local file returns the bytes
   * synchronously and may use the memory of `into`. A URL returns a promise.
   */
  read(offset: number, length: number, into?: Uint8Array): Uint8Array | Promise<Uint8Array>;
  /** Version of a remote file; absent for a local file, and if the server sends no strong ETag. */
  readonly version?: RemoteVersion;
  /** Reads several spans with few requests; absent for local files. */
  readonly readAll?: (spans: readonly Span[]) => Promise<readonly Uint8Array[]>;
  /** Removes a span from the cache, and reads it from the server again; absent if there is no cache. */
  readonly readAgain?: (span: Span) => Promise<Uint8Array>;
  /**
   * Text of the `.aux.xml` next to a local file; undefined if there is no such file. The member is absent for URLs, for
   * which such files are not requested.
   */
  readonly sideText?: () => string | undefined;
  close(): void;
}

/**
 * Minimum length of one read, bytes. 16 kB are enough for the first directories of a COG, or for one later directory with its
 * values.
 */
const CHUNK = 16 * 1024;

/**
 * The header bytes of one file. All bytes that were read are cached, so that the checks and the parser read the same
 * bytes, and only a span that extends beyond the cached bytes is requested again.
 */
export class HeaderBytes {
  readonly source: ByteSource;
  readonly #chunks: { readonly offset: number; readonly bytes: Uint8Array }[] = [];
  #left: number = LIMITS.headerBytes;

  constructor(source: ByteSource) {
    this.source = source;
  }

  /**
   * Returns `length` bytes from `offset`, or fewer at the end of a file of unknown size. Throws `input_data` for bytes
   * beyond the end, and for headers that are too large.
   */
  async read(offset: number, length: number): Promise<Uint8Array> {
    this.#check(offset, length);
    const { size, href } = this.source;
    const known = this.#chunks.find((c) => c.offset <= offset && offset + length <= c.offset + c.bytes.length);
    if (known !== undefined) return known.bytes.subarray(offset - known.offset, offset - known.offset + length);
    const count = Math.min(Math.max(length, CHUNK), size === null ? Infinity : size - offset);
    this.#left -= count;
    if (this.#left < 0) {
      const most = `${LIMITS.headerBytes / 1024 / 1024} MB`;
      throw badFile(href, `its headers fill more than ${most}; rewrite it with \`gdal_translate -of COG\``);
    }
    const bytes = await this.source.read(offset, count);
    this.#chunks.push({ offset, bytes });
    return bytes.subarray(0, length);
  }

  #check(offset: number, length: number): void {
    const { size } = this.source;
    const isSpan = [offset, length, offset + length].every((value) => Number.isSafeInteger(value) && value >= 0);
    if (!isSpan) throw unreadableHeaders(this.source, 'they have an invalid offset');
    if (size !== null && offset + length > size)
      throw unreadableHeaders(this.source, `they refer to byte ${offset + length}`);
  }
}

/**
 * Limits of TIFF headers. A hostile header of a few bytes can contain numbers that require any amount of memory. So no
 * memory is allocated for numbers beyond these limits.
 */
export const LIMITS = {
  /** Maximum number of directories of one file. A COG has about twenty, for full resolution, masks and overviews. */
  directories: 256,
  /** Maximum number of entries of one directory; GDAL writes about twenty. */
  entries: 512,
  /** Maximum size of all directories, values and tables of one file, bytes. */
  headerBytes: 32 * 1024 * 1024,
  /**
   * Maximum size of an `.aux.xml` next to a file, bytes. GDAL and ArcGIS write some KB, or some MB with large tables of
   * classes.
   */
  sideBytes: 16 * 1024 * 1024,
  /**
   * Maximum number of tiles (or strips) of all levels. An image of 260,000 x 260,000 pixels has this number of tiles of
   * 256 x 256 pixels. A Sentinel-2 band has about 2,500.
   */
  tiles: 2 ** 20,
  /** Maximum size of one decompressed tile (or strip), bytes: that of 8192 x 4096 pixels of 16 bits. */
  tileBytes: 64 * 1024 * 1024,
} as const;

/**
 * Maximum size in the file of a tile that has `decoded` bytes when it is decompressed. The compressed tile may be
 * larger, because LZW can need 1.5 times as many bytes.
 */
export const mostStored = (decoded: number): number => 1.5 * decoded + 64 * 1024;
