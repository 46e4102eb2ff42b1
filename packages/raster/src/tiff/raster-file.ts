import type { PixelGrid } from '@headwater/core';
import { messageOf } from '@headwater/core/errors';
import { nodataRange } from '../pixels/nodata.ts';
import { createPixels, type Dtype, type PixelArray, sampleBytes, viewPixels } from '../pixels/pixel-array.ts';
import { covers, overlap, type PixelSize, type PixelWindow } from '../pixels/pixel-window.ts';
import { badFile } from './bad-file.ts';
import { runsOf, type Span, type SpanRun } from '../remote/runs-of.ts';
import type { ByteSource } from './header-bytes.ts';
import { decodedBytes, type TiffLayout, type TiffLevel } from './layout.ts';
import { loadLerc } from './lerc.ts';
import { isPartlyReadable, type UnfinishedTiles } from './unfinished-tiles.ts';
import type { TileDecoder } from './tile-decoder.ts';
import { insideOf, type TilePart, tilesOf } from './tiles-of.ts';

function isSparse(level: TiffLevel, part: TilePart): boolean {
  const { offsets, byteCounts } = level;
  return part.index >= Math.min(offsets.length, byteCounts.length) || !offsets[part.index] || !byteCounts[part.index];
}

/** A compressed tile, valid until the next tile is read. */
interface FetchedTile {
  readonly part: TilePart;
  /** Compressed bytes. The last bytes are missing if the file is truncated. */
  readonly bytes: Uint8Array;
}

/** Reads tiles in their order; over a network, several at the same time. */
async function* fetchTiles(
  source: ByteSource,
  level: TiffLevel,
  { parts, decoder }: { readonly parts: readonly TilePart[]; readonly decoder: TileDecoder },
): AsyncGenerator<FetchedTile> {
  const { readAll } = source;
  if (readAll !== undefined) {
    yield* fetchRuns(runsOfTiles(level, parts), { readAll, most: source.concurrency });
    return;
  }
  for (const part of parts) {
    const length = level.byteCounts[part.index]!;
    yield { part, bytes: await source.read(level.offsets[part.index]!, length, decoder.io(length)) };
  }
}

/** Groups tiles by requests: each run contains the tiles that one request reads. */
export const runsOfTiles = (level: TiffLevel, parts: readonly TilePart[]): readonly SpanRun<TileSpan>[] =>
  runsOf(parts.map((part) => ({ part, offset: level.offsets[part.index]!, length: level.byteCounts[part.index]! })));

interface TileSpan extends Span {
  readonly part: TilePart;
}

/** Reads a limited number of runs at the same time. */
async function* fetchRuns(
  runs: readonly SpanRun<TileSpan>[],
  { readAll, most }: { readonly readAll: NonNullable<ByteSource['readAll']>; readonly most: number },
): AsyncGenerator<FetchedTile> {
  const waiting = runs.values();
  const ahead: { readonly run: SpanRun<TileSpan>; readonly reply: ReturnType<typeof readAll> }[] = [];
  const fill = (): void => {
    while (ahead.length < most) {
      const next = waiting.next();
      if (next.done === true) return;
      const reply = readAll(next.value.spans);
      // Without this handler, Node would report an unhandled rejection before the tiles are read.
      reply.catch(() => {});
      ahead.push({ run: next.value, reply });
    }
  };
  fill();
  for (let first = ahead.shift(); first !== undefined; first = ahead.shift()) {
    const tiles = await first.reply;
    for (const [index, { part }] of first.run.spans.entries()) yield { part, bytes: tiles[index]! };
    fill();
  }
}

/** One band of an open GeoTIFF (COG). Only one read at a time is possible. */
export interface RasterFile {
  readonly href: string;
  readonly grid: PixelGrid;
  readonly dtype: Dtype;
  readonly nodata: number | null;
  readonly tile: PixelSize;
  /** Full resolution first, then the overviews. */
  readonly levels: readonly TiffLevel[];
  readonly layout: TiffLayout;
  /**
   * Reads the stored samples of a window of a level into `out` (row-major), converted to its type; returns the number
   * of decoded pixels. Pixels beyond the image and in sparse tiles get the nodata value; if there is none,
   * `TiffLayout.sparse`. Throws `input_data` with file and byte offset for a truncated or damaged tile.
   */
  readWindow(window: PixelWindow, out: PixelArray, level?: number): Promise<number>;
  /**
   * Reads the values of a window of a level: samples with the file's scale and offset. Pixels without data, outside of
   * the image, or with a float that is not finite become NaN.
   */
  readValues(window: PixelWindow, out: Float32Array | Float64Array, level?: number): Promise<void>;
  /**
   * Reads a window of the full resolution into the kernels' memory, in the file's sample type.
   */
  readWindowAt(window: PixelWindow, address: number, options?: ReadOptions): Promise<number>;
  close(): void;
}

/** Options of `readWindowAt`. */
export interface ReadOptions {
  /** Window in pixels of the file. Tiles that do not overlap it are not read, and their pixels are undefined. */
  readonly used?: PixelWindow;
  /** Keeps tiles of which only the upper rows were read, for a later read of the rows below. */
  readonly unfinished?: UnfinishedTiles;
}

type Target = { readonly array: PixelArray } | ({ readonly address: number } & ReadOptions);

/** Level of a tile, target of its pixels, and number of pixels in a row of the target. */
interface Placing {
  readonly level: TiffLevel;
  readonly target: Target;
  readonly stride: number;
}

/** A file with its layout and the source of its bytes. */
export class OpenRaster implements RasterFile {
  readonly layout: TiffLayout;
  readonly #source: ByteSource;
  readonly #decoder: TileDecoder;
  /** Mask as a raster whose samples are 0 for pixels without data; null without a mask. */
  readonly #mask: OpenRaster | null;

  constructor(layout: TiffLayout, source: ByteSource, decoder: TileDecoder) {
    this.layout = layout;
    this.#source = source;
    this.#decoder = decoder;
    const { mask } = layout;
    this.#mask = mask === null ? null : new OpenRaster({ ...layout, ...mask, nodata: 0, mask: null }, source, decoder);
  }

  get href(): string {
    return this.layout.href;
  }
  get grid(): PixelGrid {
    return this.layout.grid;
  }
  get dtype(): Dtype {
    return this.layout.dtype;
  }
  get nodata(): number | null {
    return this.layout.nodata;
  }
  get tile(): PixelSize {
    return this.#level(0).tile;
  }
  get levels(): readonly TiffLevel[] {
    return this.layout.levels;
  }

  readWindow(window: PixelWindow, out: PixelArray, level = 0): Promise<number> {
    if (out.length < window.cols * window.rows)
      throw new RangeError(`out has ${out.length} pixels, but the window has ${window.cols * window.rows}`);
    return this.#read(window, { array: out }, level);
  }

  async readValues(window: PixelWindow, out: Float32Array | Float64Array, level = 0): Promise<void> {
    const pixels = window.cols * window.rows;
    const samples = holdsAll(out, this.dtype) ? out : createPixels(this.dtype, pixels);
    await this.readWindow(window, samples, level);
    const { scaling } = this.layout;
    const { least, most } = nodataRange(this.nodata, this.dtype);
    for (let i = 0; i < pixels; i++) {
      const sample = samples[i]!;
      if ((sample >= least && sample <= most) || !Number.isFinite(sample)) out[i] = Number.NaN;
      else out[i] = scaling === null ? sample : sample * scaling.scale + scaling.offset;
    }
    await this.#blankMasked(window, out, level);
    blankOutside(this.#level(level), window, out);
  }

  /** Sets values to NaN where the mask is 0. The mask is 0 outside of the image. */
  async #blankMasked(window: PixelWindow, out: Float32Array | Float64Array, level: number): Promise<void> {
    if (this.#mask === null) return;
    const valid = createPixels(this.#mask.dtype, window.cols * window.rows);
    await this.#mask.readWindow(window, valid, level);
    for (let i = 0; i < valid.length; i++) if (valid[i] === 0) out[i] = Number.NaN;
  }

  readWindowAt(window: PixelWindow, address: number, options: ReadOptions = {}): Promise<number> {
    return this.#read(window, { address, ...options }, 0);
  }

  close(): void {
    this.#source.close();
  }

  #level(index: number): TiffLevel {
    const level = this.layout.levels[index];
    if (level === undefined) throw new RangeError(`${this.href} has no overview level ${index}`);
    return level;
  }

  async #read(window: PixelWindow, target: Target, index: number): Promise<number> {
    const level = this.#level(index);
    if (level.lerc) await loadLerc();
    this.#decoder.reserve(decodedBytes(level, this.dtype));
    const parts = tilesOf(level, window).filter((part) => isUsed(part, window, target));
    if (!covers(level, window) || parts.some((part) => isSparse(level, part))) this.#blank(window, target);
    const to = { level, target, stride: window.cols };
    let decoded = 0;
    const stored: TilePart[] = [];
    for (const part of parts) {
      if (isSparse(level, part)) continue;
      const rows = this.#continue(part, to);
      if (rows === null) stored.push(part);
      else decoded += level.tile.cols * rows;
    }
    for await (const { part, bytes } of fetchTiles(this.#source, level, { parts: stored, decoder: this.#decoder })) {
      await this.#placeFetched(bytes, part, to);
      decoded += level.tile.cols * part.tileRows;
    }
    return decoded;
  }

  /**
   * Decodes only the rows of a part, and the rows above it that no earlier read decoded. Returns the number of these
   * rows; null if the whole tile must be decoded.
   */
  #continue(part: TilePart, { level, target, stride }: Placing): number | null {
    const source = this.#source;
    if (!('address' in target) || target.unfinished === undefined || source.readAll !== undefined) return null;
    if (part.rows === part.tileRows || !isPartlyReadable(this.layout)) return null;
    const [offset, length] = [level.offsets[part.index]!, level.byteCounts[part.index]!];
    const size = sampleBytes(this.dtype);
    const rowBytes = level.tile.cols * size;
    const tile = target.unfinished.take(part.index, part.row * rowBytes);
    const end = part.row + part.rows;
    const isLast = end >= insideOf(level, part.index).rows;
    const format = { level, dtype: this.dtype, littleEndian: this.layout.littleEndian, rows: part.tileRows };
    const next = this.#decoder.continueTo(tile, format, {
      part,
      isLast,
      address: target.address + (part.outRow * stride + part.outCol) * size,
      stride: stride * size,
      source: {
        length,
        read: (position, count) => {
          const bytes = source.read(offset + position, count, this.#decoder.io(count));
          return bytes instanceof Uint8Array ? bytes : null;
        },
      },
    });
    if (next === null) return null;
    if (!isLast) target.unfinished.put(part.index, next);
    return Math.max(0, (isLast ? part.tileRows : end) - Math.floor(tile.done / rowBytes));
  }

  /** Decodes a tile. If the cached bytes cannot be decoded, reads the tile again from the server. */
  async #placeFetched(bytes: Uint8Array, part: TilePart, to: Placing): Promise<void> {
    const { readAgain } = this.#source;
    try {
      this.#place(bytes, part, to);
    } catch (error) {
      if (readAgain === undefined) throw error;
      const span = { offset: to.level.offsets[part.index]!, length: to.level.byteCounts[part.index]! };
      this.#place(await readAgain(span), part, to);
    }
  }

  #place(bytes: Uint8Array, part: TilePart, to: Placing): void {
    const { level, target } = to;
    const [offset, length] = [level.offsets[part.index]!, level.byteCounts[part.index]!];
    if (bytes.byteLength < length) {
      throw badFile(
        this.href,
        `it is truncated: the tile at byte ${offset} has ${bytes.byteLength} of ${length} bytes; download it again`,
      );
    }
    const format = { level, dtype: this.dtype, littleEndian: this.layout.littleEndian, rows: part.tileRows };
    const into = part.outRow * to.stride + part.outCol;
    const size = sampleBytes(this.dtype);
    try {
      if ('address' in target)
        this.#decoder.decodeTo(bytes, format, {
          part,
          address: target.address + into * size,
          stride: to.stride * size,
        });
      else
        this.#copy(this.#decoder.decode(bytes, format), part, {
          array: target.array,
          into,
          stride: to.stride,
          tileCols: level.tile.cols,
        });
    } catch (cause) {
      const why = messageOf(cause);
      throw badFile(this.href, `the tile at byte ${offset} is damaged (${why}); download the file again`, cause);
    }
  }

  #copy(
    address: number,
    part: TilePart,
    to: { array: PixelArray; into: number; stride: number; tileCols: number },
  ): void {
    const buffer = this.#decoder.kernels.buffer();
    const tile = viewPixels(this.dtype, { buffer, byteOffset: address }, to.tileCols * part.tileRows);
    for (let row = 0; row < part.rows; row++) {
      const at = (part.row + row) * to.tileCols + part.col;
      to.array.set(tile.subarray(at, at + part.cols), to.into + row * to.stride);
    }
  }

  #blank(window: PixelWindow, target: Target): void {
    const pixels = window.cols * window.rows;
    const array =
      'array' in target
        ? target.array
        : viewPixels(this.dtype, { buffer: this.#decoder.kernels.buffer(), byteOffset: target.address }, pixels);
    array.fill(this.nodata ?? this.layout.sparse, 0, pixels);
  }
}

function holdsAll(array: Float32Array | Float64Array, dtype: Dtype): boolean {
  return array instanceof Float64Array || dtype === 'float32' || sampleBytes(dtype) <= 2;
}

function blankOutside(level: TiffLevel, window: PixelWindow, out: Float32Array | Float64Array): void {
  if (covers(level, window)) return;
  for (let row = 0; row < window.rows; row++) {
    const line = out.subarray(row * window.cols, (row + 1) * window.cols);
    const isIn = window.row + row >= 0 && window.row + row < level.rows;
    if (!isIn) line.fill(Number.NaN);
    else line.fill(Number.NaN, 0, Math.max(0, -window.col)).fill(Number.NaN, Math.max(0, level.cols - window.col));
  }
}

function isUsed(part: TilePart, { col, row }: PixelWindow, target: Target): boolean {
  if (!('used' in target) || target.used === undefined) return true;
  return overlap({ ...part, col: col + part.outCol, row: row + part.outRow }, target.used);
}
