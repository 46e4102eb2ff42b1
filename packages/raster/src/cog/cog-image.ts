import { DomainError } from '@headwater/core/errors';
import type { Overviews, ValueStatistics } from '@headwater/core/ports';
import type { PixelGrid, Rgba } from '@headwater/core';
import type { Dtype, PixelArray } from '../pixels/pixel-array.ts';

/** Sample types that can be written. */
export type PixelType = Dtype;

/** Pixels of a type that can be written. */
export type CogPixels = PixelArray<PixelType>;

/** Rule by which overviews are computed; `none` for a file without overviews. */
export type OverviewRule = Overviews | 'none';

/** Format of a COG: everything except its pixels. */
export interface CogFormat {
  readonly grid: PixelGrid;
  readonly nodata?: number;
  /**
   * Colour of each value, only for uint8. Values without a colour are black. Alpha is not written, because TIFF
   * palettes have no alpha.
   */
  readonly palette?: Readonly<Record<number, Rgba>>;
  /** Class name of each value, written as GDAL band metadata `CATEGORY_{value}`. */
  readonly names?: Readonly<Record<number, string>>;
  readonly description?: string;
  /** GDAL's metadata of another file as XML, written instead of names, description and statistics. */
  readonly metadata?: string;
  readonly overviews: OverviewRule;
  /** Returns the statistics for GDAL's `STATISTICS_*`. Called after all rows were read. */
  readonly statistics?: () => ValueStatistics | undefined;
  /** 1 = none (classes), 2 = horizontal differencing (continuous integers), 3 = differencing of floats. */
  readonly predictor: 1 | 2 | 3;
  /** Side of the square tiles in pixels, a multiple of 16. */
  readonly tileSize: number;
  /** Level 1-9 of full deflate; default 6. */
  readonly level?: number;
  /** Number of tiles that full deflate compresses at the same time; default 2. */
  readonly threads?: number;
  /**
   * True: tiles that contain only nodata are left out. Without a nodata value, tiles that contain only 0 are left out.
   * Default: false.
   */
  readonly sparse?: boolean;
  /** True: writes a BigTIFF. Default: only if the file would exceed 4 GiB. */
  readonly bigTiff?: boolean;
}

/** Single-band image in memory, row-major, `rows * cols` values. */
export interface CogImage extends CogFormat {
  readonly data: CogPixels;
}

/** Returns the full-resolution rows [first, first + count). Called from top to bottom, once for each row. */
export type RowSource<T extends CogPixels = CogPixels> = (first: number, count: number) => T | Promise<T>;

/** Throws `input_data`, with the problem in the message, if no COG can be written in this format. */
export function checkFormat(format: CogFormat, type: PixelType): void {
  const { grid, tileSize, palette } = format;
  const sizes = [grid.cols, grid.rows, tileSize / 16];
  if (!sizes.every((size) => Number.isInteger(size) && size > 0)) {
    throw refusal(
      `${grid.cols} x ${grid.rows} pixels in tiles of ${tileSize}: sizes must be whole and positive, tiles a multiple of 16`,
    );
  }
  if (!(grid.pixelWidth > 0 && grid.pixelHeight > 0 && Number.isFinite(grid.west) && Number.isFinite(grid.north))) {
    throw refusal('the grid needs a finite corner and positive pixel sizes');
  }
  if (palette !== undefined && type !== 'uint8')
    throw refusal('a palette needs uint8 pixels: leave it out or convert the pixels');
  if (format.predictor === 3 && type !== 'float32')
    throw refusal('predictor 3 needs float32 pixels: use predictor 2 or 1');
  if (format.predictor === 2 && type === 'float64') throw refusal('float64 pixels need predictor 1');
}

function refusal(problem: string): DomainError {
  return new DomainError('input_data', `This raster cannot be written as a COG: ${problem}.`);
}

/** Returns the pixel type of an array. */
export function pixelTypeOf(data: CogPixels): PixelType {
  if (data instanceof Uint8Array) return 'uint8';
  if (data instanceof Int8Array) return 'int8';
  if (data instanceof Uint16Array) return 'uint16';
  if (data instanceof Int16Array) return 'int16';
  if (data instanceof Uint32Array) return 'uint32';
  if (data instanceof Int32Array) return 'int32';
  return data instanceof Float32Array ? 'float32' : 'float64';
}
