import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { PixelGrid } from '@headwater/core';
import { openScenes } from '@headwater/ingest';
import { openRaster, writeGeoTiff } from '@headwater/raster';

/** Bands of a downloaded scene. */
export const BANDS = ['B02', 'B03', 'B04', 'B08', 'B11', 'SCL'] as const;

/** Grid in tile 43QGV, of pixels of 10 m. */
export const gridOf = (cols: number, rows: number): PixelGrid => ({
  crs: 'EPSG:32643',
  west: 600_000,
  north: 2_000_000,
  pixelWidth: 10,
  pixelHeight: 10,
  cols,
  rows,
});

/** Grid of the same area with pixels of 20 m. */
export const coarseOf = (grid: PixelGrid): PixelGrid => ({
  ...gridOf(grid.cols / 2, grid.rows / 2),
  pixelWidth: 20,
  pixelHeight: 20,
});

/** Downloaded band. Default pixel values: 1000, 1001, 1002, and so on. */
export interface Download {
  readonly grid: PixelGrid;
  readonly data?: Uint8Array | Uint16Array | Float32Array;
  readonly tileSize?: number;
}

/** Writes a plain GeoTIFF, and creates its folder if it is missing. Returns the path of the file. */
export async function writeDownload(path: string, { grid, data, tileSize = 256 }: Download): Promise<string> {
  await mkdir(dirname(path), { recursive: true });
  const values = data ?? Uint16Array.from({ length: grid.cols * grid.rows }, (_, i) => 1000 + i);
  await writeGeoTiff(path, { grid, data: values, overviews: 'none', predictor: 1, tileSize, level: 1 });
  return path;
}

/** Pixels of a file with integer values, row by row. */
export async function valuesOf(path: string): Promise<readonly number[]> {
  const raster = await openRaster(path);
  const { cols, rows } = raster.grid;
  const out = new Uint16Array(cols * rows);
  await raster.readWindow({ col: 0, row: 0, cols, rows }, out);
  raster.close();
  return [...out];
}

/** Searches a folder of catalogues for all scenes of tile 43QGV in the years 2016 to 2025. */
export const searchScenes = (folder: string) =>
  openScenes({ folder }).search({
    bbox: [75.5, 17.9, 76.2, 18.3],
    start: '2016-01-01T00:00:00Z',
    end: '2026-01-01T00:00:00Z',
  });
