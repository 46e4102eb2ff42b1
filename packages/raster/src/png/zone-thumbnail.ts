import { DomainError } from '@headwater/core/errors';
import type { PixelGrid } from '@headwater/core';
import type { ZoneThumbnailRequest } from '@headwater/core/ports';
import type { Position } from 'geojson';
import { writeAtomic } from '@headwater/net/files';
import { coverageOf } from '../zonal/coverage.ts';
import { encodePicture } from './indexed-png.ts';

type Zones = ZoneThumbnailRequest['zones'];

/**
 * Writes a preview of polygons (lon/lat) with a long side of `size` pixels. A pixel has the colour of the zone with the
 * largest share of the pixel. Borders and lines are drawn over the zones. The background is transparent. Throws
 * `input_data` if the polygons have no extent.
 */
export async function zoneThumbnail({ zones, lines = [], outline, size, target }: ZoneThumbnailRequest): Promise<void> {
  const grid = gridAround(zones, size);
  const data = new Uint8Array(grid.cols * grid.rows * 4);
  fillZones(zones, grid, data);
  for (const ring of ringsOf(zones)) drawPath(ring, grid, (at) => data.set(outline, at * 4));
  for (const { geometry, color, width = 1 } of lines) {
    const dot = dotOf(width, grid, (at) => data.set(color, at * 4));
    for (const path of geometry.coordinates) drawPath(path, grid, dot);
  }
  const png = await encodePicture({ width: grid.cols, height: grid.rows, pixels: data, palette: null });
  await writeAtomic(target, (sink) => sink.write([png]));
}

function ringsOf(zones: Zones): Position[][] {
  return zones.flatMap(({ geometry }) =>
    geometry.type === 'Polygon' ? geometry.coordinates : geometry.coordinates.flat(),
  );
}

function gridAround(zones: Zones, size: number): PixelGrid {
  const box = { west: Infinity, south: Infinity, east: -Infinity, north: -Infinity };
  for (const [x = Number.NaN, y = Number.NaN] of ringsOf(zones).flat()) {
    box.west = Math.min(box.west, x);
    box.east = Math.max(box.east, x);
    box.south = Math.min(box.south, y);
    box.north = Math.max(box.north, y);
  }
  const pixel = Math.max(box.east - box.west, box.north - box.south) / size;
  if (!(pixel > 0 && Number.isFinite(pixel)))
    throw new DomainError('input_data', 'A preview needs at least one polygon with an extent.');
  const cols = Math.min(size, Math.max(1, Math.ceil((box.east - box.west) / pixel)));
  const rows = Math.min(size, Math.max(1, Math.ceil((box.north - box.south) / pixel)));
  return { crs: 'EPSG:4326', west: box.west, north: box.north, pixelWidth: pixel, pixelHeight: pixel, cols, rows };
}

/**
 * A zone colours a pixel only if it covers more than this share of the pixel. With a lower limit, zones would also
 * colour pixels outside of the drawn border.
 */
const LEAST = 0.3;

function fillZones(zones: Zones, grid: PixelGrid, data: Uint8Array): void {
  const best = new Float32Array(grid.cols * grid.rows).fill(LEAST);
  for (const { geometry, fill } of zones) {
    const { top, rows, start, from, to, fraction } = coverageOf(geometry, grid);
    for (let row = 0; row < rows; row += 1) {
      for (let run = start[row]!; run < start[row + 1]!; run += 1) {
        const first = (top + row) * grid.cols;
        for (let at = first + from[run]!; at < first + to[run]!; at += 1) {
          if (fraction[run]! <= best[at]!) continue;
          best[at] = fraction[run]!;
          data.set(fill, at * 4);
        }
      }
    }
  }
}

/**
 * Calls `plot` for the pixels of a path, which form a line that is one pixel wide. Each step along an edge is at most
 * one column and one row, so the line has no gaps.
 */
function drawPath(path: readonly Position[], grid: PixelGrid, plot: (at: number) => void): void {
  const clampTo = (value: number, count: number): number => Math.min(Math.max(Math.floor(value), 0), count - 1);
  const point = ([x = 0, y = 0]: Position): Point => ({
    u: (x - grid.west) / grid.pixelWidth,
    v: (grid.north - y) / grid.pixelHeight,
  });
  path.slice(1).forEach((end, index) => {
    const [a, b] = [point(path[index] ?? end), point(end)];
    const steps = Math.max(1, Math.ceil(Math.max(Math.abs(b.u - a.u), Math.abs(b.v - a.v))));
    for (let step = 0; step <= steps; step += 1) {
      const col = clampTo(a.u + ((b.u - a.u) * step) / steps, grid.cols);
      const row = clampTo(a.v + ((b.v - a.v) * step) / steps, grid.rows);
      plot(row * grid.cols + col);
    }
  });
}

/** Returns a function that calls `plot` for each pixel of the grid in a square of `side` pixels around a pixel. */
function dotOf(side: number, { cols, rows }: PixelGrid, plot: (at: number) => void): (at: number) => void {
  const before = Math.floor((side - 1) / 2);
  return (at) => {
    const [col, row] = [(at % cols) - before, Math.floor(at / cols) - before];
    for (let y = Math.max(0, row); y < Math.min(rows, row + side); y += 1) {
      for (let x = Math.max(0, col); x < Math.min(cols, col + side); x += 1) plot(y * cols + x);
    }
  };
}

interface Point {
  readonly u: number;
  readonly v: number;
}
