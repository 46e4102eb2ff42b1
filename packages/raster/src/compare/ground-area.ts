import type { PixelGrid } from '@headwater/core';
import { knownCrs, pointTransform } from '../warp/crs.ts';
import { pixelAreasM2 } from '@headwater/core/geo';
import type { PixelWindow } from '../pixels/pixel-window.ts';

/** Consecutive pixels of a window with the same ground area: [from, to) in row-major order. */
export interface AreaRun {
  readonly from: number;
  readonly to: number;
  /** Ellipsoidal ground area of each of these pixels, m2. */
  readonly m2: number;
}

/** WGS 84: semi-major axis (m) and squared eccentricity. `K0`: scale on the central meridian of a UTM zone. */
const A = 6_378_137;
const E2 = 0.006694379990141316;
const K0 = 0.9996;
/** Number of neighbouring columns that get the same area. In columns of 10 m, the scale changes by less than 3e-5. */
const STEP = 256;

/**
 * Ground areas of the pixels of a window, as runs of pixels with equal areas. Throws `input_data` for an unknown CRS.
 */
export function areaRuns(grid: PixelGrid, window: PixelWindow): readonly AreaRun[] {
  return knownCrs(grid.crs).geographic ? rowRuns(grid, window) : utmRuns(grid, window);
}

function rowRuns(grid: PixelGrid, { row, rows, cols }: PixelWindow): AreaRun[] {
  const areas = pixelAreasM2({ ...grid, north: grid.north - row * grid.pixelHeight, rows });
  return Array.from(areas, (m2, r) => ({ from: r * cols, to: (r + 1) * cols, m2 }));
}

/** All rows use the latitude of the window's middle; the relative error of an area is only 1e-7 over 10 km. */
function utmRuns(grid: PixelGrid, { row, col, rows, cols }: PixelWindow): AreaRun[] {
  const toLonLat = pointTransform(grid.crs, 'EPSG:4326');
  const x = (column: number): number => grid.west + (col + column) * grid.pixelWidth;
  const [, latitude] = toLonLat(x(cols / 2), grid.north - (row + rows / 2) * grid.pixelHeight);
  const line: AreaRun[] = [];
  for (let from = 0; from < cols; from += STEP) {
    const to = Math.min(cols, from + STEP);
    const scale = utmScale(x((from + to) / 2), latitude);
    line.push({ from, to, m2: (grid.pixelWidth * grid.pixelHeight) / scale ** 2 });
  }
  return Array.from({ length: rows }, (_, r) =>
    line.map(({ from, to, m2 }) => ({ from: r * cols + from, to: r * cols + to, m2 })),
  ).flat();
}

/** Scale of UTM at a point (Snyder 1987, p. 57 and 61). `easting` is in metres, `latitude` in degrees. */
function utmScale(easting: number, latitude: number): number {
  const sine = Math.sin((latitude * Math.PI) / 180);
  const radius2 = (A * A * (1 - E2)) / (1 - E2 * sine * sine) ** 2;
  const x2 = ((easting - 500_000) / K0) ** 2 / radius2;
  return K0 * (1 + x2 / 2 + x2 ** 2 / 24);
}
