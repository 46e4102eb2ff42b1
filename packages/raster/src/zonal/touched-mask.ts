import type { PixelGrid } from '@headwater/core';
import type { MultiPolygon, Polygon } from 'geojson';
import { coverageOf } from './coverage.ts';
import type { Coverage } from './coverage-runs.ts';

/** Pixels that any of some polygons touches, row by row. */
export class TouchedMask {
  readonly #coverages: readonly Coverage[];

  /** `polygons` in the grid's CRS. Throws `input_data` for coordinates that are not numbers. */
  constructor(polygons: readonly (Polygon | MultiPolygon)[], grid: PixelGrid) {
    this.#coverages = polygons.map((polygon) => coverageOf(polygon, grid));
  }

  /** Columns [left, right) outside of which rows [first, first + count) are untouched; undefined when all of them are. */
  extent(first: number, count: number): { left: number; right: number } | undefined {
    const here = this.#coverages.filter(({ top, rows }) => top < first + count && top + rows > first);
    if (here.length === 0) return undefined;
    return { left: Math.min(...here.map(({ left }) => left)), right: Math.max(...here.map(({ right }) => right)) };
  }

  /** Sets `out[col]` to 1 where pixel (row, col) is touched; `out` spans the grid's columns and is zero on entry. */
  markRow(row: number, out: Uint8Array): void {
    for (const { top, rows, start, from, to } of this.#coverages) {
      if (row < top || row >= top + rows) continue;
      const end = start[row - top + 1]!;
      for (let run = start[row - top]!; run < end; run += 1) out.fill(1, from[run], to[run]);
    }
  }
}
