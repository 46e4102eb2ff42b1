import type { PixelGrid } from '@headwater/core';
import { sampleBytes } from '../pixels/pixel-array.ts';
import type { Dtype } from '../pixels/pixel-array.ts';
import type { PixelSize } from '../pixels/pixel-window.ts';
import type { RemoteVersion } from '../remote/remote-version.ts';

/** Compression schemes that are supported. */
export type CompressionName = 'none' | 'deflate' | 'lzw' | 'packbits' | 'zstd';

/** One resolution level of a file: the full resolution or an overview. Tiles (or strips) are numbered row by row. */
export interface TiffLevel extends PixelSize {
  /** Size of one tile. A strip counts as a tile that is as wide as the image. */
  readonly tile: PixelSize;
  /** False for strips. The last strip may have fewer rows. */
  readonly tiled: boolean;
  readonly compression: CompressionName;
  /** True if the decompressed bytes of a tile are a LERC blob. */
  readonly lerc: boolean;
  readonly predictor: 1 | 2 | 3;
  /**
   * `step` is the number of samples of each pixel in a tile (more than 1 if bands are stored pixel by pixel). `sample` is the index of
   * the sample to read.
   */
  readonly step: number;
  readonly sample: number;
  /** True for masks with one bit per pixel. */
  readonly packed: boolean;
  /**
   * Byte offset of each tile. 0 means that the tile is sparse (never written). If the table is short, the tiles after
   * its end are also sparse.
   */
  readonly offsets: Float64Array;
  /** Compressed size of each tile, bytes. 0 means that the tile is sparse. */
  readonly byteCounts: Float64Array;
}

/** Size of a decompressed tile with all its samples, bytes. */
export function tileBytes({ tile, step, packed }: Pick<TiffLevel, 'tile' | 'step' | 'packed'>, dtype: Dtype): number {
  return packed ? Math.ceil(tile.cols / 8) * tile.rows : tile.cols * tile.rows * step * sampleBytes(dtype);
}

/**
 * Memory for decoding a tile, bytes. This may be more than the size of the tile, because the bits of a mask become
 * bytes.
 */
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

/** Everything needed to read pixels of a file without parsing it again; plain data that can be sent to a worker. */
export interface TiffLayout {
  readonly href: string;
  /** Size of the file, bytes; null if the server does not send the size. */
  readonly size: number | null;
  /** Version of a remote file, see `ByteSource.version`. */
  readonly version?: RemoteVersion;
  readonly grid: PixelGrid;
  readonly dtype: Dtype;
  /**
   * Nodata value, as a sample before `scaling`. Null if there is none, and for a file with an internal mask, even if this file has
   * a nodata tag.
   */
  readonly nodata: number | null;
  /** Sample for the pixels of tiles that were never written; used if `nodata` is null. */
  readonly sparse: number;
  /** Conversion of samples to values; null if the samples are the values themselves. */
  readonly scaling: Scaling | null;
  /** Internal mask or alpha band; null if only the nodata value defines which pixels have data. */
  readonly mask: TiffMask | null;
  readonly littleEndian: boolean;
  readonly levels: readonly TiffLevel[];
}
