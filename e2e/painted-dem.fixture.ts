import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Box, PixelGrid } from '@headwater/core';
import { writeGeoTiff } from '@headwater/raster';

/** Pixel size of global elevation models, degrees. */
const ARC_SECOND = 1 / 3600;
/** Margin in pixels, at least 2.1 km, because landforms depend on the heights around a pixel. */
const MARGIN = 75;

/** Returns a grid in degrees over a box and its margin, aligned to whole arc seconds. */
export function arcSecondGrid([west, south, east, north]: Box): PixelGrid {
  const [col0, row0] = [Math.floor(west * 3600) - MARGIN, Math.ceil(north * 3600) + MARGIN];
  return {
    crs: 'EPSG:4326',
    west: col0 * ARC_SECOND,
    north: row0 * ARC_SECOND,
    pixelWidth: ARC_SECOND,
    pixelHeight: ARC_SECOND,
    cols: Math.ceil(east * 3600) + MARGIN - col0,
    rows: row0 - Math.floor(south * 3600) + MARGIN,
  };
}

/** Returns the height at a pixel, m: hills and valleys with most landforms. */
export const paintedHills = (row: number, col: number): number =>
  400 + 60 * Math.sin(row / 11) * Math.cos(col / 17) + 25 * Math.sin((row + 2 * col) / 5) + 0.3 * col;

/** Writes heights (m, NaN = nodata) as the only GeoTIFF of a folder, with a dem.json. */
export async function writePaintedDem(
  folder: string,
  grid: PixelGrid,
  height: (row: number, col: number) => number,
): Promise<void> {
  await mkdir(folder, { recursive: true });
  const data = Float32Array.from({ length: grid.rows * grid.cols }, (_, at) =>
    height(Math.floor(at / grid.cols), at % grid.cols),
  );
  const format = { tileSize: 256, nodata: -9999, threads: 1, overviews: 'average', predictor: 3 } as const;
  await writeGeoTiff(join(folder, 'painted.tif'), {
    ...format,
    grid,
    data: data.map((h) => (Number.isNaN(h) ? -9999 : h)),
  });
  const notice = {
    title: 'Painted heights',
    license: 'CC0-1.0',
    attribution: 'Heights painted by hand',
    synthetic: true,
  };
  await writeFile(join(folder, 'dem.json'), JSON.stringify(notice));
}
