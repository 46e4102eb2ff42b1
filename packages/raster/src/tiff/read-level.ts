import { TiffTag } from '@cogeotiff/core';
import type { TiffImage } from '@cogeotiff/core';
import type { Dtype } from '../pixels/pixel-array.ts';
import type { PixelSize } from '../pixels/pixel-window.ts';
import { badFile } from './bad-file.ts';
import { type ByteSource, LIMITS, mostStored } from './header-bytes.ts';
import { tileBytes } from './layout.ts';
import type { TiffLevel } from './layout.ts';
import type { Samples } from './read-samples.ts';
import { readCompression, readPredictor } from './read-tags.ts';

/**
 * Index of the sample to read from each pixel of an image, from 0, and storage of the samples. `packed`: one bit per
 * pixel.
 */
export interface LevelSample extends Pick<Samples, 'dtype' | 'count' | 'separate'> {
  readonly sample: number;
  readonly packed?: boolean;
}

/** Reads the levels of one file, and limits the total number of their tiles. */
export class LevelReader {
  readonly #source: ByteSource;
  #tiles = 0;

  constructor(source: ByteSource) {
    this.#source = source;
  }

  /** Reads one band of an image with its tile tables. Throws `input_data` for impossible sizes. */
  async read(
    image: TiffImage,
    { dtype, count: samples, separate, sample, packed = false }: LevelSample,
  ): Promise<TiffLevel> {
    const { href } = this.#source;
    const step = separate ? 1 : samples;
    const tiled = image.isTiled();
    const size = { cols: this.#side(image, TiffTag.ImageWidth), rows: this.#side(image, TiffTag.ImageHeight) };
    const tile = tiled ? this.#tileSize(image) : { cols: size.cols, rows: await stripRows(image, size) };
    const count = this.#count(size, tile, tileBytes({ tile, step, packed }, dtype));
    const first = separate ? sample * count : 0;
    const level = {
      ...size,
      tile,
      tiled,
      ...(await readCompression(image, href)),
      predictor: await readPredictor(image, href),
      step,
      sample: separate ? 0 : sample,
      packed,
      offsets: table(await image.fetch(tiled ? TiffTag.TileOffsets : TiffTag.StripOffsets), first, count),
      byteCounts: table(await image.fetch(tiled ? TiffTag.TileByteCounts : TiffTag.StripByteCounts), first, count),
    };
    if (packed && level.lerc)
      throw badFile(
        href,
        'its mask is compressed with LERC, which is not supported; rewrite it with `gdal_translate -of COG`',
      );
    this.#checkExtent(level, dtype);
    return level;
  }

  #tileSize(image: TiffImage): PixelSize {
    return { cols: this.#side(image, TiffTag.TileWidth), rows: this.#side(image, TiffTag.TileHeight) };
  }

  #side(
    image: TiffImage,
    tag: TiffTag.ImageWidth | TiffTag.ImageHeight | TiffTag.TileWidth | TiffTag.TileHeight,
  ): number {
    const value = image.value(tag);
    if (isCount(value)) return value;
    throw badFile(this.#source.href, `its image or its tiles have no size (${TiffTag[tag]}); it is damaged`);
  }

  #count({ cols, rows }: PixelSize, tile: PixelSize, bytes: number): number {
    const { href } = this.#source;
    if (bytes > LIMITS.tileBytes) {
      const most = `${LIMITS.tileBytes / 1024 / 1024} MB`;
      throw badFile(
        href,
        `one of its tiles (${tile.cols} x ${tile.rows} pixels) is larger than ${most}; rewrite it with \`gdal_translate -of COG\``,
      );
    }
    const count = Math.ceil(cols / tile.cols) * Math.ceil(rows / tile.rows);
    this.#tiles += count;
    if (this.#tiles <= LIMITS.tiles) return count;
    throw badFile(
      href,
      `it claims ${this.#tiles} tiles, more than ${LIMITS.tiles}; rewrite it with larger tiles (\`gdal_translate -of COG\`)`,
    );
  }

  /** Throws `input_data` for a truncated file and impossible tiles, before pixels are read. */
  #checkExtent(level: TiffLevel, dtype: Dtype): void {
    const { size, href } = this.#source;
    const { offsets, byteCounts } = level;
    const most = mostStored(tileBytes(level, dtype));
    for (let i = 0; i < Math.min(offsets.length, byteCounts.length); i++) {
      const [at, bytes] = [offsets[i]!, byteCounts[i]!];
      // A hostile table may contain fractions and infinite numbers.
      if (!Number.isSafeInteger(at) || !Number.isSafeInteger(bytes))
        throw badFile(href, `a tile has byte ${at} and ${bytes} bytes, which are not whole numbers; it is damaged`);
      if (!(at >= 0 && bytes >= 0 && bytes <= most))
        throw badFile(href, `a tile at byte ${at} claims ${bytes} bytes, more than its pixels can need; it is damaged`);
      if (size !== null && at + bytes > size)
        throw badFile(
          href,
          `it is truncated: a tile ends at byte ${at + bytes}, but the file has ${size}; download it again`,
        );
    }
  }
}

async function stripRows(image: TiffImage, { rows }: PixelSize): Promise<number> {
  const value = await image.fetch(TiffTag.RowsPerStrip);
  return isCount(value) ? Math.min(value, rows) : rows;
}

const isCount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value > 0 && value < 2 ** 31;

/** Reads up to `count` entries of a table of tiles, from `first`. Tiles without an entry are sparse (never written). */
function table(raw: ArrayLike<number> | null, first: number, count: number): Float64Array {
  const values = new Float64Array(Math.min(count, Math.max(0, (raw?.length ?? 0) - first)));
  for (let i = 0; i < values.length; i++) values[i] = Number(raw?.[first + i]);
  return values;
}
