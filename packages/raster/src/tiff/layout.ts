import type { PixelGrid } from '@headwater/core';
import { sampleBytes } from '../pixels/pixel-array.ts';
import type { Dtype } from '../pixels/pixel-array.ts';
import type { PixelSize } from '../pixels/pixel-window.ts';

/** Compression schemes that can be undone here. */
export type CompressionName = 'none' | 'deflate' | 'lzw' | 'packbits' | 'zstd';

/** One resolution level: full size first, then overviews. Tiles (or strips) are numbered row by row. */
export interface TiffLevel extends PixelSize {
  /** Size of one tile; strips are tiles as wide as the image. */
  readonly tile: PixelSize;
  /** False for strips: the last one then holds fewer rows. */
  readonly tiled: boolean;
  readonly compression: CompressionName;
  readonly predictor: 1 | 2 | 3;
  /** Samples of each pixel in a tile, and the one that is read: more than one where bands are stored pixel by pixel. */
  readonly step: number;
  readonly sample: number;
  /** True for masks of one bit a pixel. */
  readonly packed: boolean;
  /** Byte offset of each tile; 0 = sparse (never written), as are all tiles after the end of a table that is short. */
  readonly offsets: Float64Array;
  /** Compressed bytes of each tile; 0 = sparse. */
  readonly byteCounts: Float64Array;
}

/** Bytes of a decompressed tile: all samples that it holds. */
export function tileBytes({ tile, step, packed }: Pick<TiffLevel, 'tile' | 'step' | 'packed'>, dtype: Dtype): number {
  return packed ? Math.ceil(tile.cols / 8) * tile.rows : tile.cols * tile.rows * step * sampleBytes(dtype);
}

/** Bytes that decoding a tile takes: bits become bytes. */
export function decodedBytes(level: Pick<TiffLevel, 'tile' | 'step' | 'packed'>, dtype: Dtype): number {
  return Math.max(tileBytes(level, dtype), level.tile.cols * level.tile.rows * sampleBytes(dtype));
}

/** Values that the samples stand for: sample x `scale` + `offset` (GDAL's tags). */
export interface Scaling {
  readonly scale: number;
  readonly offset: number;
}

/** Says which pixels have data: those whose sample is not 0. */
export interface TiffMask {
  readonly kind: 'internal mask' | 'alpha band';
  readonly dtype: Dtype;
  /** One for each level of the image. */
  readonly levels: readonly TiffLevel[];
}

/** All that is needed to read pixels of a file without parsing it again; plain data that can be sent to a worker. */
export interface TiffLayout {
  readonly href: string;
  /** Bytes of the file; null where a server does not say. */
  readonly size: number | null;
  readonly grid: PixelGrid;
  readonly dtype: Dtype;
  /** A sample, before `scaling`; null where none means no data, so with an internal mask, whatever the tag says. */
  readonly nodata: number | null;
  /** Sample of tiles that were never written, where `nodata` is null. */
  readonly sparse: number;
  /** Null where samples are the values themselves. */
  readonly scaling: Scaling | null;
  /** Internal mask or alpha band; null where the nodata value alone says what has data. */
  readonly mask: TiffMask | null;
  readonly littleEndian: boolean;
  readonly levels: readonly TiffLevel[];
}
