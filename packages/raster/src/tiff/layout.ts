import type { PixelGrid } from '@headwater/core';
import { sampleBytes } from '../pixels/pixel-array.ts';
import type { Dtype } from '../pixels/pixel-array.ts';
import type { PixelSize } from '../pixels/pixel-window.ts';
import type { RemoteVersion } from '../remote/remote-version.ts';

/** Compression schemes that are supported. */
export type CompressionName = 'none' | 'deflate' | 'lzw' | 'packbits' | 'zstd';

/** One resolution level: full size first, then overviews. Tiles (or strips) are numbered row by row. */
export interface TiffLevel extends PixelSize {
  /** Size of one tile; strips are tiles as wide as the image. */
  readonly tile: PixelSize;
  /** False for strips. The last strip may have fewer rows. */
  readonly tiled: boolean;
  readonly compression: CompressionName;
  /** True if the decompressed bytes of a tile are a LERC blob. */
  readonly lerc: boolean;
  readonly predictor: 1 | 2 | 3;
  /** Number of samples of each pixel in a tile (more than 1 if bands are stored pixel by pixel), and the index of the sample to read. */
  readonly step: number;
  readonly sample: number;
  /** True for masks of one bit a pixel. */
  readonly packed: boolean;
  /** Byte offset of each tile; 0 = sparse (never written). Tiles after the end of a short table are also sparse. */
  readonly offsets: Float64Array;
  /** Compressed bytes of each tile; 0 = sparse. */
  readonly byteCounts: Float64Array;
}

/** Bytes of a decompressed tile with all of its samples. */
export function tileBytes({ tile, step, packed }: Pick<TiffLevel, 'tile' | 'step' | 'packed'>, dtype: Dtype): number {
  return packed ? Math.ceil(tile.cols / 8) * tile.rows : tile.cols * tile.rows * step * sampleBytes(dtype);
}

/** Bytes of memory for decoding a tile: bits become bytes. */
export function decodedBytes(level: Pick<TiffLevel, 'tile' | 'step' | 'packed'>, dtype: Dtype): number {
  return Math.max(tileBytes(level, dtype), level.tile.cols * level.tile.rows * sampleBytes(dtype));
}

/** Conversion of samples to values: sample x `scale` + `offset` (GDAL's tags). */
export interface Scaling {
  readonly scale: number;
  readonly offset: number;
}

/** Mask of an image: pixels have data if their sample is not 0. */
export interface TiffMask {
  readonly kind: 'internal mask' | 'alpha band';
  readonly dtype: Dtype;
  /** Levels of the mask, one for each level of the image. */
  readonly levels: readonly TiffLevel[];
}

/** Everything needed to read pixels of a file without parsing it again; plain data that can be sent to a worker. */
export interface TiffLayout {
  readonly href: string;
  /** Bytes of the file; null if the server does not send the size. */
  readonly size: number | null;
  /** Version of a remote file, see `ByteSource.version`. */
  readonly version?: RemoteVersion;
  readonly grid: PixelGrid;
  readonly dtype: Dtype;
  /** Nodata sample, before `scaling`; null if there is none, and for a file with an internal mask, even if it has a nodata tag. */
  readonly nodata: number | null;
  /** Sample of tiles that were never written, if `nodata` is null. */
  readonly sparse: number;
  /** Conversion of samples to values; null if samples are the values themselves. */
  readonly scaling: Scaling | null;
  /** Internal mask or alpha band; null if only the nodata value defines which pixels have data. */
  readonly mask: TiffMask | null;
  readonly littleEndian: boolean;
  readonly levels: readonly TiffLevel[];
}
