import type { PixelGrid } from '@headwater/core';
import { createDem, type Dem } from './dem.ts';

/** A UTM grid with square pixels; `metres` is the length of a side. */
export function utmGrid(rows: number, cols: number, metres = 30): PixelGrid {
  return { crs: 'EPSG:32643', west: 500_000, north: 2_000_000, pixelWidth: metres, pixelHeight: metres, cols, rows };
}

/** A grid in degrees, whose pixels are not square in metres. */
export function degreeGrid(rows: number, cols: number, north = 60): PixelGrid {
  return { crs: 'EPSG:4326', west: 77, north, pixelWidth: 1 / 3600, pixelHeight: 1 / 3600, cols, rows };
}

/** A DEM with the height `f(row, col)`; NaN means no data. */
export function surface(grid: PixelGrid, f: (row: number, col: number) => number): Dem {
  const heights = Float32Array.from({ length: grid.rows * grid.cols }, (_, at) =>
    f(Math.floor(at / grid.cols), at % grid.cols),
  );
  return createDem({ grid, heights });
}

/** A DEM from lists of heights, one list for each row. */
export function rowsOf(rows: readonly (readonly number[])[], metres = 1): Dem {
  return surface(utmGrid(rows.length, rows[0]!.length, metres), (row, col) => rows[row]![col]!);
}

/** A DEM with hills, valleys and pits, from 0 to `relief` m. The same seed gives the same heights. */
export function roughSurface(grid: PixelGrid, { seed = 1, relief = 300 } = {}): Dem {
  return surface(grid, (row, col) => {
    let height = 0;
    for (let size = 64, share = 0.5; size >= 1; size /= 2, share /= 2) {
      height += share * smoothNoise(row / size, col / size, seed * 64 + size);
    }
    return relief * height;
  });
}

function smoothNoise(y: number, x: number, seed: number): number {
  const [row, col] = [Math.floor(y), Math.floor(x)];
  const [fy, fx] = [y - row, x - col];
  const top = lattice(row, col, seed) * (1 - fx) + lattice(row, col + 1, seed) * fx;
  const bottom = lattice(row + 1, col, seed) * (1 - fx) + lattice(row + 1, col + 1, seed) * fx;
  return top * (1 - fy) + bottom * fy;
}

function lattice(row: number, col: number, seed: number): number {
  let hash = Math.imul(row + 1, 0x9e37_79b1) ^ Math.imul(col + 1, 0x85eb_ca77) ^ Math.imul(seed, 0xc2b2_ae3d);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b_3c6d);
  hash = Math.imul(hash ^ (hash >>> 12), 0x297a_2d39);
  return ((hash ^ (hash >>> 15)) >>> 0) / 2 ** 32;
}
