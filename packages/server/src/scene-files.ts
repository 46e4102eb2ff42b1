import { setImmediate } from 'node:timers/promises';
import { type PixelGrid } from '@headwater/core';
import type { BandFile, SceneFiles, StripFile } from '@headwater/earth-engine';
import { createLimit } from '@headwater/net/retry';
import { openRaster, type RasterFile, writeCogRows } from '@headwater/raster';

/** Minimum number of rows of a piece, except the first and the last piece. */
const STEP_ROWS = 64;
/** Decodes one piece at a time in this process, because several pieces without a pause would block the event loop. */
const inTurn = createLimit(1);

/** Decodes a window in pieces of whole tile rows. The event loop continues after each piece. */
export async function decode(
  file: Pick<RasterFile, 'tile' | 'readWindow'>,
  { row: first, cols, rows }: Window,
  into: Values,
): Promise<void> {
  const step = Math.ceil(STEP_ROWS / file.tile.rows) * file.tile.rows;
  for (let done = 0; done < rows;) {
    const count = Math.min(step - ((first + done) % step), rows - done);
    const part = into.subarray(done * cols, (done + count) * cols);
    const window = { col: 0, row: first + done, cols, rows: count };
    await inTurn(async () => {
      await file.readWindow(window, part);
      await setImmediate();
    });
    done += count;
  }
}

interface Window {
  readonly row: number;
  readonly cols: number;
  readonly rows: number;
}

const COG = { nodata: 0, overviews: 'none', tileSize: 256, level: 1, threads: 1, sparse: true } as const;

type Values = Uint8Array | Uint16Array;

const valuesOf = (type: 'uint8' | 'uint16', count: number): Values =>
  type === 'uint8' ? new Uint8Array(count) : new Uint16Array(count);

/** Reads and writes the GeoTIFFs of scenes. */
export const sceneFiles: SceneFiles = { check, join };

async function check(strip: StripFile): Promise<Values> {
  let first = valuesOf('uint8', 0);
  for (let band = strip.bands; band >= 1; band -= 1) {
    const file = await openRaster(strip.path, { band });
    try {
      first = await bandValues(file, strip.grid);
    } finally {
      file.close();
    }
  }
  return first;
}

async function bandValues(file: RasterFile, grid: PixelGrid): Promise<Values> {
  const { dtype } = file;
  if (!isSameGrid(file.grid, grid)) throw new Error(`its grid is ${gridText(file.grid)} instead of ${gridText(grid)}`);
  if (dtype !== 'uint8' && dtype !== 'uint16') throw new Error(`it has ${dtype} samples instead of uint8 or uint16`);
  const { cols, rows } = grid;
  const values = valuesOf(dtype, cols * rows);
  await decode(file, { row: 0, cols, rows }, values);
  return values;
}

/** Tolerance of corners and pixel sizes, in the unit of the CRS. */
const TOLERANCE = 1e-6;

function isSameGrid(a: PixelGrid, b: PixelGrid): boolean {
  const near = (name: 'west' | 'north' | 'pixelWidth' | 'pixelHeight'): boolean =>
    Math.abs(a[name] - b[name]) <= TOLERANCE;
  const isNear = near('west') && near('north') && near('pixelWidth') && near('pixelHeight');
  return isNear && a.crs === b.crs && a.cols === b.cols && a.rows === b.rows;
}

const gridText = ({ crs, west, north, pixelWidth, cols, rows }: PixelGrid): string =>
  `${cols} x ${rows} pixels of ${pixelWidth} from ${west}, ${north} in ${crs}`;

async function join({ path, grid, type, strips, band }: BandFile): Promise<void> {
  const files: RasterFile[] = [];
  try {
    for (const strip of strips) files.push(await openRaster(strip.path, { band: band + 1 }));
    const rows = (first: number, count: number): Promise<Values> => rowsOf({ files, strips, grid, type }, first, count);
    await writeCogRows(path, { ...COG, grid, predictor: type === 'uint8' ? 1 : 2 }, { type, rows });
  } finally {
    for (const file of files) file.close();
  }
}

interface Strips extends Pick<BandFile, 'grid' | 'type' | 'strips'> {
  readonly files: readonly RasterFile[];
}

/** Returns rows [first, first + count) of a band. Pixels that no strip covers are 0. */
async function rowsOf({ files, strips, grid: { cols }, type }: Strips, first: number, count: number): Promise<Values> {
  const values = valuesOf(type, count * cols);
  let top = 0;
  for (const [index, { grid }] of strips.entries()) {
    const from = Math.max(first, top);
    const to = Math.min(first + count, top + grid.rows);
    if (from < to) {
      const part = values.subarray((from - first) * cols, (to - first) * cols);
      const file = files[index];
      if (file !== undefined) await decode(file, { row: from - top, cols, rows: to - from }, part);
    }
    top += grid.rows;
  }
  await setImmediate();
  return values;
}
