import type { RunWorker, Stores } from '@headwater/core';
import { z } from 'zod';

const Part = z.object({ state: z.enum(['ok', 'off', 'failing']), detail: z.string() }).meta({ id: 'HealthPart' });

/** State of the service and of each of its parts. */
export const Health = z
  .object({
    status: z.enum(['ok', 'failing']),
    version: z.string(),
    parts: z.object({ database: Part, worker: Part, pixels: Part, disk: Part }),
  })
  .meta({ id: 'Health' });

/** Typed health answer. */
export type HealthReport = z.infer<typeof Health>;

/** Typed state of one part. */
export type HealthPart = z.infer<typeof Part>;

/** Free space below which results may not fit: a run of a small tehsil writes some MB, of a large one some hundred. */
const LOW_DISK_BYTES = 100_000_000;

/** What health looks at. */
export interface HealthSources {
  readonly version: string;
  readonly stores: Pick<Stores, 'ping'>;
  readonly worker: RunWorker | undefined;
  /** Says which pixel engine there is; throws when it does not work. Absent where there is none. */
  readonly pixels?: () => Promise<string>;
  /** Free bytes where results are written. Absent where the service writes nothing. */
  readonly freeBytes?: () => Promise<number>;
}

/** Makes the health check: each part is tried, none can make it throw. */
export function createHealth(sources: HealthSources): () => Promise<HealthReport> {
  return async () => {
    const [database, pixels, disk] = await Promise.all([
      part(async () => ok(databaseText(await sources.stores.ping()))),
      part(async () => (sources.pixels === undefined ? off('no pixel engine was given') : ok(await sources.pixels()))),
      part(async () =>
        sources.freeBytes === undefined ? off('free space is not measured') : diskPart(await sources.freeBytes()),
      ),
    ]);
    const parts = { database, worker: workerPart(sources.worker), pixels, disk };
    const failing = Object.values(parts).some(({ state }) => state === 'failing');
    return { status: failing ? 'failing' : 'ok', version: sources.version, parts };
  };
}

async function part(look: () => Promise<HealthPart>): Promise<HealthPart> {
  try {
    return await look();
  } catch (error) {
    return { state: 'failing', detail: error instanceof Error ? error.message : 'unknown failure' };
  }
}

function workerPart(worker: RunWorker | undefined): HealthPart {
  if (worker === undefined) return off('no worker in this process');
  return ok(worker.active === 0 ? 'idle' : `${worker.active} at work`);
}

function diskPart(free: number): HealthPart {
  const detail = `${(free / 1e9).toFixed(1)} GB free`;
  return free < LOW_DISK_BYTES ? { state: 'failing', detail: `${detail}; make room for results` } : ok(detail);
}

function databaseText({ kind, version }: Awaited<ReturnType<Stores['ping']>>): string {
  return kind === 'memory' ? 'in memory, gone with the process' : `${kind}, ${version}`;
}

function ok(detail: string): HealthPart {
  return { state: 'ok', detail };
}

function off(detail: string): HealthPart {
  return { state: 'off', detail };
}
