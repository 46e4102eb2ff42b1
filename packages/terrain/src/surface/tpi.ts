import type { Dem } from '../dem/dem.ts';
import { RingSums, type Neighbourhood } from './ring-sums.ts';
import { mapWindows } from './window.ts';

/** Height above the mean of the eight neighbours, m, as in `gdaldem TPI`. Float32 `[rows * cols]`, NaN without data. */
export function positionOf8(dem: Dem): Float32Array {
  return mapWindows(dem, (w) => w[4]! - (w[0]! + w[1]! + w[2]! + w[3]! + w[5]! + w[6]! + w[7]! + w[8]!) / 8);
}

/**
 * Topographic position index (Weiss 2001): height above the mean height in a ring, m. Float32 `[rows * cols]`; NaN
 * if the pixel has no data, 0 if only the ring has none.
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
