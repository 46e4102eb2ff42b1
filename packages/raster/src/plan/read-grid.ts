import { DomainError } from '@headwater/core/errors';
import type { PixelGrid, ScratchRaster, WorkContext } from '@headwater/core';
import type { RasterHeader, ReadRequest, SourceFile } from '@headwater/core/ports';
import { scratchFiles } from '../files/scratch-files.ts';
import { withOutputs } from '../files/scratch-space.ts';
import { workerUrl } from '@headwater/net/files';
import type { OnWait } from '@headwater/net';
import { checkNodata } from '../pixels/nodata.ts';
import { sampleBytes } from '../pixels/pixel-array.ts';
import type { PixelWindow } from '../pixels/pixel-window.ts';
import type { TiffLayout } from '../tiff/layout.ts';
import { knownCrs } from '../warp/crs.ts';
import type { ExecuteTools } from './execute.ts';
import { HeaderReader } from './headers.ts';
import { troubleError } from './scene-files.ts';
import type { HeaderTools } from './headers.ts';
import type { ReadWork } from './read-worker.ts';
import { waitNotes } from './execute.ts';
import { WorkerPool } from './workers/pool.ts';

const SIDE = 2048;
const LEAST_SIDE = 256;
const METRES_PER_DEGREE = 111_320;

/**
 * Reads raster files onto a grid, window by window in worker threads, by the rules that `ReadRequest` describes. Throws
 * `input_data` for an unreadable file, an unknown CRS, too small pixels or an empty list. Throws `unavailable` if a
 * server does not respond.
 */
export async function readGrid(
  request: ReadRequest,
  context: WorkContext,
  tools: ExecuteTools,
): Promise<ScratchRaster> {
  context.signal.throwIfAborted();
  const { grid, type, nodata, resampling, within } = request;
  checkNodata(nodata, type);
  const waits = waitNotes(context);
  const network = tools.network ?? {};
  const paths = typeof request.path === 'string' ? [request.path] : request.path;
  if (paths.length === 0) throw new DomainError('input_data', 'path: there is no file to read; name at least one');
  const layouts = await readHeaders(
    paths,
    { within },
    { signal: context.signal, network, onWait: waits.onWait, spare: tools.spare },
  );
  return withOutputs(tools.scratch, { grid, outputs: [{ name: 'values', type }] }, async ({ values, ...none }) => {
    if (values === undefined)
      throw new Error(`the output "values" is missing; the outputs are: ${Object.keys(none).join(', ')}`);
    const [target] = scratchFiles(tools.scratch, { values });
    if (target === undefined) throw new Error('the output "values" has no scratch file');
    const work: ReadWork = { grid, target, nodata, resampling, layouts, within, network };
    await runWindows(work, { ...context, ...waits }, tools);
    return values;
  });
}

async function runWindows(
  work: ReadWork,
  { signal, progress, onWait }: WorkContext & { onWait: OnWait },
  { threads, spare }: Pick<ExecuteTools, 'threads' | 'spare'>,
): Promise<void> {
  const windows = windowsOf(work.grid, sideOf(work));
  const pool = new WorkerPool<PixelWindow, null>({
    url: workerUrl('./read-worker', import.meta.url, '@headwater/raster'),
    workerData: work,
    threads: Math.min(threads, windows.length),
    signal,
    onNote: onWait,
    spare,
  });
  let done = 0;
  try {
    await Promise.all(
      windows.map(async (window) => {
        await pool.run(window);
        progress(++done / windows.length);
      }),
    );
  } finally {
    await pool.close();
  }
}

/**
 * Side of a window in pixels. Windows are smaller for finer files, because all file pixels under a window are in
 * memory.
 */
function sideOf({ grid, layouts }: ReadWork): number {
  const metres = ({ pixelHeight, crs }: PixelGrid): number =>
    knownCrs(crs).geographic ? pixelHeight * METRES_PER_DEGREE : pixelHeight;
  const finest = Math.min(...layouts.map((layout) => metres(layout.grid)));
  return Math.max(LEAST_SIDE, Math.floor(SIDE / Math.max(1, metres(grid) / finest)));
}

function windowsOf({ cols, rows }: PixelGrid, side: number): PixelWindow[] {
  const across = Math.ceil(cols / side);
  return Array.from({ length: across * Math.ceil(rows / side) }, (_, i) => {
    const [col, row] = [(i % across) * side, Math.floor(i / across) * side];
    return { col, row, cols: Math.min(side, cols - col), rows: Math.min(side, rows - row) };
  });
}

/** Reads grid, sample type and nodata value of a file in a separate thread. */
export async function headerOf(
  path: string,
  source: SourceFile,
  tools: Omit<HeaderTools, 'onWait'>,
): Promise<RasterHeader> {
  const [layout] = await readHeaders([path], source, { ...tools, onWait: () => {} });
  if (layout === undefined) throw new Error(`the header of ${path} was not read`);
  return { ...layout.grid, ...valuesOf(layout) };
}

function valuesOf({ dtype, nodata, scaling }: TiffLayout): Pick<RasterHeader, 'type' | 'nodata'> {
  if (scaling === null) return { type: dtype, nodata };
  return { type: sampleBytes(dtype) <= 2 || dtype === 'float32' ? 'float32' : 'float64', nodata: Number.NaN };
}

/** Layouts of files, in the order of `paths`. Throws the error of the first file that cannot be read. */
export async function readHeaders(
  paths: readonly string[],
  { within }: SourceFile,
  tools: HeaderTools,
): Promise<readonly TiffLayout[]> {
  const headers = new HeaderReader(tools);
  try {
    const found = await headers.read(
      paths.map((href) => new Map([['values', { href, offset: 0, scale: 1, nodata: null, within }]])),
    );
    return found.map((scene) => {
      if ('reason' in scene) throw troubleError(scene);
      const layout = scene.layouts.get('values');
      if (layout === undefined) throw new Error('the layout of a file was not read');
      return layout;
    });
  } finally {
    await headers.close();
  }
}
