import { bytesOf } from '../pixels/pixel-array.ts';
import type { CogPixels } from './cog-image.ts';

/** A strip of full raster rows, `rows * cols` values, `rows` <= the tile's side. */
export interface Strip {
  readonly data: CogPixels;
  readonly cols: number;
  readonly rows: number;
}

/** Copies tile number `index` of a strip into `tile` (side x side values, filled with `padding` beyond the raster). */
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

/** TIFF predictor 2 in place: each value less its left neighbour, modulo its width; floats by their bit pattern, as libtiff. */
export function differenceRows(tile: CogPixels, side: number): void {
  const values = tile instanceof Float32Array ? new Uint32Array(tile.buffer, tile.byteOffset, tile.length) : tile;
  for (let row = 0; row < values.length; row += side) {
    for (let at = row + side - 1; at > row; at -= 1) values[at] = values[at]! - values[at - 1]!;
  }
}

/**
 * TIFF predictor 3 in place (Adobe Photoshop TIFF Technical Note 3): the bytes of a row parted into planes, the most significant
 * first, then each less the one before it. `undoFloating` undoes it.
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
