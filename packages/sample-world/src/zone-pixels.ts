import type { PixelGrid } from '@headwater/core';
import { pointTransform } from '@headwater/raster';
import type { MultiPolygon, Polygon, Position } from 'geojson';

/** Pixels outside of every zone. */
export const NO_ZONE = -1;

/** Index of the zone (lon/lat polygon) that holds each pixel's centre, `[rows * cols]`; the last one where zones overlap. */
export function zonePixels(grid: PixelGrid, zones: readonly (Polygon | MultiPolygon)[]): Int32Array {
  const found = new Int32Array(grid.rows * grid.cols).fill(NO_ZONE);
  const toGrid = pointTransform('EPSG:4326', grid.crs);
  for (const [zone, geometry] of zones.entries()) {
    const polygons = geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates;
    for (const polygon of polygons) {
      const edges = polygon.flatMap((ring) => ringEdges(ring.map((p) => pixelOf(grid, p, toGrid))));
      fillInside({ grid, edges }, (pixel) => (found[pixel] = zone));
    }
  }
  return found;
}

/** From (x, y) to (x, y), in pixels from the grid's corner. */
type Edge = readonly [number, number, number, number];

function pixelOf(
  grid: PixelGrid,
  [lon = 0, lat = 0]: Position,
  toGrid: (x: number, y: number) => readonly [number, number],
): readonly [number, number] {
  const [x, y] = toGrid(lon, lat);
  return [(x - grid.west) / grid.pixelWidth, (grid.north - y) / grid.pixelHeight];
}

function ringEdges(points: readonly (readonly [number, number])[]): Edge[] {
  return points.slice(1).map((to, i): Edge => [...points[i]!, ...to]);
}

/** Even-odd rule along each row of pixel centres. */
function fillInside({ grid, edges }: { grid: PixelGrid; edges: readonly Edge[] }, fill: (pixel: number) => void): void {
  for (let row = 0; row < grid.rows; row += 1) {
    const y = row + 0.5;
    const crossings = edges
      .filter(([, y0, , y1]) => y0 <= y !== y1 <= y)
      .map(([x0, y0, x1, y1]) => x0 + ((y - y0) / (y1 - y0)) * (x1 - x0))
      .sort((a, b) => a - b);
    for (let i = 0; i + 1 < crossings.length; i += 2) {
      const last = Math.min(grid.cols, Math.ceil((crossings[i + 1] ?? 0) - 0.5));
      for (let col = Math.max(0, Math.ceil((crossings[i] ?? 0) - 0.5)); col < last; col += 1)
        fill(row * grid.cols + col);
    }
  }
}
