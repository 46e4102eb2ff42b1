import type { PixelGrid } from '@headwater/core';

/** Semi-major axis (m) and flattening of the WGS 84 ellipsoid. */
const A = 6_378_137;
const F = 1 / 298.257223563;
const E2 = F * (2 - F);
const RADIANS = Math.PI / 180;

/** Distances between neighbouring pixel centres by row, m. */
export interface CellSizes {
  /** Eastward, `[rows]`. */
  readonly x: Float64Array;
  /** Northward, `[rows]`. */
  readonly y: Float64Array;
}

/**
 * Metres of a degree to the east and to the north, at a latitude in degrees (WGS 84; Snyder 1987, formulas 4-20 and
 * 4-21).
 */
export function metresPerDegree(latitude: number): { readonly x: number; readonly y: number } {
  const phi = latitude * RADIANS;
  const w2 = 1 - E2 * Math.sin(phi) ** 2;
  return { x: (A / Math.sqrt(w2)) * Math.cos(phi) * RADIANS, y: ((A * (1 - E2)) / w2 ** 1.5) * RADIANS };
}

/**
 * Pixel sizes, m. On a UTM grid: sizes of the grid, with an error up to 0.1 %. In EPSG:4326: arcs at the latitude of
 * each row.
 */
export function cellSizes(grid: PixelGrid): CellSizes {
  const { rows, pixelWidth, pixelHeight, north } = grid;
  const x = new Float64Array(rows).fill(pixelWidth);
  const y = new Float64Array(rows).fill(pixelHeight);
  if (grid.crs !== 'EPSG:4326') return { x, y };
  for (let row = 0; row < rows; row += 1) {
    const degree = metresPerDegree(north - (row + 0.5) * pixelHeight);
    x[row] = degree.x * pixelWidth;
    y[row] = degree.y * pixelHeight;
  }
  return { x, y };
}
