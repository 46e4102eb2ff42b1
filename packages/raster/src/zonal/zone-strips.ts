import { setImmediate } from 'node:timers/promises';
import { DomainError } from '@headwater/core/errors';
import type { PixelGrid, WorkContext, Zone } from '@headwater/core';
import type { PixelWindow } from '../pixels/pixel-window.ts';
import { checkPlain } from '../tiff/bad-file.ts';
import type { RasterFile } from '../tiff/raster-file.ts';
import type { Coverage } from './coverage-runs.ts';
import { Coverer } from './coverage.ts';

/** Covered fractions of zones on one grid, which all rasters with this grid can share. */
export interface ZoneCoverage {
  readonly grid: PixelGrid;
  readonly zones: readonly { readonly id: string; readonly coverage: Coverage }[];
}

/** Computes the covered fractions of zones (lon/lat) on a grid. */
export function coverZones(zones: readonly Zone[], grid: PixelGrid): ZoneCoverage {
  const coverer = new Coverer(grid);
  return { grid, zones: zones.map(({ id, geometry }) => ({ id, coverage: coverer.cover(geometry) })) };
}

/** Covered fractions of a zone, and its sums. */
export interface ZonePart<S> {
  readonly coverage: Coverage;
  readonly sums: S;
}

/** Strip of a raster: one row of tiles, clipped to the columns of the zones. */
export interface ZoneStrip<S> {
  readonly window: PixelWindow;
  readonly parts: readonly ZonePart<S>[];
}

/** Calls `add` for one strip after the other, and returns the sums by id. Zones with the same id share one sum. */
export async function sumZones<S>(
  { file, coverage, make }: { readonly file: RasterFile; readonly coverage: ZoneCoverage; readonly make: () => S },
  context: WorkContext,
  add: (strip: ZoneStrip<S>) => Promise<void>,
): Promise<ReadonlyMap<string, S>> {
  const sums = new Map<string, S>();
  const parts = coverage.zones.map(({ id, coverage: covered }) => {
    const own = sums.get(id) ?? make();
    sums.set(id, own);
    return { coverage: covered, sums: own };
  });
  for (const { row, rows } of stripsOf(file)) {
    context.signal.throwIfAborted();
    const here = parts.filter(({ coverage: { top, rows: covered } }) => top < row + rows && top + covered > row);
    const left = Math.min(...here.map((part) => part.coverage.left));
    const cols = Math.max(...here.map((part) => part.coverage.right)) - left;
    if (cols > 0) await add({ window: { col: left, row, cols, rows }, parts: here });
    context.progress((row + rows) / file.grid.rows);
    // Decoding and summing block the event loop, so other work can run here.
    await setImmediate();
  }
  return sums;
}

/** Each strip is one row of tiles, so that no tile is decoded twice. */
function* stripsOf(file: RasterFile): Generator<{ row: number; rows: number }> {
  const { rows } = file.grid;
  for (let row = 0; row < rows; row += file.tile.rows) yield { row, rows: Math.min(file.tile.rows, rows - row) };
}

/** Throws `input_data` unless a file is in EPSG:4326 and of one of these types. */
export function checkZonal(file: RasterFile, what: string, types: readonly string[]): void {
  // Classes are read as stored samples, so their file must not have a mask or a scale.
  if (types.every((type) => type === 'uint8')) checkPlain(file.layout, what);
  if (file.grid.crs === 'EPSG:4326' && types.includes(file.dtype)) return;
  const option = types.includes(file.dtype) ? '' : ' -ot Byte';
  throw new DomainError(
    'input_data',
    `${file.href}: ${what} need ${types.join(' or ')} pixels in EPSG:4326, but this raster is ${file.dtype} in ${file.grid.crs}. ` +
      `Convert it with \`gdalwarp -t_srs EPSG:4326${option} -of COG\`, or write it with writeCog.`,
  );
}

/** True if two grids have the same pixels. */
export function sameGrid(a: PixelGrid, b: PixelGrid): boolean {
  return (['crs', 'west', 'north', 'pixelWidth', 'pixelHeight', 'cols', 'rows'] as const).every(
    (key) => a[key] === b[key],
  );
}
