import type { Point } from './orientation.ts';

/** Bounding box of points. */
export interface Box {
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
}

export function boxOf(points: readonly Point[]): Box {
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const { x, y } of points) {
    west = Math.min(west, x);
    east = Math.max(east, x);
    south = Math.min(south, y);
    north = Math.max(north, y);
  }
  return { west, south, east, north };
}

export function boxesTouch(a: Box, b: Box): boolean {
  return a.west <= b.east && b.west <= a.east && a.south <= b.north && b.south <= a.north;
}

/** Bounding box of an edge. */
export function edgeBox({ from, to }: Edge): Box {
  return {
    west: Math.min(from.x, to.x),
    south: Math.min(from.y, to.y),
    east: Math.max(from.x, to.x),
    north: Math.max(from.y, to.y),
  };
}

/** A straight segment of a line or of a ring. */
export interface Edge {
  readonly from: Point;
  readonly to: Point;
}
