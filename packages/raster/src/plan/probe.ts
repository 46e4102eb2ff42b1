import { rm } from 'node:fs/promises';
import { DomainError } from '@headwater/core/errors';
import type { ScratchSpace } from '../files/scratch-space.ts';
import { workerUrl } from '@headwater/net/files';
import { WorkerPool } from './workers/pool.ts';

/** Parts of the engine that the probe checks. */
export interface ProbedEngine {
  readonly scratch: ScratchSpace;
  readonly threads: number;
  /** Module of the thread; default: a module that decodes a small tile. */
  readonly worker?: URL | undefined;
}

const SUM = 16 * 16 * 7;
const GRID = { crs: 'EPSG:4326', west: 0, north: 1, pixelWidth: 1, pixelHeight: 1, cols: 1, rows: 1 } as const;
/** Time limit of the probe. The start of a thread can take many seconds on a busy machine. */
const LONGEST_MS = 60_000;

/**
 * Decodes a tile in a thread and creates a scratch file. Returns a description of the engine; throws if either step
 * fails.
 */
export async function probeEngine({ scratch, threads, worker }: ProbedEngine): Promise<string> {
  const signal = AbortSignal.timeout(LONGEST_MS);
  const url = worker ?? workerUrl('probe-worker', import.meta.url, '@headwater/raster');
  const pool = new WorkerPool<null, number>({ url, workerData: null, threads: 1, signal });
  try {
    const sum = await pool.run(null);
    if (sum !== SUM) throw new DomainError('internal', 'a worker thread decoded other pixels than the tile has');
  } finally {
    await pool.close();
  }
  const raster = await scratch.create(GRID);
  await rm(scratch.pathOf(raster), { force: true });
  return `worker threads start and decode; up to ${threads} at a time`;
}
