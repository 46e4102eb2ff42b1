import type { PixelEngine, WorkContext } from '@headwater/core';
import { DomainError } from '@headwater/core/errors';
import type { ValuesIn, ValuesInRequest, WholeOutcome } from '@headwater/core/ports';
import { type NetworkSettings, originSet } from '@headwater/net';
import { WHOLE_BYTES, type WholePlan } from '@headwater/core/pixel-plan';
import { workerUrl } from '@headwater/net/files';
import type { BlockCacheSettings } from './remote/block-files.ts';
import { writeCog } from './cog/write-cog.ts';
import { pixelsOfGeometries } from './compare/geometry-pixels.ts';
import { valuesAtPixels } from './compare/values-at.ts';
import { scratchOf } from './files/scratch-of.ts';
import { createScratchSpace, withOutputs } from './files/scratch-space.ts';
import { combineRasters, checkGrids } from './plan/combine.ts';
import { estimateFiles } from './plan/estimate-files.ts';
import { estimateReads } from './plan/estimate-reads.ts';
import { executePlan, type ExecuteTools } from './plan/execute.ts';
import { probeEngine } from './plan/probe.ts';
import { headerOf, readGrid } from './plan/read-grid.ts';
import { defaultThreads, WorkerPool } from './plan/workers/pool.ts';
import { SpareThreads } from './plan/workers/spare-threads.ts';
import { thumbnail } from './png/thumbnail.ts';
import { zoneThumbnail } from './png/zone-thumbnail.ts';
import { openRaster } from './tiff/open-raster.ts';
import { zonalMeans } from './zonal/zonal-means.ts';
import { zonalPairs } from './zonal/zonal-pairs.ts';
import { zonalValues } from './zonal/zonal-values.ts';
import { zonal } from './zonal/zonal.ts';
import { scratchFiles } from './files/scratch-files.ts';
import { typeOf, sampleBytes } from './pixels/pixel-array.ts';
import type { WholeWork } from './plan/whole-worker.ts';

/** Implements `PixelEngine.valuesIn`: values of a local raster under points and polygons. Reads each tile once. */
export async function valuesIn(
  { path, geometries, most }: ValuesInRequest,
  { signal, progress }: WorkContext,
): Promise<ValuesIn> {
  const file = await openRaster(path, { signal });
  try {
    const pixels = pixelsOfGeometries(geometries, file.grid, { most });
    return { values: await valuesAtPixels(file, pixels, progress), starts: pixels.starts };
  } finally {
    file.close();
  }
}

/** Options of a pixel engine. */
export interface PixelEngineOptions {
  /** Absolute path of this engine's folder for scratch rasters. Created on first use and removed by `close`. */
  readonly scratchDir: string;
  /** Worker threads of one call; default: one per core, at most 4. */
  readonly threads?: number;
  /**
   * Network settings, such as the waiting budget for servers that do not respond (default: ten minutes), and the
   * allowed origins in private networks.
   */
  readonly network?: Partial<NetworkSettings>;
  /** Disk cache of blocks of remote files. Processes with this folder share the cache. */
  readonly blocks?: BlockCacheSettings | undefined;
  /** Module of the thread that `probe` starts; default: a module that decodes a small tile. */
  readonly probeWorker?: URL;
  /** True: threads continue to run between calls until `close`, so that the next call begins sooner. Default: false. */
  readonly keepsThreads?: boolean;
}

/**
 * Creates the engine that reads scenes, composites them in worker threads and writes COGs. Throws `validation` for an
 * invalid number of threads or an invalid origin.
 */
export function createPixelEngine({
  scratchDir,
  threads = defaultThreads(),
  network,
  blocks,
  probeWorker,
  keepsThreads = false,
}: PixelEngineOptions): PixelEngine {
  if (!Number.isInteger(threads) || threads < 1) {
    throw new DomainError(
      'validation',
      `threads: ${threads} is not a whole number above 0; leave it out to use one thread per core, at most 4`,
    );
  }
  // Checks the origins now, because otherwise an invalid origin would throw only in the first run.
  originSet(network?.allowedOrigins ?? []);
  const scratch = createScratchSpace(scratchDir);
  const spare = keepsThreads ? new SpareThreads() : undefined;
  const remote = { ...network, ...(blocks === undefined ? {} : { blocks }) };
  const tools = { scratch, threads, network: remote, spare };
  return {
    execute: (plan, context) => cancellable(context, () => executePlan(plan, context, tools)),
    estimate: (plan, context) => cancellable(context, () => estimateReads(plan, context, tools)),
    estimateFiles: (request, context) => cancellable(context, () => estimateFiles(request, context, tools)),
    combine: (plan, context) => cancellable(context, () => combineRasters(plan, context, tools)),
    writeCog: (request, context) => cancellable(context, () => writeCog(request, context, tools)),
    whole: (plan, context) => cancellable(context, () => runWhole(plan, context, tools)),
    read: (request, context) => cancellable(context, () => readGrid(request, context, tools)),
    fromValues: (request) => scratchOf(request, scratch),
    gridOf: (path, source = {}, signal = NEVER) => headerOf(path, source, { network: remote, signal, spare }),
    zonal: (request, context) => cancellable(context, () => zonal(request, context)),
    zonalValues: (request, context) => cancellable(context, () => zonalValues(request, context)),
    zonalPairs: (request, context) => cancellable(context, () => zonalPairs(request, context)),
    zonalMeans: (request, context) => cancellable(context, () => zonalMeans(request, context, scratch)),
    valuesIn: (request, context) => cancellable(context, () => valuesIn(request, context)),
    thumbnail,
    zoneThumbnail,
    async release(rasters) {
      await Promise.all(rasters.map((raster) => scratch.remove(raster)));
    },
    probe: () => probeEngine({ scratch, threads, worker: probeWorker }),
    close: async () => {
      await spare?.close();
      await scratch.close();
    },
  };
}

const NEVER = new AbortController().signal;

/** After an abort, throws `cancelled` instead of any error of `work`. */
async function cancellable<T>({ signal }: WorkContext, work: () => Promise<T>): Promise<T> {
  const cancelled = (cause: unknown): DomainError => new DomainError('cancelled', 'the work was cancelled', { cause });
  if (signal.aborted) throw cancelled(signal.reason);
  try {
    return await work();
  } catch (error) {
    throw signal.aborted ? cancelled(error) : error;
  }
}

const MB = 2 ** 20;

/**
 * Runs a function over whole rasters in one thread. Throws `input_data` if the rasters would take more than
 * `WHOLE_BYTES`, and `validation` for an input whose grid has another size or CRS.
 */
async function runWhole(plan: WholePlan, context: WorkContext, { scratch }: ExecuteTools): Promise<WholeOutcome> {
  context.signal.throwIfAborted();
  checkGrids(plan);
  checkBytes(plan);
  return withOutputs(scratch, plan, async (outputs) => {
    const files = { inputs: scratchFiles(scratch, plan.inputs), outputs: scratchFiles(scratch, outputs) };
    const workerData: WholeWork = { grid: plan.grid, block: plan.block, ...files };
    const pool = new WorkerPool<null, string>({
      url: workerUrl('./plan/whole-worker', import.meta.url, '@headwater/raster'),
      workerData,
      threads: 1,
      signal: context.signal,
      onShare: (share) => context.progress(share),
    });
    try {
      const value: unknown = JSON.parse(await pool.run(null));
      return { outputs, value };
    } finally {
      await pool.close();
    }
  });
}

function checkBytes({ grid, inputs, outputs }: WholePlan): void {
  const planes = [...Object.values(inputs), ...outputs];
  const each = planes.reduce((sum, plane) => sum + sampleBytes(typeOf(plane)), 0);
  const bytes = each * grid.cols * grid.rows;
  if (bytes <= WHOLE_BYTES) return;
  throw new DomainError(
    'input_data',
    `grid: ${planes.length} planes of ${grid.cols} x ${grid.rows} pixels take ${Math.ceil(bytes / MB)} MB of memory, more than ` +
      `${WHOLE_BYTES / MB} MB; use larger pixels, a smaller area or fewer planes`,
  );
}
