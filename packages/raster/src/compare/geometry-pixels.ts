import { DomainError } from '@headwater/core/errors';
import type { PixelGrid } from '@headwater/core';
import type { MultiPolygon, Point, Polygon } from 'geojson';
import { ontoGrid } from '../warp/turns.ts';
import { centreSpans, type Span } from './centre-spans.ts';
import type { PixelPlaces } from './values-at.ts';

/**
 * Pixels of all geometries in one sequence. Geometry i has the indices from `starts[i]` to `starts[i + 1]` (exclusive).
 */
export interface GeometryPixels extends PixelPlaces {
  readonly starts: readonly number[];
}

const MOST_PIXELS = 20_000_000;

/**
 * Finds the pixels of points and polygons (lon/lat). A polygon has the pixels whose centres are inside. A point outside
 * of the grid has one pixel, whose column and row are -1. Throws `input_data` for more than `most` pixels. `where`
 * returns the name of a geometry for messages.
 */
export function pixelsOfGeometries(
  geometries: readonly (Point | Polygon | MultiPolygon)[],
  grid: PixelGrid,
  { most = MOST_PIXELS, where = (index: number) => `geometries[${index}]` } = {},
): GeometryPixels {
  const pixelOf = pixelOfPoint(grid);
  const cols: number[] = [];
  const rows: number[] = [];
  const starts = [0];
  // All geometries share one budget, because many polygons need as much time as one large polygon.
  const budget = { left: most };
  for (const [index, geometry] of geometries.entries()) {
    const spans = geometry.type === 'Point' ? [pixelOf(geometry)] : centreSpans(geometry, grid, budget);
    for (const { row, from, to } of spans) {
      if (cols.length + to - from > most) throw tooMany(where(index), most);
      for (let col = from; col < to; col += 1) {
        cols.push(col);
        rows.push(row);
      }
    }
    starts.push(cols.length);
  }
  return { cols: Int32Array.from(cols), rows: Int32Array.from(rows), starts };
}

function pixelOfPoint(grid: PixelGrid): (point: Point) => Span {
  const toMap = ontoGrid(grid);
  return ({ coordinates: [lon = Number.NaN, lat = Number.NaN] }) => {
    const [x, y] = toMap(lon, lat);
    const col = Math.floor((x - grid.west) / grid.pixelWidth);
    const row = Math.floor((grid.north - y) / grid.pixelHeight);
    const isIn = col >= 0 && row >= 0 && col < grid.cols && row < grid.rows;
    return isIn ? { row, from: col, to: col + 1 } : { row: -1, from: -1, to: 0 };
  };
}

function tooMany(where: string, most: number): DomainError {
  return new DomainError(
    'input_data',
    `reference: ${where}: the polygons up to this one cover more than ${most} pixels of the map; use smaller polygons, or a raster made from the polygons`,
  );
}
