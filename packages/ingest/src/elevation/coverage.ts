import type { Box, PixelGrid } from '@headwater/core';
import { toUtm, utmZone } from '@headwater/core/geo';

/** Points per side at which a box is looked up: closer together than a tile of any elevation model is wide, for boxes of a tehsil. */
const SIDE = 33;

/** True where the point (lon/lat) lies in the grid, its edges included. */
function holds(grid: PixelGrid, lon: number, lat: number): boolean {
  const zone = utmZone(grid.crs);
  const [x, y] = zone === undefined ? [lon, lat] : toUtm(zone, lon, lat);
  const { west, north, pixelWidth, pixelHeight, cols, rows } = grid;
  // A margin may reach beyond 180 degrees, where tiles go on at -180.
  const turns = zone === undefined ? [0, 360, -360] : [0];
  const isAcross = turns.some((by) => x + by >= west && x + by <= west + cols * pixelWidth);
  return isAcross && y <= north && y >= north - rows * pixelHeight;
}

/** Which of the grids, EPSG:4326 or UTM, have a part of the box; undefined where a part of it lies in none. */
export function gridsOver([west, south, east, north]: Box, grids: readonly PixelGrid[]): readonly number[] | undefined {
  const used = new Set<number>();
  for (let row = 0; row < SIDE; row += 1) {
    for (let col = 0; col < SIDE; col += 1) {
      const lon = west + ((east - west) * col) / (SIDE - 1);
      const lat = south + ((north - south) * row) / (SIDE - 1);
      const here = grids.flatMap((grid, index) => (holds(grid, lon, lat) ? [index] : []));
      if (here.length === 0) return undefined;
      for (const index of here) used.add(index);
    }
  }
  return [...used].toSorted((a, b) => a - b);
}
