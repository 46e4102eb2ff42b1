import type { PixelGrid } from '@headwater/core';
import { sampleBytes } from '../pixels/pixel-array.ts';
import type { Dtype } from '../pixels/pixel-array.ts';
import type { PixelSize } from '../pixels/pixel-window.ts';
import type { RemoteVersion } from '../remote/remote-version.ts';

/** Compression schemes that are supported. */
export type CompressionName = 'none' | 'deflate' | 'lzw' | 'packbits' | 'zstd';

/** Resolution level of a file. Tiles (or strips) are numbered row by row. */
export interface TiffLevel extends PixelSize {
  /** Size of one tile. A strip counts as a tile that is as wide as the image. */
  readonly tile: PixelSize;
  /** False for strips. The last strip may have fewer rows. */
  readonly tiled: boolean;
  readonly compression: CompressionName;
  /** True if the decompressed bytes of a tile are a LERC blob. */
  readonly lerc: boolean;
  readonly predictor: 1 | 2 | 3;
  /** `step`: number of samples of each pixel in a tile. `sample`: index of the sample to read. */
  readonly step: number;
  readonly sample: number;
  /** True for masks with one bit per pixel. */
  readonly packed: boolean;
  /** Byte offset of each tile. A tile with the offset 0, or beyond the table, is sparse (never written). */
  readonly offsets: Float64Array;
  /** Compressed size of each tile, bytes; 0 for a sparse tile. */
  readonly byteCounts: Float64Array;
}

/** Size of a decompressed tile with all its samples, bytes. */
export function tileBytes({ tile, step, packed }: Pick<TiffLevel, 'tile' | 'step' | 'packed'>, dtype: Dtype): number {
  return packed ? Math.ceil(tile.cols / 8) * tile.rows : tile.cols * tile.rows * step * sampleBytes(dtype);
}

/** Memory for decoding a tile, bytes. Bits of a mask become bytes. */
export function decodedBytes(level: Pick<TiffLevel, 'tile' | 'step' | 'packed'>, dtype: Dtype): number {
  return Math.max(tileBytes(level, dtype), level.tile.cols * level.tile.rows * sampleBytes(dtype));
}

/** Conversion of samples to values: sample x `scale` + `offset` (GDAL's tags). */
export interface Scaling {
  readonly scale: number;
  readonly offset: number;
}

/** Mask of an image: a pixel has data if its sample in the mask is not 0. */
export interface TiffMask {
  readonly kind: 'internal mask' | 'alpha band';
  readonly dtype: Dtype;
  /** Levels of the mask, one for each level of the image. */
  readonly levels: readonly TiffLevel[];
}

/** Description of a file, with which a worker reads pixels without parsing the headers again. */
export interface TiffLayout {
  readonly href: string;
  /** Size of the file, bytes; null if unknown. */
  readonly size: number | null;
  readonly version?: RemoteVersion;
  readonly grid: PixelGrid;
  readonly dtype: Dtype;
  /** Nodata value as a sample before `scaling`. Null without a value, and for a file with an internal mask. */
  readonly nodata: number | null;
  /** Sample for pixels in sparse tiles and outside of the image, if `nodata` is null. */
  readonly sparse: number;
  /** Conversion of samples to values; null if the samples are the values. */
  readonly scaling: Scaling | null;
  /** Internal mask or alpha band; null without either. */
  readonly mask: TiffMask | null;
  readonly littleEndian: boolean;
  readonly levels: readonly TiffLevel[];
}
