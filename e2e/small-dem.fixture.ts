import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { boxPolygon, type PixelGrid, type PlaceBundle } from '@headwater/core';
import { writeGeoTiff } from '@headwater/raster';

const SECOND = 1 / 3600;
/** Corner and side of the DEM: 480 x 480 arc seconds, with a margin of 6 km around the place. */
const WEST = 77;
const NORTH = 17.1;
const SIDE = 480;

/** Grid of the whole DEM. */
export const SMALL_DEM: PixelGrid = {
  crs: 'EPSG:4326',
  west: WEST,
  north: NORTH,
  pixelWidth: SECOND,
  pixelHeight: SECOND,
  cols: SIDE,
  rows: SIDE,
};

type Part = readonly [col0: number, row0: number, col1: number, row1: number];

const at = (col: number, row: number): readonly [number, number] => [WEST + col * SECOND, NORTH - row * SECOND];
const rectangle = ([col0, row0, col1, row1]: Part) => {
  const [[west, north], [east, south]] = [at(col0, row0), at(col1, row1)];
  return boxPolygon([west, south, east, north]);
};

/** A rectangle with two micro-watersheds, not aligned to pixels. */
export const SMALL_PLACE: PlaceBundle = {
  state: 'Flowstate',
  district: 'Hillside',
  tehsil: 'Basin',
  geometry: rectangle([200.3, 200.3, 279.7, 279.7]),
  mws: [
    { uid: '12_800001', geometry: rectangle([200.3, 200.3, 239.6, 279.7]) },
    { uid: '12_800002', geometry: rectangle([239.6, 200.3, 279.7, 279.7]) },
  ],
  villages: [],
};

/** A place in the middle of the DEM, too small for a stream. */
export const SMALL_SUMMIT: PlaceBundle = {
  ...SMALL_PLACE,
  tehsil: 'Summit',
  geometry: rectangle([236.3, 236.3, 243.7, 243.7]),
  mws: [{ uid: '12_800003', geometry: rectangle([236.3, 236.3, 243.7, 243.7]) }],
};

/** Returns the height at a pixel of the whole DEM, m. */
export const smallHeight = (col: number, row: number): number =>
  500 -
  0.5 * (col + row) +
  22 * Math.sin(col / 9) * Math.cos(row / 13) +
  14 * Math.sin((col + 2 * row) / 23) +
  3 * Math.sin(col / 2.3 + 1) * Math.sin(row / 3.1);

/** Writes parts of the DEM as the only files of `{dir}/dem/small`; NaN heights become nodata. */
export async function writeSmallDem(
  dir: string,
  parts: readonly Part[],
  height: (col: number, row: number) => number = smallHeight,
): Promise<void> {
  const folder = join(dir, 'dem', 'small');
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  for (const [index, [col0, row0, col1, row1]] of parts.entries()) {
    const [west, north] = at(col0, row0);
    const grid = { ...SMALL_DEM, west, north, cols: col1 - col0, rows: row1 - row0 };
    const data = Float32Array.from({ length: grid.cols * grid.rows }, (_, k) => {
      const value = height(col0 + (k % grid.cols), row0 + Math.floor(k / grid.cols));
      return Number.isNaN(value) ? -32768 : value;
    });
    const format = { tileSize: 128, nodata: -32768, threads: 1, overviews: 'none', predictor: 3 } as const;
    await writeGeoTiff(join(folder, `part-${index}.tif`), { ...format, grid, data });
  }
}

/** Rectangle of the whole DEM. */
export const WHOLE: Part = [0, 0, SIDE, SIDE];
