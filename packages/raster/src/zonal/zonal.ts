import type { WorkContext, ZonalAreas, PixelGrid } from '@headwater/core';
import type { ZonalRequest } from '@headwater/core/ports';
import type { MultiPolygon, Polygon } from 'geojson';
import { pixelAreasM2 } from '@headwater/core/geo';
import { openRaster } from '../tiff/open-raster.ts';
import type { RasterFile } from '../tiff/raster-file.ts';
import { checkZonal, coverZones, sameGrid, sumZones, type ZoneCoverage } from './zone-strips.ts';
import type { PixelWindow } from '../pixels/pixel-window.ts';
import type { Coverage } from './coverage-runs.ts';
import { coverageOf } from './coverage.ts';

type Zones = ZonalRequest['zones'];
/** Square metres of a hectare. */
export const M2_PER_HA = 10_000;

/**
 * Hectares per value 0-255 in each zone: covered fraction (planar in lon/lat) x ellipsoidal pixel area.
 * Pixels outside of the raster do not count; zones with the same id are added. Throws `input_data` unless the file is uint8, EPSG:4326.
 */
export async function zonal(request: ZonalRequest, context: WorkContext): Promise<ZonalAreas> {
  const [areas] = await zonalMany([request.path], request.zones, context);
  return areas ?? {};
}

/** `zonal` of several rasters; coverage is computed once for all rasters with one grid. */
export async function zonalMany(paths: readonly string[], zones: Zones, context: WorkContext): Promise<ZonalAreas[]> {
  const results: ZonalAreas[] = [];
  let coverage: ZoneCoverage | undefined;
  for (const [index, path] of paths.entries()) {
    const file = await openRaster(path, { signal: context.signal });
    try {
      if (coverage === undefined || !sameGrid(coverage.grid, file.grid)) coverage = coverZones(zones, file.grid);
      const progress = (share: number): void => context.progress((index + share) / paths.length);
      results.push(await sumFile(file, coverage, { signal: context.signal, progress }));
    } finally {
      file.close();
    }
  }
  return results;
}

async function sumFile(file: RasterFile, coverage: ZoneCoverage, context: WorkContext): Promise<ZonalAreas> {
  checkZonal(file, 'class areas', ['uint8']);
  const rowAreas = pixelAreasM2(file.grid);
  const make = (): Float64Array => new Float64Array(256);
  const sums = await sumZones({ file, coverage, make }, context, async ({ window, parts }) => {
    const data = new Uint8Array(window.cols * window.rows);
    await file.readWindow(window, data);
    for (const part of parts) addClassAreas(part.coverage, { data, ...window }, { rowAreas, sums: part.sums });
  });
  return Object.fromEntries([...sums].map(([id, m2]) => [id, Array.from(m2, (area) => area / M2_PER_HA)]));
}

/** Values of a window of the raster, row-major. */
interface ClassWindow extends PixelWindow {
  readonly data: Uint8Array;
}

/** Adds covered fraction x pixel area of some rows to `sums`, `[256]`; `rowAreas` has one entry per raster row. */
function addClassAreas(
  coverage: Coverage,
  values: ClassWindow,
  { rowAreas, sums }: { rowAreas: Float64Array; sums: Float64Array },
): void {
  const first = Math.max(coverage.top, values.row);
  const last = Math.min(coverage.top + coverage.rows, values.row + values.rows);
  const counts = new Uint32Array(256);
  for (let row = first; row < last; row += 1) {
    const area = rowAreas[row]!;
    const base = (row - values.row) * values.cols - values.col;
    const end = coverage.start[row - coverage.top + 1]!;
    let counted = false;
    for (let run = coverage.start[row - coverage.top]!; run < end; run += 1) {
      const fraction = coverage.fraction[run]!;
      const [from, to] = [base + coverage.from[run]!, base + coverage.to[run]!];
      if (fraction === 1) {
        countRun(values.data, [from, to], counts);
        counted = true;
      } else addPart(values.data, [from, to], { sums, weight: fraction * area });
    }
    if (counted) flush(counts, sums, area);
  }
}

/**
 * Adds each run of equal values in one step. Neighbours are mostly of one class, so this needs fewer memory accesses.
 */
function countRun(data: Uint8Array, [from, to]: readonly [number, number], counts: Uint32Array): void {
  let last = data[from]!;
  let since = from;
  for (let at = from + 1; at < to; at += 1) {
    const value = data[at]!;
    if (value === last) continue;
    counts[last] = counts[last]! + at - since;
    last = value;
    since = at;
  }
  counts[last] = counts[last]! + to - since;
}

function addPart(
  data: Uint8Array,
  [from, to]: readonly [number, number],
  { sums, weight }: { sums: Float64Array; weight: number },
): void {
  for (let at = from; at < to; at += 1) {
    const value = data[at]!;
    sums[value] = sums[value]! + weight;
  }
}

/** Adds the counted whole pixels of a row. Counts are exact, and need only one multiplication per class. */
function flush(counts: Uint32Array, sums: Float64Array, area: number): void {
  for (let value = 0; value < 256; value += 1) {
    const count = counts[value]!;
    if (count === 0) continue;
    sums[value] = sums[value]! + count * area;
    counts[value] = 0;
  }
}

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
