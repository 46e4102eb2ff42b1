import { bytesOf, createPixels } from '../pixels/pixel-array.ts';
import type { CogFormat, CogPixels, PixelType } from './cog-image.ts';
import type { Halve } from './halve.ts';
import type { EncodedLevel } from './layout.ts';
import type { Level } from './levels.ts';
import type { TileDeflater } from './tile-deflater.ts';

/** Strip: some whole rows of a raster (`rows * cols` values), at most as many rows as a tile. */
export interface Strip {
  readonly data: CogPixels;
  readonly cols: number;
  readonly rows: number;
}

/**
 * Copies tile number `index` of a strip into `tile` (side x side values); fills with `padding` outside of the raster.
 */
export function cutTile(
  strip: Strip,
  index: number,
  { tile, side, padding }: { tile: CogPixels; side: number; padding: number },
): void {
  const left = index * side;
  const width = Math.min(side, strip.cols - left);
  if (width < side || strip.rows < side) tile.fill(padding);
  for (let row = 0; row < strip.rows; row += 1) {
    const from = row * strip.cols + left;
    tile.set(strip.data.subarray(from, from + width), row * side);
  }
}

/**
 * Applies TIFF predictor 2 in place: subtracts the left neighbour, modulo the range of the type. Uses the bits of
 * floats, as libtiff does.
 */
export function differenceRows(tile: CogPixels, side: number): void {
  const values = tile instanceof Float32Array ? new Uint32Array(tile.buffer, tile.byteOffset, tile.length) : tile;
  for (let row = 0; row < values.length; row += side) {
    for (let at = row + side - 1; at > row; at -= 1) values[at] = values[at]! - values[at - 1]!;
  }
}

/**
 * Applies TIFF predictor 3 in place (Adobe Photoshop TIFF Technical Note 3), the inverse of `undoFloating`: differences
 * of byte planes, most significant first.
 */
export function differenceFloats(tile: Float32Array, side: number): void {
  const bytes = bytesOf(tile);
  const width = 4 * side;
  const planes = new Uint8Array(width);
  for (let row = 0; row < bytes.length; row += width) {
    for (let i = 0; i < side; i += 1) {
      const at = row + 4 * i;
      planes[i] = bytes[at + 3]!;
      planes[side + i] = bytes[at + 2]!;
      planes[2 * side + i] = bytes[at + 1]!;
      planes[3 * side + i] = bytes[at]!;
    }
    bytes[row] = planes[0]!;
    for (let i = 1; i < width; i += 1) bytes[row + i] = planes[i]! - planes[i - 1]!;
  }
}

/** Context shared by all levels of one image. */
export interface BuildContext {
  readonly format: CogFormat;
  readonly type: PixelType;
  readonly deflater: TileDeflater;
  readonly halve: Halve;
  /** Pixel arrays of compressed tiles. They are reused, because new arrays took a sixth of the time. */
  readonly free: CogPixels[];
}

/**
 * Builds one level of a COG: cuts strips into tiles, and passes each strip to the next smaller level, which halves it.
 * Keeps only one uncompressed strip in memory, and all compressed tiles.
 */
export class LevelBuilder implements EncodedLevel {
  readonly tiles: Uint8Array[] = [];
  readonly level: Level;
  readonly #context: BuildContext;
  readonly #next: LevelBuilder | undefined;
  readonly #strip: CogPixels;
  /** Bytes of an empty tile, which is not written; null if all tiles are written. */
  readonly #blank: Uint8Array | null;
  #filled = 0;

  constructor(level: Level, next: LevelBuilder | undefined, context: BuildContext) {
    this.level = level;
    this.#next = next;
    this.#context = context;
    // An overview collects rows here until its strip is complete.
    this.#strip = createPixels(context.type, context.format.tileSize * level.cols);
    const { sparse = false, tileSize, nodata = 0 } = context.format;
    this.#blank = sparse ? bytesOf(createPixels(context.type, tileSize ** 2).fill(nodata)) : null;
  }

  /** Adds the next `tileSize` rows, or fewer at the end of the raster. The caller may reuse `data` afterwards. */
  async add(data: CogPixels, rows: number): Promise<void> {
    const { format, type, deflater, free } = this.#context;
    const strip: Strip = { data, cols: this.level.cols, rows };
    for (let index = 0; index < this.level.tilesAcross; index += 1) {
      const tile = free.pop() ?? createPixels(type, format.tileSize ** 2);
      cutTile(strip, index, { tile, side: format.tileSize, padding: format.nodata ?? 0 });
      const at = this.tiles.length;
      this.tiles.push(EMPTY);
      if (this.#blank !== null && Buffer.compare(bytesOf(tile), this.#blank) === 0) {
        free.push(tile);
        continue;
      }
      if (format.predictor === 2) differenceRows(tile, format.tileSize);
      else if (format.predictor === 3 && tile instanceof Float32Array) differenceFloats(tile, format.tileSize);
      await deflater.add(bytesOf(tile), { into: this.tiles, index: at, free: () => void free.push(tile) });
    }
    await this.#next?.halve(strip);
  }

  /** Halves rows of the next finer level, and adds each complete strip. */
  async halve({ data, cols, rows }: Strip): Promise<void> {
    const { format, halve } = this.#context;
    for (let row = 0; row < rows; row += 2) {
      const top = data.subarray(row * cols, (row + 1) * cols);
      const bottom = row + 1 < rows ? data.subarray((row + 1) * cols, (row + 2) * cols) : top;
      const at = this.#filled * this.level.cols;
      halve({ top, bottom }, this.#strip.subarray(at, at + this.level.cols), format.nodata);
      this.#filled += 1;
    }
    if (this.#filled === format.tileSize) await this.#flush();
  }

  /** Writes the last, incomplete strips of this level and all smaller levels. */
  async finish(): Promise<void> {
    if (this.#filled > 0) await this.#flush();
    await this.#next?.finish();
  }

  async #flush(): Promise<void> {
    const rows = this.#filled;
    this.#filled = 0;
    await this.add(this.#strip.subarray(0, rows * this.level.cols), rows);
  }
}

const EMPTY = new Uint8Array(0);
