import type { Dem } from '../dem/dem.ts';
import { RingSums, type Neighbourhood } from './ring-sums.ts';
import { mapWindows } from './window.ts';

/**
 * Height above the mean of the eight neighbours in metres, as in `gdaldem TPI`. Float32 `[rows * cols]`, NaN for
 * cells without data.
 */
export function positionOf8(dem: Dem): Float32Array {
  return mapWindows(dem, (w) => w[4]! - (w[0]! + w[1]! + w[2]! + w[3]! + w[5]! + w[6]! + w[7]! + w[8]!) / 8);
}

/**
 * Topographic position index (Weiss 2001): height of each pixel above the mean height in a ring around it, metres.
 * Float32 `[rows * cols]`, NaN for cells without data. Pixels outside of the grid or without data do not count in the
 * mean. If the ring has no pixel that counts, the index is 0.
 */
export function position(dem: Dem, ring: Neighbourhood): Float32Array {
  const { rows, cols } = dem.grid;
  const sums = new RingSums(dem, ring);
  const out = new Float32Array(rows * cols);
  for (let row = 0; row < rows; row += 1) {
    const { sum, count } = sums.ofRow(row);
    for (let col = 0; col < cols; col += 1) {
      const height = dem.heights[row * cols + col]!;
      out[row * cols + col] = count[col]! > 0 ? height - sum[col]! / count[col]! : height - height;
    }
  }
  return out;
}
