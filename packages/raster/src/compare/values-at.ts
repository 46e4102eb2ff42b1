import type { PixelWindow } from '../pixels/pixel-window.ts';
import type { RasterFile } from '../tiff/raster-file.ts';

/** Columns and rows of pixels, in two arrays of one length. Pixels may be outside of the raster. */
export interface PixelPlaces {
  readonly cols: Int32Array;
  readonly rows: Int32Array;
}

/** Progress callback with the done share of the work, 0-1. */
export type OnShare = (share: number) => void;

/**
 * Reads the values of a raster at pixels in any order; NaN for nodata and outside of the raster. Throws `input_data`
 * for a file that cannot be read.
 */
export async function valuesAtPixels(
  file: RasterFile,
  { cols, rows }: PixelPlaces,
  onShare: OnShare = () => {},
): Promise<Float64Array> {
  const values = new Float64Array(cols.length).fill(Number.NaN);
  const order = byTile(file, { cols, rows });
  for (let at = 0; at < order.length;) {
    const window = tileWindow(file, cols[order[at]!]!, rows[order[at]!]!);
    const pixels = new Float64Array(window.rows * window.cols);
    await file.readValues(window, pixels);
    for (; at < order.length && holds(window, cols[order[at]!]!, rows[order[at]!]!); at += 1) {
      const i = order[at]!;
      values[i] = pixels[(rows[i]! - window.row) * window.cols + cols[i]! - window.col]!;
    }
    onShare(at / order.length);
  }
  return values;
}

/** Returns the indices of the pixels inside of the raster, grouped by tile. */
function byTile({ grid, tile }: RasterFile, { cols, rows }: PixelPlaces): Uint32Array {
  const across = Math.ceil(grid.cols / tile.cols);
  const keys = new Float64Array(cols.length);
  let count = 0;
  for (let i = 0; i < cols.length; i += 1) {
    const [col, row] = [cols[i]!, rows[i]!];
    if (col < 0 || row < 0 || col >= grid.cols || row >= grid.rows) continue;
    const index = Math.floor(row / tile.rows) * across + Math.floor(col / tile.cols);
    keys[count] = index * cols.length + i;
    count += 1;
  }
  return Uint32Array.from(keys.subarray(0, count).sort(), (key) => key % cols.length);
}

function tileWindow({ grid, tile }: RasterFile, col: number, row: number): PixelWindow {
  const [left, top] = [col - (col % tile.cols), row - (row % tile.rows)];
  return {
    col: left,
    row: top,
    cols: Math.min(tile.cols, grid.cols - left),
    rows: Math.min(tile.rows, grid.rows - top),
  };
}

function holds(window: PixelWindow, col: number, row: number): boolean {
  return col >= window.col && row >= window.row && col < window.col + window.cols && row < window.row + window.rows;
}
