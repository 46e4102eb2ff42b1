import type { PixelEngine, WorkContext } from '@headwater/core';
import { DomainError } from '@headwater/core/errors';
import type { ValuesIn, ValuesInRequest } from '@headwater/core/ports';
import { type NetworkSettings, originSet } from '@headwater/net';
import { writeCog } from './cog/write-cog.ts';
import { pixelsOfGeometries } from './compare/geometry-pixels.ts';
import { valuesAtPixels } from './compare/values-at.ts';
import { scratchOf } from './files/scratch-of.ts';
import { createScratchSpace } from './files/scratch-space.ts';
import { combineRasters } from './plan/combine.ts';
import { executePlan } from './plan/execute.ts';
import { probeEngine } from './plan/probe.ts';
import { headerOf, readGrid } from './plan/read-grid.ts';
import { runWhole } from './plan/whole.ts';
import { defaultThreads } from './plan/workers/pool.ts';
import { thumbnail } from './png/thumbnail.ts';
import { zoneThumbnail } from './png/zone-thumbnail.ts';
import { openRaster } from './tiff/open-raster.ts';
import { zonalMeans } from './zonal/zonal-means.ts';
import { zonalPairs } from './zonal/zonal-pairs.ts';
import { zonalValues } from './zonal/zonal-values.ts';
import { zonal } from './zonal/zonal.ts';

/** `PixelEngine.valuesIn`: the values of a local raster under points and polygons; each tile that holds one is read once. */
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

/** Where an engine works. */
export interface PixelEngineOptions {
  /** Absolute folder of its own for scratch rasters; made on first use, removed by `close`. */
  readonly scratchDir: string;
  /** Worker threads of one call; default: the cores, at most 4. */
  readonly threads?: number;
  /**
   * How long servers that do not answer are waited for, for each plan and thread, default: ten minutes; and the origins that may be
   * asked although they are not public, default: none.
   */
  readonly network?: Partial<NetworkSettings>;
  /** Module of the thread that `probe` starts; default: one that decodes a small tile. */
  readonly probeWorker?: URL;
}

/**
 * The engine that reads scenes, composites them in worker threads and writes COGs; nothing of it runs between calls. Throws `validation`
 * for threads and origins that are none.
 */
export function createPixelEngine({
  scratchDir,
  threads = defaultThreads(),
  network,
  probeWorker,
}: PixelEngineOptions): PixelEngine {
  if (!Number.isInteger(threads) || threads < 1) {
    throw new DomainError(
      'validation',
      `threads: ${threads} is not a whole number above 0; leave it out to use the cores`,
    );
  }
  // What it would refuse is met here, not by the first run.
  originSet(network?.allowedOrigins ?? []);
  const scratch = createScratchSpace(scratchDir);
  const tools = { scratch, threads, network };
  return {
    execute: (plan, context) => cancellable(context, () => executePlan(plan, context, tools)),
    combine: (plan, context) => cancellable(context, () => combineRasters(plan, context, tools)),
    writeCog: (request, context) => cancellable(context, () => writeCog(request, context, tools)),
    whole: (plan, context) => cancellable(context, () => runWhole(plan, context, tools)),
    read: (request, context) => cancellable(context, () => readGrid(request, context, tools)),
    fromValues: (request) => scratchOf(request, scratch),
    gridOf: (path, source = {}, signal = NEVER) => headerOf(path, source, { network: network ?? {}, signal }),
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
    close: () => scratch.close(),
  };
}

/** For those who do not stop. */
const NEVER = new AbortController().signal;

/** Whatever form an abort takes below, callers meet `cancelled`. */
async function cancellable<T>({ signal }: WorkContext, work: () => Promise<T>): Promise<T> {
  const cancelled = (cause: unknown): DomainError => new DomainError('cancelled', 'the work was cancelled', { cause });
  if (signal.aborted) throw cancelled(signal.reason);
  try {
    return await work();
  } catch (error) {
    throw signal.aborted ? cancelled(error) : error;
  }
}
