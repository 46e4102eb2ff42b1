import type { PixelGrid } from '@headwater/core';
import type { Dtype } from '../pixels/pixel-array.ts';
import type { PixelSize } from '../pixels/pixel-window.ts';

/** Compression schemes that can be undone here. */
export type CompressionName = 'none' | 'deflate' | 'lzw' | 'zstd';

/** One resolution level: full size first, then overviews. Tiles (or strips) are numbered row by row. */
export interface TiffLevel extends PixelSize {
  /** Size of one tile; strips are tiles as wide as the image. */
  readonly tile: PixelSize;
  /** False for strips: the last one then holds fewer rows. */
  readonly tiled: boolean;
  readonly compression: CompressionName;
  readonly predictor: 1 | 2 | 3;
  /** Byte offset of each tile; 0 = sparse (never written), as are all tiles after the end of a table that is short. */
  readonly offsets: Float64Array;
  /** Compressed bytes of each tile; 0 = sparse. */
  readonly byteCounts: Float64Array;
}

/** All that is needed to read pixels of a file without parsing it again; plain data that can be sent to a worker. */
export interface TiffLayout {
  readonly href: string;
  /** Bytes of the file; null where a server does not say. */
  readonly size: number | null;
  readonly grid: PixelGrid;
  readonly dtype: Dtype;
  readonly nodata: number | null;
  readonly littleEndian: boolean;
  readonly levels: readonly TiffLevel[];
}
