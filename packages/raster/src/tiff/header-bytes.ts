import type { RemoteVersion } from '../remote/remote-version.ts';
import type { Span } from '../remote/runs-of.ts';
import { badFile, unreadableHeaders } from './bad-file.ts';

/** Source of ranges of bytes of a file or URL. */
export interface ByteSource {
  readonly href: string;
  /** Size of the whole file, bytes; null if unknown. */
  readonly size: number | null;
  /** Maximum number of concurrent reads: 1 for a local file, more over a network. */
  readonly concurrency: number;
  /**
   * Reads `length` bytes from `offset`, or fewer at the end. A local file returns the bytes synchronously and may use
   * the memory of `into`.
   */
  read(offset: number, length: number, into?: Uint8Array): Uint8Array | Promise<Uint8Array>;
  /** Version of a remote file with a strong ETag. */
  readonly version?: RemoteVersion;
  /** Reads several spans with few requests; absent for local files. */
  readonly readAll?: (spans: readonly Span[]) => Promise<readonly Uint8Array[]>;
  /** Reads a span from the server instead of the cache; absent without a cache. */
  readonly readAgain?: (span: Span) => Promise<Uint8Array>;
  /** Text of the `.aux.xml` next to a local file, if there is one; absent for URLs. */
  readonly sideText?: () => string | undefined;
  close(): void;
}

/** Minimum length of one read. The first directories of a COG usually fit into it. */
const CHUNK = 16 * 1024;

/** Cached header bytes of one file. The checks and the parser read the same bytes. */
export class HeaderBytes {
  readonly source: ByteSource;
  readonly #chunks: { readonly offset: number; readonly bytes: Uint8Array }[] = [];
  #left: number = LIMITS.headerBytes;

  constructor(source: ByteSource) {
    this.source = source;
  }

  /**
   * Returns `length` bytes from `offset`, or fewer at the end of a file of unknown size. Throws `input_data` for bytes
   * beyond a known end, and if the headers exceed `LIMITS.headerBytes`.
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

/** Limits of TIFF headers, because a hostile header of a few bytes can require any amount of memory. */
export const LIMITS = {
  /** Directories of one file. A COG has about twenty. */
  directories: 256,
  /** Entries of one directory; GDAL writes about twenty. */
  entries: 512,
  /** Directories, values and tables of one file, bytes. */
  headerBytes: 32 * 1024 * 1024,
  /** An `.aux.xml` next to a file, bytes. Large tables of classes have some MB. */
  sideBytes: 16 * 1024 * 1024,
  /** Tiles (or strips) of all levels. A Sentinel-2 band has about 2,500. */
  tiles: 2 ** 20,
  /** One decompressed tile (or strip), bytes: 8192 x 4096 pixels of 16 bits. */
  tileBytes: 64 * 1024 * 1024,
} as const;

/** Maximum stored size of a tile with `decoded` bytes. LZW can need 1.5 times as many bytes. */
export const mostStored = (decoded: number): number => 1.5 * decoded + 64 * 1024;
