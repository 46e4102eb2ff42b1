import type { PixelGrid } from '@headwater/core';
import { centreSpans } from '@headwater/raster';
import type { MultiPolygon, Polygon } from 'geojson';

/** Pixels outside of every zone. */
export const NO_ZONE = -1;

/** Index of the zone (lon/lat polygon) that holds each pixel's centre, `[rows * cols]`; the last one where zones overlap. */
export function zonePixels(grid: PixelGrid, zones: readonly (Polygon | MultiPolygon)[]): Int32Array {
  const found = new Int32Array(grid.rows * grid.cols).fill(NO_ZONE);
  for (const [zone, geometry] of zones.entries()) {
    for (const { row, from, to } of centreSpans(geometry, grid))
      found.fill(zone, row * grid.cols + from, row * grid.cols + to);
  }
  return found;
}
