import { setImmediate } from 'node:timers/promises';
import { DomainError } from '@headwater/core/errors';
import type { PixelGrid, WorkContext, ZonalAreas, ZonalRequest } from '@headwater/core';
import { pixelAreasM2 } from './pixel-areas.ts';
import { openRaster } from '../tiff/open-raster.ts';
import type { RasterFile } from '../tiff/raster-file.ts';
import { addClassAreas } from './class-sums.ts';
import { coverageOf } from './coverage.ts';
import type { Coverage } from './coverage.ts';

type Zones = ZonalRequest['zones'];
const M2_PER_HA = 10_000;

/** Covered fractions of zones on one grid, made once and used for every raster of that grid. */
export interface ZoneCoverage {
  readonly grid: PixelGrid;
  readonly zones: readonly { readonly id: string; readonly coverage: Coverage }[];
}

/**
 * Hectares per value 0-255 in each zone: covered fraction (planar in lon/lat) x ellipsoidal pixel area.
 * Pixels outside the raster count nothing; zones of one id are added. Throws `input_data` unless the file is uint8, EPSG:4326.
 */
export async function zonal(request: ZonalRequest, context: WorkContext): Promise<ZonalAreas> {
  const [areas] = await zonalMany([request.path], request.zones, context);
  return areas ?? {};
}

/** `zonal` of several rasters; coverage is computed once for all that share a grid. */
export async function zonalMany(paths: readonly string[], zones: Zones, context: WorkContext): Promise<ZonalAreas[]> {
  const results: ZonalAreas[] = [];
  let coverage: ZoneCoverage | undefined;
  for (const [index, path] of paths.entries()) {
    const file = await openRaster(path, { signal: context.signal });
    try {
      if (coverage == null || !sameGrid(coverage.grid, file.grid)) coverage = coverZones(zones, file.grid);
      const progress = (share: number): void => context.progress((index + share) / paths.length);
      results.push(await sumFile(file, coverage, { signal: context.signal, progress }));
    } finally {
      file.close();
    }
  }
  return results;
}

/** Covered fractions of zones (lon/lat) on a grid. */
export function coverZones(zones: Zones, grid: PixelGrid): ZoneCoverage {
  return { grid, zones: zones.map(({ id, geometry }) => ({ id, coverage: coverageOf(geometry, grid) })) };
}

async function sumFile(file: RasterFile, { grid, zones }: ZoneCoverage, context: WorkContext): Promise<ZonalAreas> {
  checkFile(file);
  const rowAreas = pixelAreasM2(grid);
  const sums = new Map(zones.map(({ id }) => [id, new Float64Array(256)]));
  for (const strip of stripsOf(file)) {
    context.signal.throwIfAborted();
    const here = zones.filter(
      ({ coverage }) => coverage.top < strip.row + strip.rows && coverage.top + coverage.rows > strip.row,
    );
    await addStrip(file, { ...strip, zones: here }, { rowAreas, sums });
    context.progress((strip.row + strip.rows) / grid.rows);
    // Decoding and summing are synchronous: let the host's other work run between strips.
    await setImmediate();
  }
  return Object.fromEntries([...sums].map(([id, m2]) => [id, Array.from(m2, (area) => area / M2_PER_HA)]));
}

interface Strip {
  readonly row: number;
  readonly rows: number;
  readonly zones: ZoneCoverage['zones'];
}

/** Reads the columns that the strip's zones lie in, and adds each zone's areas. */
async function addStrip(
  file: RasterFile,
  strip: Strip,
  { rowAreas, sums }: { rowAreas: Float64Array; sums: Map<string, Float64Array> },
): Promise<void> {
  const left = Math.min(...strip.zones.map(({ coverage }) => coverage.left));
  const cols = Math.max(...strip.zones.map(({ coverage }) => coverage.right)) - left;
  if (!(cols > 0)) return;
  const data = new Uint8Array(cols * strip.rows);
  await file.readWindow({ col: left, row: strip.row, cols, rows: strip.rows }, data);
  for (const { id, coverage } of strip.zones) {
    const values = { data, first: strip.row, rows: strip.rows, left, cols };
    addClassAreas(coverage, values, { rowAreas, sums: sums.get(id) as Float64Array });
  }
}

/** Rows of whole tiles, so that no tile is decoded twice. */
function* stripsOf(file: RasterFile): Generator<{ row: number; rows: number }> {
  const { rows } = file.grid;
  for (let row = 0; row < rows; row += file.tile.rows) yield { row, rows: Math.min(file.tile.rows, rows - row) };
}

function checkFile(file: RasterFile): void {
  if (file.grid.crs === 'EPSG:4326' && file.dtype === 'uint8') return;
  throw new DomainError(
    'input_data',
    `${file.href}: class areas need uint8 pixels in EPSG:4326, this is ${file.dtype} in ${file.grid.crs}. Write it with writeCog first.`,
  );
}

function sameGrid(a: PixelGrid, b: PixelGrid): boolean {
  return (['crs', 'west', 'north', 'pixelWidth', 'pixelHeight', 'cols', 'rows'] as const).every(
    (key) => a[key] === b[key],
  );
}
