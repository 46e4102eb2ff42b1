import type { WorkContext, ZonalAreas, PixelGrid } from '@headwater/core';
import type { ZonalRequest } from '@headwater/core/ports';
import type { MultiPolygon, Polygon } from 'geojson';
import { pixelAreasM2 } from '@headwater/core/geo';
import { openRaster } from '../tiff/open-raster.ts';
import type { RasterFile } from '../tiff/raster-file.ts';
import { decodedBytes } from '../tiff/layout.ts';
import { TileDecoder } from '../tiff/tile-decoder.ts';
import { addClassAreas } from './class-areas.ts';
import { runsIn } from './run-sums.ts';
import { checkZonal, coverZones, sameGrid, sumZones, type ZoneCoverage } from './zone-strips.ts';
import type { Coverage } from './coverage-runs.ts';
import { Coverer } from './coverage.ts';

type Zones = ZonalRequest['zones'];
/** Square metres of a hectare. */
export const M2_PER_HA = 10_000;

/**
 * Area (ha) of each value 0-255 in each zone: the sum of covered fraction (planar in lon/lat) x ellipsoidal pixel area.
 * Zones with the same id are added. Throws `input_data` unless the file is uint8 in EPSG:4326.
 */
export async function zonal(request: ZonalRequest, context: WorkContext): Promise<ZonalAreas> {
  const [areas] = await zonalMany([request.path], request.zones, context);
  return areas ?? {};
}

/** `zonal` for several rasters. Covered fractions are computed once for consecutive rasters with one grid. */
export async function zonalMany(paths: readonly string[], zones: Zones, context: WorkContext): Promise<ZonalAreas[]> {
  const results: ZonalAreas[] = [];
  const decoder = new TileDecoder();
  let coverage: ZoneCoverage | undefined;
  for (const [index, path] of paths.entries()) {
    const file = await openRaster(path, { signal: context.signal, decoder });
    try {
      if (coverage === undefined || !sameGrid(coverage.grid, file.grid)) coverage = coverZones(zones, file.grid);
      const progress = (share: number): void => context.progress((index + share) / paths.length);
      results.push(await sumFile({ file, decoder }, coverage, { signal: context.signal, progress }));
    } finally {
      file.close();
    }
  }
  return results;
}

async function sumFile(opened: OpenedFile, coverage: ZoneCoverage, context: WorkContext): Promise<ZonalAreas> {
  const { file, decoder } = opened;
  const { kernels } = decoder;
  checkZonal(file, 'class areas', ['uint8']);
  const rowAreas = pixelAreasM2(file.grid);
  const make = (): Float64Array => new Float64Array(256);
  const [level] = file.levels;
  // The decoder allocates now, so that the reset below does not free its memory.
  if (level !== undefined) decoder.reserve(decodedBytes(level, file.dtype));
  const sums = await sumZones({ file, coverage, make }, context, async ({ window, parts }) => {
    const mark = kernels.mark();
    const address = kernels.alloc(window.cols * window.rows);
    await file.readWindowAt(window, address);
    for (const { coverage: covered, sums: own } of parts)
      addClassAreas(kernels, { ...window, address }, { part: runsIn(covered, window), rowAreas, sums: own });
    kernels.reset(mark);
  });
  return Object.fromEntries([...sums].map(([id, m2]) => [id, Array.from(m2, (area) => area / M2_PER_HA)]));
}

interface OpenedFile {
  readonly file: RasterFile;
  readonly decoder: TileDecoder;
}

/** Mask of the pixels that at least one polygon touches, row by row. */
export class TouchedMask {
  readonly #coverages: readonly Coverage[];

  /** `polygons` must be in the grid's CRS. Throws `input_data` for coordinates that are not numbers. */
  constructor(polygons: readonly (Polygon | MultiPolygon)[], grid: PixelGrid) {
    const coverer = new Coverer(grid);
    this.#coverages = polygons.map((polygon) => coverer.cover(polygon));
  }

  /**
   * Columns [left, right) that contain all touched pixels of rows [first, first + count); undefined if no polygon has
   * one of these rows.
   */
  extent(first: number, count: number): { left: number; right: number } | undefined {
    const here = this.#coverages.filter(({ top, rows }) => top < first + count && top + rows > first);
    if (here.length === 0) return undefined;
    return { left: Math.min(...here.map(({ left }) => left)), right: Math.max(...here.map(({ right }) => right)) };
  }

  /** Sets `out[col]` to 1 if pixel (row, col) is touched. `out` has the grid's columns, and is zero before the call. */
  markRow(row: number, out: Uint8Array): void {
    for (const { top, rows, start, from, to } of this.#coverages) {
      if (row < top || row >= top + rows) continue;
      const end = start[row - top + 1]!;
      for (let run = start[row - top]!; run < end; run += 1) out.fill(1, from[run], to[run]);
    }
  }
}
