import type { PixelGrid, PixelPlan } from '@headwater/core';
import { pointTransform } from '../warp/point-transform.ts';

/** Pixels per side of one cell of the coarse map of the area. */
export const AREA_CELL = 8;

/** Which cells of 8 x 8 grid pixels the area may touch: never one too few, at most their neighbours too many. */
export interface AreaCells {
  readonly cols: number;
  readonly rows: number;
  /** 1 = touched, row-major. */
  readonly cells: Uint8Array;
}

/** Rasterises the plan's area (lon/lat) on cells of its grid: interior by even-odd rule at cell centres, and every cell near an edge. */
export function areaCells(grid: PixelGrid, area: PixelPlan['area']): AreaCells {
  const cols = Math.ceil(grid.cols / AREA_CELL);
  const rows = Math.ceil(grid.rows / AREA_CELL);
  const map = { cols, rows, cells: new Uint8Array(cols * rows) };
  const rings = area.flat().map((ring) => toCells(grid, ring));
  fillInterior(map, rings);
  for (const ring of rings)
    for (let i = 1; i < ring.length; i++) markEdge(map, ring[i - 1] ?? ORIGIN, ring[i] ?? ORIGIN);
  return map;
}

/** True where any cell of the pixel window is touched. */
export function touchesArea(map: AreaCells, window: { col: number; row: number; cols: number; rows: number }): boolean {
  const col1 = Math.floor((window.col + window.cols - 1) / AREA_CELL);
  const row1 = Math.floor((window.row + window.rows - 1) / AREA_CELL);
  for (let row = Math.floor(window.row / AREA_CELL); row <= row1; row++) {
    const line = map.cells.subarray(row * map.cols + Math.floor(window.col / AREA_CELL), row * map.cols + col1 + 1);
    if (line.includes(1)) return true;
  }
  return false;
}

/** x (column) and y (row) in cells. */
type Point = readonly [number, number];
const ORIGIN: Point = [0, 0];
/** Longest side, in degrees, that is taken as straight on the grid: bends by less than a cell at 0.05 degrees. */
const STRAIGHT = 0.05;

function toCells(grid: PixelGrid, ring: readonly (readonly number[])[]): Point[] {
  const toGrid = pointTransform('EPSG:4326', grid.crs);
  const points: Point[] = [];
  ring.forEach((corner, i) => {
    const [lon = Number.NaN, lat = Number.NaN] = corner;
    const [lon0 = lon, lat0 = lat] = ring[i - 1] ?? corner;
    const parts = Math.max(1, Math.ceil(Math.max(Math.abs(lon - lon0), Math.abs(lat - lat0)) / STRAIGHT));
    for (let k = 1; k <= parts; k++) {
      const [x, y] = toGrid(lon0 + ((lon - lon0) * k) / parts, lat0 + ((lat - lat0) * k) / parts);
      points.push([(x - grid.west) / grid.pixelWidth / AREA_CELL, (grid.north - y) / grid.pixelHeight / AREA_CELL]);
    }
  });
  return points;
}

function fillInterior(map: AreaCells, rings: readonly Point[][]): void {
  const crossings: number[][] = Array.from({ length: map.rows }, () => []);
  for (const ring of rings) {
    for (let i = 1; i < ring.length; i++) {
      const [a, b] = [ring[i - 1] ?? ORIGIN, ring[i] ?? ORIGIN];
      const [top, bottom] = a[1] <= b[1] ? [a, b] : [b, a];
      for (let row = Math.max(0, Math.ceil(top[1] - 0.5)); row < Math.min(map.rows, bottom[1] - 0.5); row++) {
        crossings[row]?.push(top[0] + ((row + 0.5 - top[1]) * (bottom[0] - top[0])) / (bottom[1] - top[1]));
      }
    }
  }
  crossings.forEach((xs, row) => {
    xs.sort((a, b) => a - b);
    for (let i = 0; i + 1 < xs.length; i += 2) {
      const from = Math.max(0, Math.ceil((xs[i] ?? 0) - 0.5));
      const to = Math.min(map.cols, Math.ceil((xs[i + 1] ?? 0) - 0.5));
      if (from < to) map.cells.fill(1, row * map.cols + from, row * map.cols + to);
    }
  });
}

/** Marks cells within half a cell of points half a cell apart along the side: all that it passes through. */
function markEdge(map: AreaCells, a: Point, b: Point): void {
  const parts = Math.max(1, Math.ceil(Math.hypot(b[0] - a[0], b[1] - a[1]) * 2));
  if (!Number.isFinite(parts)) return;
  for (let k = 0; k <= parts; k++) {
    const x = a[0] + ((b[0] - a[0]) * k) / parts;
    const y = a[1] + ((b[1] - a[1]) * k) / parts;
    for (let row = Math.floor(y - 0.5); row <= Math.floor(y + 0.5); row++) {
      for (let col = Math.floor(x - 0.5); col <= Math.floor(x + 0.5); col++) {
        if (row >= 0 && row < map.rows && col >= 0 && col < map.cols) map.cells[row * map.cols + col] = 1;
      }
    }
  }
}
