import { setImmediate } from 'node:timers/promises';
import { DomainError } from '@headwater/core/errors';
import type { PixelGrid, WorkContext, ZonalAreas, ZonalRequest } from '@headwater/core';
import { pixelAreasM2 } from './pixel-areas.ts';
import { openRaster } from '../tiff/open-raster.ts';
import type { RasterFile } from '../tiff/raster-file.ts';
import { addClassAreas } from './class-sums.ts';
import { coverageOf } from './coverage.ts';
import type { Coverage } from './coverage-runs.ts';

type Zones = ZonalRequest['zones'];
const M2_PER_HA = 10_000;

/** Covered fractions of zones on one grid, made once and used for every raster of that grid. */
interface ZoneCoverage {
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
      if (coverage === undefined || !sameGrid(coverage.grid, file.grid)) coverage = coverZones(zones, file.grid);
      const progress = (share: number): void => context.progress((index + share) / paths.length);
      results.push(await sumFile(file, coverage, { signal: context.signal, progress }));
    } finally {
      file.close();
    }
  }
  return results;
}

/** Covered fractions of zones (lon/lat) on a grid. */
function coverZones(zones: Zones, grid: PixelGrid): ZoneCoverage {
  return { grid, zones: zones.map(({ id, geometry }) => ({ id, coverage: coverageOf(geometry, grid) })) };
}

async function sumFile(file: RasterFile, { grid, zones }: ZoneCoverage, context: WorkContext): Promise<ZonalAreas> {
  checkFile(file);
  const rowAreas = pixelAreasM2(grid);
  const sums = new Map<string, Float64Array>();
  // Zones of one id share their sums.
  const parts = zones.map(({ id, coverage }) => {
    const own = sums.get(id) ?? new Float64Array(256);
    sums.set(id, own);
    return { coverage, sums: own };
  });
  for (const strip of stripsOf(file)) {
    context.signal.throwIfAborted();
    const end = strip.row + strip.rows;
    const here = parts.filter(({ coverage }) => coverage.top < end && coverage.top + coverage.rows > strip.row);
    await addStrip(file, { ...strip, parts: here }, rowAreas);
    context.progress(end / grid.rows);
    // Decoding and summing are synchronous: let the host's other work run between strips.
    await setImmediate();
  }
  return Object.fromEntries([...sums].map(([id, m2]) => [id, Array.from(m2, (area) => area / M2_PER_HA)]));
}

interface Strip {
  readonly row: number;
  readonly rows: number;
  /** The zones that meet it, and where their areas are added. */
  readonly parts: readonly { readonly coverage: Coverage; readonly sums: Float64Array }[];
}

/** Reads the columns that the strip's zones lie in, and adds each zone's areas. */
async function addStrip(file: RasterFile, { row, rows, parts }: Strip, rowAreas: Float64Array): Promise<void> {
  const left = Math.min(...parts.map(({ coverage }) => coverage.left));
  const cols = Math.max(...parts.map(({ coverage }) => coverage.right)) - left;
  if (!(cols > 0)) return;
  const data = new Uint8Array(cols * rows);
  await file.readWindow({ col: left, row, cols, rows }, data);
  for (const { coverage, sums } of parts)
    addClassAreas(coverage, { data, first: row, rows, left, cols }, { rowAreas, sums });
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
