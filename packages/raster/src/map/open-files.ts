import { stat } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import type { Within } from '@headwater/net/files';
import { DomainError } from '@headwater/core/errors';
import type { RemoteRaster } from '@headwater/core/ports';
import { createPixels, sampleBytes, type PixelArray } from '../pixels/pixel-array.ts';
import { checkPlain } from '../tiff/bad-file.ts';
import type { TiffLayout } from '../tiff/layout.ts';
import { openFileSource } from '../tiff/open-raster.ts';
import { LIMITS, type ByteSource } from '../tiff/header-bytes.ts';
import { OpenRaster, type RasterFile } from '../tiff/raster-file.ts';
import { type FileTags, readLayout, readTags } from '../tiff/read-layout.ts';
import { TileDecoder } from '../tiff/tile-decoder.ts';

/** Limits of the cached files and tiles, and of one read. */
export interface ReadLimits {
  readonly files: number;
  /** Maximum memory of all cached decoded tiles, bytes. */
  readonly tileBytes: number;
  /** Maximum number of decoded pixels for one map or part of a raster. */
  readonly readPixels: number;
}

type Place = string | RemoteRaster;

/** File whose headers were read. If the file at its path is replaced, the new file is another `KnownFile`. */
export interface KnownFile {
  readonly at: Place;
  /** Identity of the file's bytes, which changes if the file is replaced. */
  readonly identity: string;
  readonly layout: TiffLayout;
  readonly tags: FileTags;
}

/** LRU cache that calls `release` for each removed value. */
class Recent<T> {
  readonly #entries = new Map<string, { readonly value: T; readonly size: number }>();
  readonly #most: number;
  readonly #release: (value: T) => void;
  #size = 0;

  constructor(most: number, release: (value: T) => void = () => {}) {
    this.#most = most;
    this.#release = release;
  }

  get(key: string): T | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.value;
  }

  /** Removes the least recently used values above the limit, but never the new value. */
  set(key: string, value: T, size: number): void {
    this.delete(key);
    this.#entries.set(key, { value, size });
    this.#size += size;
    for (const old of this.#entries.keys()) {
      if (this.#size <= this.#most || this.#entries.size === 1) return;
      this.delete(old);
    }
  }

  delete(key: string): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    this.#entries.delete(key);
    this.#size -= entry.size;
    this.#release(entry.value);
  }

  keys(): readonly string[] {
    return [...this.#entries.keys()];
  }

  clear(): void {
    for (const key of this.#entries.keys()) this.delete(key);
  }
}

/**
 * Opens files and decodes their tiles, and caches a limited number of both. Simultaneous requests for a tile share one
 * read.
 */
export class OpenFiles {
  readonly limits: ReadLimits;
  readonly #within: Within;
  readonly #known: Recent<KnownFile>;
  readonly #open: Recent<RasterFile>;
  readonly #tiles: Recent<Promise<PixelArray>>;
  readonly #decoder = new TileDecoder();
  /** End of the last read. The next read waits for it, because one decoder serves all files. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(limits: ReadLimits, within: Within) {
    const { files, tileBytes } = limits;
    this.limits = limits;
    this.#within = within;
    this.#known = new Recent(HEADER_BYTES);
    this.#open = new Recent(files, (file) => file.close());
    this.#tiles = new Recent(tileBytes);
  }

  /** Reads the headers of a file, or returns the cached headers. Throws `input_data` for a file that cannot be read. */
  async know(at: Place): Promise<KnownFile> {
    const identity = await identityOf(at);
    const cached = this.#known.get(identity);
    if (cached !== undefined) return cached;
    const source = this.#sourceOf(at);
    try {
      const layout = await readLayout(source, 1);
      checkPlain({ ...layout, scaling: null }, 'maps');
      const known: KnownFile = { at, identity, layout, tags: await readTags(source) };
      this.#known.set(identity, known, headerBytes(layout));
      return known;
    } finally {
      source.close();
    }
  }

  /** Samples of a tile, row-major. A tile at the right or lower edge has only the samples inside of the image. */
  async tile(file: KnownFile, level: number, index: number): Promise<PixelArray> {
    const key = `${file.identity}|${level}|${index}`;
    const cached = this.#tiles.get(key);
    if (cached !== undefined) return cached;
    const { cols, rows, tile } = file.layout.levels[level]!;
    const across = Math.ceil(cols / tile.cols);
    const [col, row] = [(index % across) * tile.cols, Math.floor(index / across) * tile.rows];
    const window = { col, row, cols: Math.min(tile.cols, cols - col), rows: Math.min(tile.rows, rows - row) };
    const pixels = this.#fetched(file, level, index).then(() =>
      this.#inTurn(async () => {
        const out = createPixels(file.layout.dtype, window.cols * window.rows);
        const open = await this.#opened(file);
        await open.readWindow(window, out, level);
        return out;
      }),
    );
    this.#tiles.set(key, pixels, window.cols * window.rows * sampleBytes(file.layout.dtype));
    pixels.catch(() => this.#tiles.delete(key));
    return pixels;
  }

  async close(): Promise<void> {
    await this.#inTurn(async () => {
      this.#tiles.clear();
      this.#open.clear();
      this.#known.clear();
    });
  }

  async #opened(file: KnownFile): Promise<RasterFile> {
    const open = this.#open.get(file.identity);
    if (open !== undefined) return open;
    const source = this.#sourceOf(file.at);
    if ((await identityOf(file.at)) !== file.identity) {
      source.close();
      throw new DomainError('unavailable', 'the raster was replaced while it was read; send the request again');
    }
    const raster = new OpenRaster(file.layout, source, this.#decoder);
    await this.#forgetRemoved();
    this.#open.set(file.identity, raster, 1);
    return raster;
  }

  #sourceOf(at: Place): ByteSource {
    return typeof at === 'string' ? openFileSource(at, this.#within) : remoteSource(at);
  }

  /** Loads a remote tile into its store's cache, before the decoder's queue reads it. So no server delays the queue. */
  async #fetched({ at, layout }: KnownFile, level: number, index: number): Promise<void> {
    const { offsets, byteCounts } = layout.levels[level]!;
    const length = byteCounts[index] ?? 0;
    if (typeof at !== 'string' && length > 0) await remoteSource(at).read(offsets[index] ?? 0, length);
  }

  /** Closes removed and replaced files. The system frees the disk space of a removed file only after it is closed. */
  async #forgetRemoved(): Promise<void> {
    for (const identity of this.#open.keys()) {
      // Remote files use no space on this disk.
      if (identity.startsWith(REMOTE)) continue;
      const path = identity.split('|').slice(0, -3).join('|');
      if ((await identityOf(path)) === identity) continue;
      this.#open.delete(identity);
      this.#known.delete(identity);
      for (const key of this.#tiles.keys()) if (key.startsWith(`${identity}|`)) this.#tiles.delete(key);
    }
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(async () => {
      // Reads and decoding are synchronous, so other requests can run only here.
      await setImmediate();
      return await work();
    });
    this.#last = result.catch(() => {});
    return result;
  }
}

const HEADER_BYTES = 32 * 2 ** 20;

/** Memory of the headers of a file, bytes: mostly the tables of tile offsets and sizes. */
const headerBytes = ({ levels }: TiffLayout): number =>
  levels.reduce((sum, { offsets, byteCounts }) => sum + offsets.byteLength + byteCounts.byteLength, 4096);

const REMOTE = 'remote|';

function remoteSource({ name, file }: RemoteRaster): ByteSource {
  return {
    href: name,
    size: file.bytes,
    concurrency: 1,
    async read(offset, length) {
      if (length > LIMITS.headerBytes * 2)
        throw new DomainError(
          'input_data',
          `${name}: a part of ${length} bytes is too large to be read at once; write the file as a COG with tiles of 256 or 512 pixels`,
        );
      const bytes = new Uint8Array(Math.max(0, Math.min(length, file.bytes - offset)));
      if (bytes.length === 0) return bytes;
      let at = 0;
      for await (const piece of file.stream(offset, offset + bytes.length - 1)) {
        bytes.set(piece, at);
        at += piece.length;
      }
      return bytes.subarray(0, at);
    },
    close() {},
  };
}

async function identityOf(at: Place): Promise<string> {
  if (typeof at !== 'string') return `${REMOTE}${at.name}|${at.file.etag}`;
  const path = at;
  try {
    const { ino, size, mtimeMs } = await stat(path);
    return `${path}|${ino}|${size}|${mtimeMs}`;
  } catch {
    // The error is ignored, because opening the file throws an error with the reason.
    return `${path}|missing`;
  }
}
