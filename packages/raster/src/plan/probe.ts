import { rm } from 'node:fs/promises';
import { DomainError } from '@headwater/core/errors';
import type { ScratchSpace } from '../files/scratch-space.ts';
import { workerUrl } from '@headwater/net/files';
import { WorkerPool } from './workers/pool.ts';

/** What is tried. */
export interface ProbedEngine {
  readonly scratch: ScratchSpace;
  readonly threads: number;
  /** Module of the thread; default: one that decodes a small tile as the workers of a plan do. */
  readonly worker?: URL | undefined;
}

/** What the tile of the worker adds up to. */
const SUM = 16 * 16 * 7;
const GRID = { crs: 'EPSG:4326', west: 0, north: 1, pixelWidth: 1, pixelHeight: 1, cols: 1, rows: 1 } as const;
/** A thread that hangs ends after this, ms. */
const LONGEST_MS = 20_000;

/** Starts one thread, lets it decode a tile, and makes a scratch file. Says what the engine is; throws what is in its way. */
export async function probeEngine({ scratch, threads, worker }: ProbedEngine): Promise<string> {
  const signal = AbortSignal.timeout(LONGEST_MS);
  const url = worker ?? workerUrl('probe-worker', import.meta.url);
  const pool = new WorkerPool<null, number>({ url, workerData: null, threads: 1, signal });
  try {
    const sum = await pool.run(null);
    if (sum !== SUM)
      throw new DomainError('internal', 'a worker thread decodes a tile to other pixels than were written');
  } finally {
    await pool.close();
  }
  const raster = await scratch.create(GRID);
  await rm(scratch.pathOf(raster), { force: true });
  return `worker threads start and decode; up to ${threads} at a time`;
}
