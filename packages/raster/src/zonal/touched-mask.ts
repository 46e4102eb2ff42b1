import type { PixelGrid } from '@headwater/core';
import type { MultiPolygon, Polygon } from 'geojson';
import { coverageOf } from './coverage.ts';
import type { Coverage } from './coverage-runs.ts';

/** Pixels that are touched by at least one of several polygons, row by row. */
export class TouchedMask {
  readonly #coverages: readonly Coverage[];

  /** `polygons` in the grid's CRS. Throws `input_data` for coordinates that are not numbers. */
  constructor(polygons: readonly (Polygon | MultiPolygon)[], grid: PixelGrid) {
    this.#coverages = polygons.map((polygon) => coverageOf(polygon, grid));
  }

  /** Columns [left, right) that contain all touched pixels of rows [first, first + count); undefined if there is no touched pixel. */
  extent(first: number, count: number): { left: number; right: number } | undefined {
    const here = this.#coverages.filter(({ top, rows }) => top < first + count && top + rows > first);
    if (here.length === 0) return undefined;
    return { left: Math.min(...here.map(({ left }) => left)), right: Math.max(...here.map(({ right }) => right)) };
  }

  /** Sets `out[col]` to 1 if pixel (row, col) is touched; `out` has the grid's columns and is zero on entry. */
  markRow(row: number, out: Uint8Array): void {
    for (const { top, rows, start, from, to } of this.#coverages) {
      if (row < top || row >= top + rows) continue;
      const end = start[row - top + 1]!;
      for (let run = start[row - top]!; run < end; run += 1) out.fill(1, from[run], to[run]);
    }
  }
}
