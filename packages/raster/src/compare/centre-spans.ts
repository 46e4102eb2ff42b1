import { DomainError } from '@headwater/core/errors';
import type { PixelGrid } from '@headwater/core';
import type { MultiPolygon, Polygon, Position } from 'geojson';
import { pointTransform } from '../warp/crs.ts';
import { polygonsOnto } from '../warp/turns.ts';

/** Pixels [from, to) of one row. */
export interface Span {
  readonly row: number;
  readonly from: number;
  readonly to: number;
}

/**
 * Maximum number of points at which sides of a polygon cross rows of pixels. All of them are in memory, and even a few
 * long sides can cross very many rows.
 */
const MOST_CROSSINGS = 20_000_000;

/**
 * Finds the pixels whose centres are inside of a polygon (lon/lat), row by row. Each part follows the even-odd rule.
 * Throws `input_data` for an unknown CRS. Each row of pixels that a side crosses reduces `budget.left` (default: 20
 * million) by 1; throws `input_data` if it becomes negative.
 */
export function centreSpans(
  geometry: Polygon | MultiPolygon,
  grid: PixelGrid,
  budget = { left: MOST_CROSSINGS },
): readonly Span[] {
  const toGrid = pointTransform('EPSG:4326', grid.crs);
  const toPixel = ([lon = Number.NaN, lat = Number.NaN]: Position): Point => {
    const [x, y] = toGrid(lon, lat);
    return [(x - grid.west) / grid.pixelWidth, (grid.north - y) / grid.pixelHeight];
  };
  const parts = geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates;
  const polygons = polygonsOnto(parts, grid);
  const spans = polygons.flatMap((rings) =>
    insideOf(
      rings.flatMap((ring) => sidesOf(ring.map(toPixel))),
      grid,
      budget,
    ),
  );
  return polygons.length === 1 ? spans : merged(spans);
}

type Point = readonly [u: number, v: number];
type Side = readonly [from: Point, to: Point];

const sidesOf = (points: readonly Point[]): Side[] => points.slice(1).map((to, i) => [points[i] ?? to, to]);

function insideOf(sides: readonly Side[], { cols, rows }: PixelGrid, budget: { left: number }): Span[] {
  const crossings = new Map<number, number[]>();
  for (const [a, b] of sides) {
    const [top, bottom] = a[1] <= b[1] ? [a, b] : [b, a];
    const last = Math.min(rows, Math.ceil(bottom[1] - 0.5));
    const first = Math.max(0, Math.ceil(top[1] - 0.5));
    budget.left -= Math.max(0, last - first);
    if (budget.left < 0)
      throw new DomainError(
        'input_data',
        'The sides of the polygons cross too many rows of this raster; simplify the polygons, or send fewer or smaller ones.',
      );
    for (let row = first; row < last; row += 1) {
      const u = top[0] + ((row + 0.5 - top[1]) * (bottom[0] - top[0])) / (bottom[1] - top[1]);
      const found = crossings.get(row);
      if (found === undefined) crossings.set(row, [u]);
      else found.push(u);
    }
  }
  const spans: Span[] = [];
  for (const row of [...crossings.keys()].sort((a, b) => a - b)) {
    const us = (crossings.get(row) ?? []).sort((a, b) => a - b);
    for (let i = 0; i + 1 < us.length; i += 2) {
      const from = Math.max(0, Math.ceil((us[i] ?? 0) - 0.5));
      const to = Math.min(cols, Math.ceil((us[i + 1] ?? 0) - 0.5));
      if (from < to) spans.push({ row, from, to });
    }
  }
  return spans;
}

function merged(spans: readonly Span[]): Span[] {
  const whole: Span[] = [];
  for (const span of spans.toSorted((a, b) => a.row - b.row || a.from - b.from)) {
    const last = whole.at(-1);
    if (last === undefined || last.row !== span.row || last.to < span.from) whole.push(span);
    else whole[whole.length - 1] = { ...last, to: Math.max(last.to, span.to) };
  }
  return whole;
}
