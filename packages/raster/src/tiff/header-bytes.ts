import { badFile, unreadableHeaders } from './bad-file.ts';
import { LIMITS } from './limits.ts';

/** Positioned reads of one file or URL. */
export interface ByteSource {
  readonly href: string;
  /** Bytes of the whole file; null where the server does not say. */
  readonly size: number | null;
  /** How many reads may be under way at once: 1 for a local file, more over a network. */
  readonly concurrency: number;
  /**
   * Exactly `length` bytes from `offset`, or fewer at the end of the file.
   * Local files answer at once and may reuse `into`; URLs answer with a promise.
   */
  read(offset: number, length: number, into?: Uint8Array): Uint8Array | Promise<Uint8Array>;
  /** Text of the `.aux.xml` next to a local file; undefined without one. Those of URLs are not looked for. */
  readonly sideText?: () => string | undefined;
  close(): void;
}

/** Bytes that are read at once: a COG's first directories, or one later directory with its values. */
const CHUNK = 16 * 1024;

/**
 * The headers of one file. What was read once stays and answers later reads, so that whoever checks them and whoever parses
 * them after that see the same bytes, and nothing is asked for twice over a network.
 */
export class HeaderBytes {
  readonly source: ByteSource;
  readonly #chunks: { readonly offset: number; readonly bytes: Uint8Array }[] = [];
  #left: number = LIMITS.headerBytes;

  constructor(source: ByteSource) {
    this.source = source;
  }

  /**
   * `length` bytes from `offset`; fewer only at the end of a file whose size nobody told. Throws `input_data` for bytes beyond
   * the end and for headers that are too large.
   */
  async read(offset: number, length: number): Promise<Uint8Array> {
    this.#check(offset, length);
    const { size, href } = this.source;
    const known = this.#chunks.find((c) => c.offset <= offset && offset + length <= c.offset + c.bytes.length);
    if (known !== undefined) return known.bytes.subarray(offset - known.offset, offset - known.offset + length);
    const wanted = Math.min(Math.max(length, CHUNK), size === null ? Infinity : size - offset);
    this.#left -= wanted;
    if (this.#left < 0) {
      const most = `${LIMITS.headerBytes / 1024 / 1024} MB`;
      throw badFile(href, `its headers fill more than ${most}; rewrite it with \`gdal_translate -of COG\``);
    }
    const bytes = await this.source.read(offset, wanted);
    this.#chunks.push({ offset, bytes });
    return bytes.subarray(0, length);
  }

  #check(offset: number, length: number): void {
    const { size } = this.source;
    const isSpan = [offset, length, offset + length].every((value) => Number.isSafeInteger(value) && value >= 0);
    if (!isSpan) throw unreadableHeaders(this.source, 'they point nowhere');
    if (size !== null && offset + length > size)
      throw unreadableHeaders(this.source, `they lead to byte ${offset + length}`);
  }
}
