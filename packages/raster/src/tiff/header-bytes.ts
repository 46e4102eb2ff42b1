import type { RemoteVersion } from '../remote/remote-version.ts';
import type { Span } from '../remote/runs-of.ts';
import { badFile, unreadableHeaders } from './bad-file.ts';

/** Positioned reads of one file or URL. */
export interface ByteSource {
  readonly href: string;
  /** Bytes of the whole file; null if the server does not send the size. */
  readonly size: number | null;
  /** Number of concurrent reads: 1 for a local file, more over a network. */
  readonly concurrency: number;
  /**
   * Reads exactly `length` bytes from `offset`, or fewer at the end of the file.
   * Local files return the bytes synchronously and may reuse `into`; URLs return a promise.
   */
  read(offset: number, length: number, into?: Uint8Array): Uint8Array | Promise<Uint8Array>;
  /** Absent for a local file, and without a strong ETag. */
  readonly version?: RemoteVersion;
  /** Reads several spans with few requests; absent for local files. */
  readonly readAll?: (spans: readonly Span[]) => Promise<readonly Uint8Array[]>;
  /** Reads a span from the server and removes it from the cache; absent without a cache. */
  readonly readAgain?: (span: Span) => Promise<Uint8Array>;
  /** Text of the `.aux.xml` next to a local file; undefined without such a file. Not requested for URLs. */
  readonly sideText?: () => string | undefined;
  close(): void;
}

/**
 * Minimum length of one read, bytes. This is enough for the first directories of a COG, or for one later directory with its values.
 */
const CHUNK = 16 * 1024;

/**
 * The headers of one file. Bytes are cached. So the checks and the parser read the same bytes, and no bytes are
 * requested twice over a network.
 */
export class HeaderBytes {
  readonly source: ByteSource;
  readonly #chunks: { readonly offset: number; readonly bytes: Uint8Array }[] = [];
  #left: number = LIMITS.headerBytes;

  constructor(source: ByteSource) {
    this.source = source;
  }

  /**
   * `length` bytes from `offset`; fewer only at the end of a file of unknown size. Throws `input_data` for bytes beyond
   * the end, and for headers that are too large.
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
 * Limits of TIFF headers. A hostile header of a few bytes can claim any amount of memory. So no memory is allocated for
 * a claim beyond these limits.
 */
export const LIMITS = {
  /** Maximum directories of one file. A COG has about twenty, for full resolution, masks and overviews. */
  directories: 256,
  /** Maximum entries of one directory; GDAL writes about twenty. */
  entries: 512,
  /** Maximum bytes of directories, values and tables of one file. */
  headerBytes: 32 * 1024 * 1024,
  /** Maximum bytes of an `.aux.xml` next to a file. GDAL and ArcGIS write some KB, or some MB with large tables of classes. */
  sideBytes: 16 * 1024 * 1024,
  /** Maximum tiles (or strips) of all levels: 260,000 px a side in tiles of 256. A Sentinel-2 band has about 2,500. */
  tiles: 2 ** 20,
  /** Maximum bytes of one decompressed tile (or strip): 8192 x 4096 pixels of 16 bits. */
  tileBytes: 64 * 1024 * 1024,
} as const;

/** Maximum bytes that a tile of `decoded` bytes may have in the file: LZW can need 1.5 times as many. */
export const mostStored = (decoded: number): number => 1.5 * decoded + 64 * 1024;
