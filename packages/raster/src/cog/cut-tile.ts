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

/** The bytes of an array as they go into the file (hosts that Node runs on are little-endian). */
export function bytesOf(data: CogPixels): Uint8Array {
  return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
}
