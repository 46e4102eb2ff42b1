import type { PixelGrid } from '@headwater/core';
import type { PixelPlan } from '@headwater/core/pixel-plan';
import type { PixelSize, PixelWindow } from '../pixels/pixel-window.ts';
import { pointTransform } from '../warp/crs.ts';
import { polygonsOnto } from '../warp/turns.ts';
import type { BitRows } from './pane-mask.ts';

const SQUARE = 8;

type Point = readonly [number, number];
type Side = readonly [Point, Point];
/** Longest side in degrees that counts as straight on the grid; longer sides are divided. */
const STRAIGHT = 0.05;

function polygonSides(grid: PixelGrid, area: PixelPlan['area']): readonly (readonly Side[])[] {
  return polygonsOnto(area, grid).map((polygon) => polygon.flatMap((ring) => sidesOf(toSquares(grid, ring))));
}

function toSquares(grid: PixelGrid, ring: readonly (readonly number[])[]): Point[] {
  const toGrid = pointTransform('EPSG:4326', grid.crs);
  const points: Point[] = [];
  let before = ring[0];
  for (const corner of ring) {
    const [lon = Number.NaN, lat = Number.NaN] = corner;
    const [lon0 = lon, lat0 = lat] = before ?? corner;
    const parts = Math.max(1, Math.ceil(Math.max(Math.abs(lon - lon0), Math.abs(lat - lat0)) / STRAIGHT));
    for (let k = 1; k <= parts; k++) {
      const [x, y] = toGrid(lon0 + ((lon - lon0) * k) / parts, lat0 + ((lat - lat0) * k) / parts);
      points.push([(x - grid.west) / grid.pixelWidth / SQUARE, (grid.north - y) / grid.pixelHeight / SQUARE]);
    }
    before = corner;
  }
  return points;
}

function sidesOf(ring: readonly Point[]): Side[] {
  const [first, ...others] = ring;
  if (first === undefined) return [];
  let from = first;
  return others.map((to) => {
    const side = [from, to] as const;
    from = to;
    return side;
  });
}

/** Coarse map of the squares of 8 x 8 grid pixels that the area touches; may contain their neighbours. */
export interface AreaMap extends PixelSize {
  /** One byte per square, row-major, `[rows * cols]`; 1 if the area may touch the square. */
  readonly touched: Uint8Array;
}

/**
 * Rasterises the plan's area (lon/lat): sets squares whose centre is in a polygon, and squares near an edge. A hole
 * removes squares only from its own polygon.
 */
export function areaMap(grid: PixelGrid, area: PixelPlan['area']): AreaMap {
  const cols = Math.ceil(grid.cols / SQUARE);
  const rows = Math.ceil(grid.rows / SQUARE);
  const map = { cols, rows, touched: new Uint8Array(cols * rows) };
  for (const sides of polygonSides(grid, area)) {
    fillInterior(map, sides);
    for (const side of sides) markEdge(map, side);
  }
  return map;
}

/** True if any square of the pixel window is touched. */
export function touchesArea(map: AreaMap, window: PixelWindow): boolean {
  const col1 = Math.floor((window.col + window.cols - 1) / SQUARE);
  const row1 = Math.floor((window.row + window.rows - 1) / SQUARE);
  for (let row = Math.floor(window.row / SQUARE); row <= row1; row++) {
    const line = map.touched.subarray(row * map.cols + Math.floor(window.col / SQUARE), row * map.cols + col1 + 1);
    if (line.includes(1)) return true;
  }
  return false;
}

/** True if any set bit of a pane (part of the grid) is in a touched square. */
export function meetsArea(map: AreaMap, pane: PixelWindow, { bits, ...at }: BitRows & { bits: Uint8Array }): boolean {
  for (let byte = 0; byte < at.stride * at.rows; byte++) {
    const value = bits[byte]!;
    for (let bit = 0; value >> bit > 0; bit++) {
      if (((value >> bit) & 1) === 0) continue;
      const col = (((byte % at.stride) * 8 + bit) << at.shift) - at.col + pane.col;
      const row = (Math.floor(byte / at.stride) << at.shift) - at.row + pane.row;
      if (isTouched(map, Math.floor(col / SQUARE), Math.floor(row / SQUARE))) return true;
    }
  }
  return false;
}

/** True for a touched square. A square outside of the map counts like the nearest square of the map. */
function isTouched(map: AreaMap, col: number, row: number): boolean {
  const [c, r] = [Math.min(Math.max(col, 0), map.cols - 1), Math.min(Math.max(row, 0), map.rows - 1)];
  return map.touched[r * map.cols + c] === 1;
}

/** Fills one polygon by the even-odd rule. For several polygons together, the rule would leave out shared squares. */
function fillInterior(map: AreaMap, sides: readonly Side[]): void {
  for (const [row, xs] of crossings(map.rows, sides)) {
    const sorted = Float64Array.from(xs).sort();
    for (let i = 0; i + 1 < sorted.length; i += 2) {
      const from = Math.max(0, Math.ceil(sorted[i]! - 0.5));
      const to = Math.min(map.cols, Math.ceil(sorted[i + 1]! - 0.5));
      if (from < to) map.touched.fill(1, row * map.cols + from, row * map.cols + to);
    }
  }
}

/** For each row of squares, the columns at which sides cross the middle of the row. */
function crossings(rows: number, sides: readonly Side[]): ReadonlyMap<number, readonly number[]> {
  const found = new Map<number, number[]>();
  for (const [a, b] of sides) {
    const [top, bottom] = a[1] <= b[1] ? [a, b] : [b, a];
    for (let row = Math.max(0, Math.ceil(top[1] - 0.5)); row < Math.min(rows, bottom[1] - 0.5); row++) {
      const x = top[0] + ((row + 0.5 - top[1]) * (bottom[0] - top[0])) / (bottom[1] - top[1]);
      const xs = found.get(row);
      if (xs === undefined) found.set(row, [x]);
      else xs.push(x);
    }
  }
  return found;
}

/** Marks the squares that are at most half a square away from points along the side, in both directions. */
function markEdge(map: AreaMap, [a, b]: Side): void {
  const parts = Math.max(1, Math.ceil(Math.hypot(b[0] - a[0], b[1] - a[1]) * 2));
  if (!Number.isFinite(parts)) return;
  for (let k = 0; k <= parts; k++) {
    const x = a[0] + ((b[0] - a[0]) * k) / parts;
    const y = a[1] + ((b[1] - a[1]) * k) / parts;
    for (let row = Math.floor(y - 0.5); row <= Math.floor(y + 0.5); row++) {
      for (let col = Math.floor(x - 0.5); col <= Math.floor(x + 0.5); col++) {
        if (row >= 0 && row < map.rows && col >= 0 && col < map.cols) map.touched[row * map.cols + col] = 1;
      }
    }
  }
}
