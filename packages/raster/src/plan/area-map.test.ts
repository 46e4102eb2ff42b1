import type { PixelGrid } from '@headwater/core';
import { describe, expect, it } from 'vitest';
import { pointTransform } from '../warp/crs.ts';
import { areaMap, touchesArea } from './area-map.ts';
import { overlappingAreas, squareRing, tehsilGrid, type Area } from './area-shapes.fixture.ts';

const SQUARE = 8;

/** Tests one point, independently of `areaMap`. */
function inUnion(area: Area, [x, y]: readonly [number, number]): boolean {
  return area.some((polygon) => {
    const [outer, ...holes] = polygon.map((ring) => inRing(ring, x, y));
    return outer === true && !holes.includes(true);
  });
}

function inRing(ring: Area[number][number], x: number, y: number): boolean {
  let inside = false;
  let [x0 = 0, y0 = 0] = ring.at(-1) ?? [];
  for (const corner of ring) {
    // Destructuring would be slow for the 200 million edges of this test.
    const x1 = corner[0] ?? 0;
    const y1 = corner[1] ?? 0;
    if (y0 > y !== y1 > y && x < x0 + ((y - y0) * (x1 - x0)) / (y1 - y0)) inside = !inside;
    x0 = x1;
    y0 = y1;
  }
  return inside;
}

function insideSquares(grid: PixelGrid, area: Area): Uint8Array {
  const toLonLat = pointTransform(grid.crs, 'EPSG:4326');
  const side = Math.ceil(grid.cols / SQUARE);
  return Uint8Array.from({ length: side * side }, (_, i) => {
    const [col, row] = [(i % side) + 0.5, Math.floor(i / side) + 0.5];
    const [lon, lat] = toLonLat(
      grid.west + col * SQUARE * grid.pixelWidth,
      grid.north - row * SQUARE * grid.pixelHeight,
    );
    return inUnion(area, [lon, lat]) ? 1 : 0;
  });
}

/** True if the square or one of its neighbours is set. */
const near = (squares: Uint8Array, side: number, at: number): boolean =>
  [-1, 0, 1].some((down) =>
    [-1, 0, 1].some((right) => {
      const [col, row] = [(at % side) + right, Math.floor(at / side) + down];
      return col >= 0 && row >= 0 && col < side && row < side && squares[row * side + col] === 1;
    }),
  );

describe('the map of an area', () => {
  const grid = tehsilGrid(600);
  it.each(Object.entries(overlappingAreas(grid)))(
    'contains all squares of the union of the polygons, and otherwise only their neighbours: %s',
    (_, area) => {
      const { touched, cols } = areaMap(grid, area);
      const inside = insideSquares(grid, area);
      const missing = inside.filter((value, i) => value === 1 && touched[i] === 0).length;
      const beyond = touched.filter((value, i) => value === 1 && !near(inside, cols, i)).length;
      expect({ missing, beyond }).toEqual({ missing: 0, beyond: 0 });
      expect(touched.includes(0)).toBe(true);
    },
  );

  it('contains all of a tehsil of 40 km, with micro-watersheds of every size', () => {
    const wide = tehsilGrid(4000);
    const cells = Array.from({ length: 12 }, (_, i) => [squareRing(wide, [100 + i * 310, 400 + i * 310])]);
    const area = [[squareRing(wide, [20, 3980], 10)], ...cells, [squareRing(wide, [1500, 3500])]];
    const { touched, cols } = areaMap(wide, area);
    const inside = insideSquares(wide, [[squareRing(wide, [20, 3980], 10)]]);
    expect(inside.filter((value, i) => value === 1 && touched[i] === 0)).toHaveLength(0);
    expect(cols).toBe(500);
  });

  it('leaves out the middle of a hole, and finds a polygon smaller than a square', () => {
    const holed = areaMap(grid, [[squareRing(grid, [30, 570]), squareRing(grid, [200, 400])]]);
    expect(touchesArea(holed, { col: 240, row: 240, cols: 80, rows: 80 })).toBe(false);
    expect(touchesArea(holed, { col: 100, row: 100, cols: 8, rows: 8 })).toBe(true);
    const dot = areaMap(grid, [[squareRing(grid, [301, 302])]]);
    expect(touchesArea(dot, { col: 296, row: 296, cols: 8, rows: 8 })).toBe(true);
    expect(touchesArea(dot, { col: 400, row: 400, cols: 8, rows: 8 })).toBe(false);
  });
});
